"""What may happen next: the events that are legal now, or only the types that they are of."""

from collections.abc import Iterator
from itertools import combinations

from engine.legality import broken
from engine.table import Table
from schemas.cards import in_order
from schemas.hand import Declare, Discard, DrawStock, Event, Exchange, Knock, Reshuffle, Stand, TakeDiscard
from schemas.rules import RuleSet
from schemas.ruling import EventType


def possible(table: Table[RuleSet]) -> tuple[EventType, ...]:
    """Return the types of event that are legal now, by asking the requirements about one or a few of each."""
    legal = [event for event in _candidates(table) if not broken(table, event)]
    return tuple(dict.fromkeys(event.__struct_config__.tag for event in legal))  # type: ignore[misc] # tags are these words


def legal(table: Table[RuleSet]) -> tuple[Event, ...]:
    """Return every event that is legal now, each in one form.

    A draw names its card where no stock is known that tells it, a taken discard does not, and a reshuffle gives no
    order.
    """
    return tuple([event for event in _every_event(table) if not broken(table, event)])


def _candidates(table: Table[RuleSet]) -> Iterator[Event]:
    """Yield events such that, if any event of a type is legal, one of those yielded is."""
    seat = table.to_act
    hand = table.hands[seat]
    unseen = table.stock[-1:] if table.stock is not None else in_order(table.unseen)[:1]
    yield from (DrawStock(seat, card) for card in unseen)
    yield TakeDiscard(seat)
    yield from (Discard(seat, card) for card in hand)
    yield Knock(seat)
    yield from (Declare(other) for other in table.seats)
    yield Stand(seat)
    yield Reshuffle()
    yield from (Exchange(seat, (hand[0],), (card,)) for card in table.widow[:1])


def _every_event(table: Table[RuleSet]) -> Iterator[Event]:
    """Yield all events of the player whose turn it is that could be legal, and a shown 31 for everyone."""
    seat = table.to_act
    hand = in_order(table.hands[seat])
    if table.stock is not None:
        yield DrawStock(seat)
    else:
        yield from (DrawStock(seat, card) for card in in_order(table.unseen))
    yield TakeDiscard(seat)
    yield from (Discard(seat, card) for card in hand)
    yield Knock(seat)
    yield from (Declare(other) for other in table.seats)
    yield Stand(seat)
    yield Reshuffle()
    for number in range(1, len(table.widow) + 1):
        for give in combinations(hand, number):
            yield from (Exchange(seat, give, take) for take in combinations(in_order(table.widow), number))
