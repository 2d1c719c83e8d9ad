"""The catalogue of scenarios: each is declared once, with its script beside it."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from engine.examples.catalogue.bus import BUS
from engine.examples.catalogue.counting import COUNTING
from engine.examples.catalogue.knocking import KNOCKING
from engine.examples.catalogue.lives import LIVES
from engine.examples.catalogue.stock import STOCK
from engine.examples.catalogue.thirty_one import THIRTY_ONES
from engine.examples.catalogue.turn import TURN
from engine.examples.catalogue.widow_pot import POT
from engine.examples.catalogue.widow_turns import WIDOW_TURNS

SCENARIOS = (*COUNTING, *TURN, *KNOCKING, *THIRTY_ONES, *STOCK, *LIVES, *BUS, *WIDOW_TURNS, *POT)
"""Every scenario, in the order of a rule sheet."""
SCENARIO_BY_ID = {scenario.id: scenario for scenario in SCENARIOS}

if TYPE_CHECKING:
    ScenarioId = str
else:
    ScenarioId = Annotated[
        Literal[tuple(SCENARIO_BY_ID)],
        Meta(description="Id of a scenario; `GET /v1/scenarios` tells of each.", examples=["knocker-ties"]),
    ]
