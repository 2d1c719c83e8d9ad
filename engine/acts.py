"""The acts of the game: for each type of event what breaks it, what it does, and when it ends the hand.

The fold looks an act up once an event, and its speed lies in how little it does then. So the two commonest events are
first asked whether they are plainly legal, in one question for their four or five requirements. That is a shortcut, not
a rule: a property test holds it to the requirements.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.table import Table
from engine.transitions import CHANGES, Change
from schemas.hand import Discard, DrawStock, Event
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


class Act(NamedTuple):
    """How the fold takes a type of event."""

    is_plain: Callable[[Any, Any], bool]
    """Return whether the event is plainly legal; if not, it may be legal all the same."""
    first_broken: Callable[[Any, Any], Citation | None]
    """Return the citation of the first requirement that is broken, or None."""
    change: Change
    end: End | None
    """What the event ends, if it is of a type that can end anything."""


def plainly_drawn(table: Table[StockRules], event: DrawStock) -> bool:
    """Return whether an unseen card was drawn at the start of its player's turn, from a stock of unknown order."""
    return event.seat == table.to_act and not table.drawn and table.stock is None and event.card in table.unseen


def plainly_discarded(table: Table[StockRules], event: Discard) -> bool:
    """Return whether a held card was discarded after the draw in its player's turn, and not one just taken."""
    card = event.card
    return event.seat == table.to_act and table.drawn and card is not table.taken and card in table.hands[event.seat]


def _not_plain(table: Table[RuleSet], event: Event) -> bool:  # noqa: ARG001 - as those above
    """Return False: rarer events are put to their requirements at once."""
    return False


def _first_broken(requirements: tuple[Requirement, ...]) -> Callable[[Any, Any], Citation | None]:
    """Return a function that asks the requirements in order until one is broken."""

    def first_broken(table: Table[RuleSet], event: Event) -> Citation | None:
        for need in requirements:
            if (citation := need(table, event)) is not None:
                return citation
        return None

    return first_broken


PLAINLY_LEGAL: dict[type[RuleSet], dict[type[Event], Callable[[Any, Any], bool]]] = {
    StockRules: {DrawStock: plainly_drawn, Discard: plainly_discarded},
    WidowRules: {},
}

ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {
        event: Act(PLAINLY_LEGAL[form].get(event, _not_plain), _first_broken(needs), CHANGES[event], ENDINGS.get(event))
        for event, needs in requirements.items()
    }
    for form, requirements in REQUIREMENTS.items()
}
