"""Judging costs the same for every event, however long the log is; counted in bytecodes, not in time."""

from collections.abc import Iterator
from itertools import islice

import pytest

from engine.adjudicate import adjudicate
from schemas.cards import in_order, pack
from schemas.hand import Deal, Discard, DrawStock, Event, Exchange, HandLog, Player, Reshuffle, TakeDiscard
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Unfinished
from tests.bytecodes import counted

PLAYERS = 2
SHORT, LONG = 500, 2_000
CARDS = in_order(pack(0))[::-1]
HANDS = {1: CARDS[:3], 2: CARDS[3:6]}


def discard_pile() -> Iterator[Event]:
    """Yield the stock drawn and thrown back, and then the discard pile passing round without end."""
    for turn, card in enumerate(CARDS[7:]):
        yield from (DrawStock(seat_of(turn), card), Discard(seat_of(turn), card))
    hands, top = {seat: list(hand) for seat, hand in HANDS.items()}, CARDS[-1]
    for turn in range(len(CARDS[7:]), LONG):
        seat = seat_of(turn)
        hands[seat].append(top)
        top = hands[seat].pop(0)
        yield from (TakeDiscard(seat), Discard(seat, top))


def reshuffles() -> Iterator[Event]:
    """Yield the stock drawn and thrown back, and the discards reshuffled, over and over."""
    pile, stock, turn = [CARDS[6]], list(CARDS[7:]), 0
    while True:
        for card in stock:
            yield from (DrawStock(seat_of(turn), card), Discard(seat_of(turn), card))
            pile.append(card)
            turn += 1
        *stock, top = pile
        pile = [top]
        yield Reshuffle()


def exchanges() -> Iterator[Event]:
    """Yield one card after another going from hand to widow and from widow to hand."""
    hands, widow = {seat: list(hand) for seat, hand in HANDS.items()}, list(CARDS[6:9])
    for turn in range(LONG):
        hand = hands[seat_of(turn)]
        given, taken = hand.pop(0), widow.pop(0)
        hand.append(taken)
        widow.append(given)
        yield Exchange(seat_of(turn), (given,), (taken,))


def seat_of(turn: int) -> int:
    """Return whose turn it is, the dealer being the last seat."""
    return turn % PLAYERS + 1


KINDS = {
    "discard_pile": (discard_pile, StockRules(), Deal(tuple(HANDS.values()), upcard=CARDS[6])),
    "reshuffles": (
        reshuffles,
        StockRules(stock_exhausted="reshuffle"),
        Deal(tuple(HANDS.values()), upcard=CARDS[6]),
    ),
    "exchanges": (exchanges, WidowRules(), Deal(tuple(HANDS.values()), widow=CARDS[6:9])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_cost_is_linear_in_events(kind):
    events, rules, deal = KINDS[kind]
    logs = [HandLog((Player(3),) * PLAYERS, PLAYERS, deal, tuple(islice(events(), length))) for length in (SHORT, LONG)]
    short, long = (bytecodes(log, rules) / len(log.events) for log in logs)
    assert long <= 1.3 * short


def bytecodes(log: HandLog, rules: RuleSet) -> int:
    """Return how many bytecodes it takes to judge a log, which must be legal and go on."""
    count, ruling = counted(lambda: adjudicate(log, rules))
    assert isinstance(ruling, Unfinished), ruling
    return count
