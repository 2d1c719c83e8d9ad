"""The acts of the game: for each type of event what breaks it, what it does, and when it ends the hand.

Only events that are not ordinary are looked up here: `ordinary` plays the others.
"""

from collections.abc import Callable
from typing import Any

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.table import Table
from engine.transitions import CHANGES, Change
from schemas.hand import Event
from schemas.rules import RuleSet
from schemas.ruling import Citation

FirstBroken = Callable[[Any, Any], Citation | None]
"""From the table and an event to the citation of the first requirement that is broken, or None."""

Act = tuple[FirstBroken, Change, End | None]
"""How the fold takes a type of event. The last asks what the event ends, if it is of a type that can end anything."""


def _first_broken(requirements: tuple[Requirement, ...]) -> FirstBroken:
    """Return a function that asks the requirements in order until one is broken."""

    def first_broken(table: Table[RuleSet], event: Event) -> Citation | None:
        for need in requirements:
            if (citation := need(table, event)) is not None:
                return citation
        return None

    return first_broken


ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {event: (_first_broken(needs), CHANGES[event], ENDINGS.get(event)) for event, needs in requirements.items()}
    for form, requirements in REQUIREMENTS.items()
}
