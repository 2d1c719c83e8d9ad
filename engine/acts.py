"""The acts of the game: for each type of event what breaks it, what it does, and when it ends the hand.

The fold looks an act up once an event. Its speed lies in how little it does between two events, so the requirements
of an event are joined into one function whose calls the interpreter can specialise: a fifth of the cost of a loop.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.transitions import CHANGES, Change
from schemas.hand import Event
from schemas.rules import RuleSet
from schemas.ruling import Citation


class Act(NamedTuple):
    """What breaks a type of event, what it does to the table, and what it ends."""

    breach: Callable[[Any, Any], Citation | None]
    """Return the citation of the first requirement that is broken, or None."""
    change: Change
    end: End


def _first_breach(requirements: tuple[Requirement, ...]) -> Callable[[Any, Any], Citation | None]:
    """Return a function that asks the requirements in order until one is broken."""
    named = {f"need_{place}": need for place, need in enumerate(requirements)}
    asked = " or ".join(f"{name}(table, event)" for name in named)
    breach: Callable[[Any, Any], Citation | None] = eval(f"lambda table, event: {asked}", named)  # noqa: S307 - our own
    return breach


def _goes_on(table: Any, event: Any) -> None:  # noqa: ANN401 - as every end
    """Return no ending: some types of event never end a hand."""


ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {
        event: Act(_first_breach(needs), CHANGES[event], ENDINGS.get(event, _goes_on))
        for event, needs in requirements.items()
    }
    for form, requirements in REQUIREMENTS.items()
}
