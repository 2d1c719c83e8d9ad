"""The acts of the game: for each type of event what it needs, what it does, and when it ends the hand."""

from typing import NamedTuple

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.transitions import CHANGES, Change
from schemas.hand import Event
from schemas.rules import RuleSet


class Act(NamedTuple):
    """What a type of event needs to be legal, does to the table, and ends."""

    needs: tuple[Requirement, ...]
    change: Change
    ends: End | None


ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {event: Act(needs, CHANGES[event], ENDINGS.get(event)) for event, needs in requirements.items()}
    for form, requirements in REQUIREMENTS.items()
}
"""Looked up once an event, because the fold's speed is in how little it does between two events."""
