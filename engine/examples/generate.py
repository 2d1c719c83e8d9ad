"""Generating: a worked example of a scenario under some rules, or why there is none."""

from contextlib import suppress
from typing import NamedTuple

from engine.adjudicate import adjudicate
from engine.examples.chance import Chance
from engine.examples.narrative import narrate
from engine.examples.scenario import Scenario
from engine.examples.stage import Names, StuckError
from engine.examples.stock_stage import StockStage
from engine.examples.widow_stage import WidowStage
from engine.presets import ResolvedRules
from engine.wording import counted
from schemas.examples import NoStory, Story
from schemas.hand import HandLog
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Ruling

MOST_TRIES = 60
"""Hands that are made for a scenario at the most before it is given up."""

NAMES = (
    *("Ana", "Ben", "Cara", "Dan", "Eva", "Finn", "Gwen", "Hugo"),
    *("Ida", "Jack", "Kim", "Leo", "Mia", "Noah", "Olga", "Paul"),
)
"""What players are called where nobody says otherwise."""


def story(
    scenario: Scenario, rules: ResolvedRules, seed: int = 0, players: int | None = None, names: Names = NAMES
) -> Story | NoStory:
    """Return a worked example of a scenario, or why there is none.

    The same arguments give the same hand, everywhere. `players` is how many sit at the table, from 1 to 16; None leaves
    it to the scenario. Players beyond the names are "Seat n".
    """
    if why := scenario.obstacle(rules.rules, players):
        return NoStory(scenario.id, why)
    table = Sitting(rules, players or scenario.players, names)
    found = make(scenario, table, seed)
    if found is None:
        why = f"No such hand was found under these rules: {counted(MOST_TRIES, 'deal')} were tried."
        return NoStory(scenario.id, why)
    return Story(scenario.id, scenario.title, *found, narrate(*found))


class Sitting(NamedTuple):
    """Who plays, and by which rules."""

    rules: ResolvedRules
    players: int
    names: Names = NAMES


def make(scenario: Scenario, table: Sitting, seed: int, tries: int = MOST_TRIES) -> tuple[HandLog, Ruling] | None:
    """Return a hand that shows a scenario, with its ruling, or None if so many deals gave none."""
    rules, players, names = table
    for attempt in range(tries):
        stage = _stage(rules.rules, Chance(f"{scenario.id}/{seed}/{attempt}"), players)
        with suppress(StuckError):
            scenario.script(stage)
            hand = stage.record(names)
            ruling = adjudicate(hand, rules.rules, rules.silent)
            if scenario.shows(hand, ruling):
                return hand, ruling
    return None


def _stage(rules: RuleSet, chance: Chance, players: int) -> StockStage | WidowStage:
    if isinstance(rules, StockRules):
        return StockStage(rules, chance, players)
    return WidowStage(rules, chance, players)
