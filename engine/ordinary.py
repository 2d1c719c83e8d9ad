"""Ordinary turns: a draw, a take or a discard that is plainly legal, played in one step.

Nearly all events are of these three types and plainly legal, so the speed of the fold lies here. It is a shortcut, not
a rule: what is not played here may be legal all the same, and a property test holds what is played to the requirements
of `legality` and the changes of `transitions`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from engine.table import Table
from schemas.hand import Discard, DrawStock, Event, TakeDiscard
from schemas.rules import RuleSet, StockRules, WidowRules

PlayIfOrdinary = Callable[[Any, Any], bool]
"""From the table and an event to whether it was ordinary and has been played; if not, nothing has changed."""


def draw(table: Table[StockRules], event: DrawStock) -> bool:
    """Draw an unseen card at the start of its player's turn, from a stock of unknown order."""
    seat, card = event.seat, event.card
    if seat != table.to_act or table.drawn or table.stock is not None or card not in table.unseen:
        return False
    table.unseen.remove(card)
    table.hands[seat].append(card)
    table.drawn = True
    return True


def take(table: Table[StockRules], event: TakeDiscard) -> bool:
    """Take the top discard, named or not, at the start of its player's turn."""
    seat, card, pile = event.seat, event.card, table.pile
    if seat != table.to_act or table.drawn or not pile or not (card is UNSET or card is pile[-1]):
        return False
    table.taken = taken = pile.pop()
    table.hands[seat].append(taken)
    table.drawn = True
    return True


def discard(table: Table[StockRules], event: Discard) -> bool:
    """Discard a held card after the draw in its player's turn, and not one just taken."""
    seat, card = event.seat, event.card
    if seat != table.to_act or not table.drawn or card is table.taken:
        return False
    hand = table.hands[seat]
    if hand[-1] is not card:
        if card not in hand:
            return False
        table.changed_at[seat] = table.at
    hand.remove(card)
    table.pile.append(card)
    table.taken = None
    table.drawn = False
    table.turns_done += 1
    table.to_act = seat % table.count + 1
    return True


def never(table: Table[RuleSet], event: Event) -> bool:  # noqa: ARG001 - as those above
    """Return False: rarer events are put to their requirements at once."""
    return False


ORDINARY: dict[type[RuleSet], dict[type[Event], PlayIfOrdinary]] = {
    StockRules: {DrawStock: draw, TakeDiscard: take, Discard: discard},
    WidowRules: {},
}
