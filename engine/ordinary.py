"""Ordinary turns: draws, takes and discards that are plainly legal, played one after the other in one loop.

Nearly all events are of these three types and plainly legal, so the speed of the fold lies here. It is a shortcut, not
a rule: what is not played here may be legal all the same, and a property test holds what is played to the requirements
of `legality` and the changes of `transitions`.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET

from engine.table import Table
from schemas.hand import Discard, DrawStock, Event, TakeDiscard
from schemas.rules import RuleSet, StockRules, WidowRules

Stop = tuple[Event | None, bool]
"""The event at which ordinary play stops, or None if it does not; and whether that event has been played."""

PlayOrdinary = Callable[[Any, Iterator[Event]], Stop]
"""From the table and the events that are left to the first that is not ordinary, or that may have ended the hand."""


def play_ordinary(table: Table[StockRules], left: Iterator[Event]) -> Stop:
    """Play on while nothing else than this happens, each in its player's turn.

    - A discard of a held card after a draw, and not of one just taken.
    - A draw of an unseen card at the start of the turn, from a stock of unknown order.
    - A take of the top discard, named or not, at the start of the turn.

    They are in one loop, and not a function each, since the calls would take a seventh of its time.
    """
    hands, pile, unseen = table.hands, table.pile, table.unseen
    for event in left:
        seat = table.to_act
        if type(event) is Discard and event.seat == seat and table.drawn and event.card is not table.taken:
            hand, card = hands[seat], event.card
            if card is hand[-1]:
                hand.pop()
            elif card in hand:
                hand.remove(card)
                table.changed_at[seat] = table.at
            else:
                return event, False
            pile.append(card)
            table.taken = None
            table.drawn = False
            table.turns_done += 1
            table.to_act = seat % table.count + 1
        elif type(event) is DrawStock and event.seat == seat and not table.drawn and table.stock is None:
            if (drawn := event.card) not in unseen:
                return event, False
            unseen.remove(drawn)
            hands[seat].append(drawn)
            table.drawn = True
        elif type(event) is TakeDiscard and event.seat == seat and not table.drawn and pile:
            if event.card is not UNSET and event.card is not pile[-1]:
                return event, False
            table.taken = taken = pile.pop()
            hands[seat].append(taken)
            table.drawn = True
        else:
            return event, False
        table.at += 1
        if not table.drawn and not (table.calm and unseen):
            return event, True
    return None, False


def play_none(table: Table[WidowRules], left: Iterator[Event]) -> Stop:  # noqa: ARG001 - as the one above
    """Stop at the next event: in the widow form each is put to its requirements."""
    return next(left, None), False


ORDINARY: dict[type[RuleSet], PlayOrdinary] = {StockRules: play_ordinary, WidowRules: play_none}
