"""Generating: a worked example of a scenario under some rules, or why there is none."""

from collections.abc import Sequence

from engine.adjudicate import adjudicate
from engine.examples.chance import Chance
from engine.examples.narrative import narrate
from engine.examples.scenario import Scenario
from engine.examples.stage import StuckError
from engine.examples.stock_stage import StockStage
from engine.examples.widow_stage import WidowStage
from engine.presets import ResolvedRules
from engine.wording import counted
from schemas.examples import NoStory, Story
from schemas.hand import HandLog
from schemas.rules import StockRules

MOST_TRIES = 60
"""Hands that are made for a scenario at the most before it is given up."""

NAMES = (
    *("Ana", "Ben", "Cara", "Dan", "Eva", "Finn", "Gwen", "Hugo"),
    *("Ida", "Jack", "Kim", "Leo", "Mia", "Noah", "Olga", "Paul"),
)
"""What players are called where nobody says otherwise."""


def story(
    scenario: Scenario, rules: ResolvedRules, seed: int = 0, players: int | None = None, names: Sequence[str] = NAMES
) -> Story | NoStory:
    """Return a worked example of a scenario, or why there is none.

    The same arguments give the same hand, everywhere. `players` is how many sit at the table, from 1 to 16; None leaves
    it to the scenario. Players beyond the names are "Seat n".
    """
    if why := scenario.obstacle(rules.rules, players):
        return NoStory(scenario.id, why)
    for attempt in range(MOST_TRIES):
        chance = Chance(f"{scenario.id}/{seed}/{attempt}")
        hand = _made(scenario, rules, chance, players or scenario.players, names)
        if hand is not None:
            ruling = adjudicate(hand, rules.rules, rules.silent)
            if scenario.shows(hand, ruling):
                return Story(scenario.id, scenario.title, hand, ruling, narrate(hand, ruling))
    return NoStory(scenario.id, f"No such hand was found under these rules: {counted(MOST_TRIES, 'deal')} were tried.")


def _made(
    scenario: Scenario, rules: ResolvedRules, chance: Chance, players: int, names: Sequence[str]
) -> HandLog | None:
    """Return a hand that follows the scenario's script, or None if the cards did not allow it."""
    form = rules.rules
    stage = StockStage(form, chance, players) if isinstance(form, StockRules) else WidowStage(form, chance, players)
    try:
        scenario.script(stage)
    except StuckError:
        return None
    return stage.record(names)
