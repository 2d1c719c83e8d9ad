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

    - A draw of an unseen card at the start of the turn, from a stock of unknown order.
    - A take of the top discard, named or not, at the start of the turn.
    - A discard of a held card after either, and not of the one just taken.

    They are in one loop, and not a function each, since the calls would take a seventh of its time.
    """
    hands, pile, unseen, count = table.hands, table.pile, table.unseen, table.count
    seat = table.to_act
    for event in left:
        if table.drawn:
            if type(event) is not Discard or event.seat != seat or (card := event.card) is table.taken:
                return event, False
            hand = hands[seat]
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
            table.to_act = seat = seat % count + 1
            table.at += 1
            if not (table.calm and unseen):
                return event, True
            continue
        if type(event) is DrawStock and event.seat == seat and (drawn := event.card) in unseen and table.stock is None:
            unseen.remove(drawn)
        elif (
            type(event) is TakeDiscard
            and event.seat == seat
            and pile
            and (event.card is UNSET or event.card is pile[-1])
        ):
            table.taken = drawn = pile.pop()
        else:
            return event, False
        hands[seat].append(drawn)
        table.drawn = True
        table.at += 1
    return None, False


def play_none(table: Table[WidowRules], left: Iterator[Event]) -> Stop:  # noqa: ARG001 - as the one above
    """Stop at the next event: in the widow form each is put to its requirements."""
    return next(left, None), False


ORDINARY: dict[type[RuleSet], PlayOrdinary] = {StockRules: play_ordinary, WidowRules: play_none}
