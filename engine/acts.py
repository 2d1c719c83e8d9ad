"""The acts of the game: for each type of event what breaks it, what it does, and when it ends the hand.

The fold looks an act up once an event, and its speed lies in how little it does then. So the events of
an ordinary turn are first asked whether they are plainly legal, in one question for their four or five requirements.
That is a shortcut, not a rule: a property test holds it to the requirements.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.table import Table
from engine.transitions import CHANGES, Change
from schemas.hand import Discard, DrawStock, Event, TakeDiscard
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation

IsPlain = Callable[[Any, Any], bool]
"""From the table and an event to whether it is plainly legal; if not, it may be legal all the same."""

FirstBroken = Callable[[Any, Any], Citation | None]
"""From the table and an event to the citation of the first requirement that is broken, or None."""

Act = tuple[IsPlain, FirstBroken, Change, End | None]
"""How the fold takes a type of event. The last asks what the event ends, if it is of a type that can end anything.

A bare tuple, since the fold takes one apart at every event, and Python does that fastest.
"""


def plainly_drawn(table: Table[StockRules], event: DrawStock) -> bool:
    """Return whether an unseen card was drawn at the start of its player's turn, from a stock of unknown order."""
    return event.seat == table.to_act and not table.drawn and table.stock is None and event.card in table.unseen


def plainly_taken(table: Table[StockRules], event: TakeDiscard) -> bool:
    """Return whether the top discard was taken, named or not, at the start of its player's turn."""
    pile, card = table.pile, event.card
    return event.seat == table.to_act and not table.drawn and bool(pile) and (card is UNSET or card is pile[-1])


def plainly_discarded(table: Table[StockRules], event: Discard) -> bool:
    """Return whether a held card was discarded after the draw in its player's turn, and not one just taken."""
    card = event.card
    return event.seat == table.to_act and table.drawn and card is not table.taken and card in table.hands[event.seat]


def _not_plain(table: Table[RuleSet], event: Event) -> bool:  # noqa: ARG001 - as those above
    """Return False: rarer events are put to their requirements at once."""
    return False


def _first_broken(requirements: tuple[Requirement, ...]) -> FirstBroken:
    """Return a function that asks the requirements in order until one is broken."""

    def first_broken(table: Table[RuleSet], event: Event) -> Citation | None:
        for need in requirements:
            if (citation := need(table, event)) is not None:
                return citation
        return None

    return first_broken


PLAINLY_LEGAL: dict[type[RuleSet], dict[type[Event], IsPlain]] = {
    StockRules: {DrawStock: plainly_drawn, TakeDiscard: plainly_taken, Discard: plainly_discarded},
    WidowRules: {},
}

ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {
        event: (PLAINLY_LEGAL[form].get(event, _not_plain), _first_broken(needs), CHANGES[event], ENDINGS.get(event))
        for event, needs in requirements.items()
    }
    for form, requirements in REQUIREMENTS.items()
}
