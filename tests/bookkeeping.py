"""What a log says by itself: the events judged, the hands they leave, and what might come next."""

from collections.abc import Iterable, Iterator
from itertools import pairwise, product

from hypothesis import assume
from msgspec import UNSET

from engine.table import Table
from schemas.cards import Card, in_order
from schemas.hand import (
    Declare,
    Discard,
    DrawStock,
    Event,
    Exchange,
    HandLog,
    Knock,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.ruling import Refused, Settled, Unfinished
from tests.making.referee import Referee
from tests.questions import Question


def tables_of(question: Question) -> Iterator[Table]:
    """Yield the one table of a legal log, as it is after the deal and after each judged event."""
    ruling = question.ruling()
    assume(not isinstance(ruling, Refused))
    referee = Referee(question.hand, question.rules)
    yield referee.table
    for event in judged_events(question.hand, ruling):
        referee.play(event)
        yield referee.table


def judged_events(log: HandLog, ruling: Settled | Unfinished) -> tuple[Event, ...]:
    """Return the events of a legal log up to the end of the hand."""
    if isinstance(ruling, Unfinished):
        return log.events
    return log.events[: 0 if ruling.ended_at is None else ruling.ended_at + 1]


def hands_left(log: HandLog, events: Iterable[Event]) -> list[tuple[Card, ...]]:
    """Return the hands after these events, by moving cards from place to place and by no rule at all."""
    hands = [set(hand) for hand in log.deal.hands]
    pile, stock = [log.deal.upcard], log.deal.stock
    for event in events:
        match event:
            case DrawStock(seat, card):
                hands[seat - 1].add(card if stock is UNSET else stock[0])
                stock = stock and stock[1:]
            case TakeDiscard(seat):
                hands[seat - 1].add(pile.pop())
            case Discard(seat, card):
                hands[seat - 1].remove(card)
                pile.append(card)
            case Reshuffle(order):
                pile, stock = pile[-1:], order
            case Exchange(seat, give, take):
                hands[seat - 1] = (hands[seat - 1] - set(give)) | set(take)
    return [in_order(hand) for hand in hands]


def events_to_try(question: Question, ruling: Unfinished) -> Iterator[Event]:
    """Yield every event one could think of; at a large table cards are tried for three of the players."""
    everyone = range(1, len(question.hand.players) + 1)
    seats = everyone if len(everyone) < 4 else {ruling.to_act, question.hand.dealer, everyone[-1]}
    cards = tuple(Card)
    for seat in everyone:
        yield from (Knock(seat), Stand(seat), Declare(seat))
    yield Reshuffle()
    for seat, card in product(seats, (UNSET, *cards)):
        yield from (DrawStock(seat, card), TakeDiscard(seat, card))
    for seat, card in product(seats, cards):
        yield Discard(seat, card)
        yield Exchange(seat, ruling.seats[seat - 1].cards[:1], (card,))
    for card, pair in product(ruling.seats[ruling.to_act - 1].cards, pairwise(cards)):
        yield Exchange(ruling.to_act, (card,), pair[:1])
        yield Exchange(ruling.to_act, ruling.seats[ruling.to_act - 1].cards[:2], pair)


def next_of(seats: tuple[int, ...], dealer: int | None) -> int | None:
    """Return the first of the seats clockwise from the dealer; None where no dealer is known."""
    if dealer is None:
        return None
    return min(seats, key=lambda seat: (seat - dealer - 1) % 16)


def dealer_of(question: Question) -> int | None:
    """Return the dealer of a hand, or None where the record leaves it out."""
    return None if question.hand.dealer is UNSET else question.hand.dealer
