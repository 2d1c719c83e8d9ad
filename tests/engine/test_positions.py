"""Positions: a hand stands as its log up to there is judged, and what may come next is exactly what is legal."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.positions import position
from engine.presets import PRESET_BY_ID
from schemas.cards import Card, pack
from schemas.hand import (
    Deal,
    Declare,
    Discard,
    DrawStock,
    Exchange,
    HandLog,
    Knock,
    Player,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.rules import StockRules
from schemas.ruling import Refused, Settled, Unfinished
from tests.making.damage import any_event
from tests.strategies import damaged_logs, dice, examples, legal_logs, unfinished_logs

GOING_ON = unfinished_logs().filter(lambda question: isinstance(question.ruling(), Unfinished))
PAGAT, BICYCLE = PRESET_BY_ID["pagat"].rules, PRESET_BY_ID["bicycle"].rules


def cards(text):
    return tuple(map(Card, text.split()))


def log(*events, hands=("Ks 9s 2h", "7h 7d 5c"), dealer=2, **deal):
    deal = deal or {"upcard": Card("5h")}
    return HandLog((Player(3),) * len(hands), dealer, Deal(tuple(map(cards, hands)), **deal), events)


def all_cards(stands):
    """Every card that can be seen in a position."""
    return [*stands.pile, *stands.widow, *[card for seat in stands.ruling.seats for card in seat.cards]]


def test_a_hand_is_followed_event_by_event():
    hand = log(DrawStock(1, Card("Qs")), Discard(1, Card("2h")), TakeDiscard(2), Discard(2, Card("7d")), Knock(1))
    stands = [position(hand, PAGAT, number) for number in range(6)]
    assert [each.played for each in stands] == [0, 1, 2, 3, 4, 5]
    assert [each.stock for each in stands] == [45, 44, 44, 44, 44, 44]
    assert [each.pile for each in stands] == list(map(cards, ["5h", "5h", "5h 2h", "5h", "5h 7d", "5h 7d"]))
    assert [each.ruling.to_act for each in stands] == [1, 1, 2, 2, 1, 2]
    assert [each.knocker for each in stands] == [None] * 5 + [1]
    assert [seat.value for seat in stands[2].ruling.seats] == [29, 7]
    assert stands[1].ruling.seats[0].value is None


def test_what_may_come_first():
    moves = position(log(), PAGAT, 0).moves
    drawn = {move.card for move in moves if isinstance(move, DrawStock)}
    assert drawn == pack(0) - set(cards("Ks 9s 2h 7h 7d 5c 5h"))
    assert [move for move in moves if not isinstance(move, DrawStock)] == [TakeDiscard(1), Knock(1)]


def test_a_known_stock_tells_its_cards_by_itself():
    rest = sorted(pack(0) - set(cards("Ks 9s 2h 7h 7d 5c 5h")))
    moves = position(log(upcard=Card("5h"), stock=tuple(rest)), PAGAT, 0).moves
    assert moves == (DrawStock(1), TakeDiscard(1), Knock(1))


def test_a_taken_discard_cannot_go_straight_back():
    moves = position(log(TakeDiscard(1)), PAGAT, 1).moves
    assert moves == tuple(Discard(1, card) for card in cards("Ks 9s 2h"))
    assert (
        Discard(1, Card("5h")) in position(log(TakeDiscard(1)), replace(PAGAT, return_taken_discard="allowed"), 1).moves
    )


@pytest.mark.parametrize(("exchange", "number"), [("one", 9), ("any", 19)])
def test_exchanges_with_the_widow(exchange, number):
    hand = log(widow=cards("Th 9h 8h"))
    moves = position(hand, replace(BICYCLE, exchange=exchange), 0).moves
    exchanges = [move for move in moves if isinstance(move, Exchange)]
    assert len(set(exchanges)) == number
    assert position(hand, BICYCLE, 0).stock == 0


def test_beyond_the_end_nothing_happens():
    hand = log(Knock(1), Stand(1), Knock(2))
    assert position(hand, PAGAT, 2) == position(hand, PAGAT, 3)
    refused = position(hand, PAGAT, 3)
    assert (refused.played, refused.ruling.at, refused.moves) == (1, 1, ())


def test_a_31_that_may_still_be_shown_is_all_that_may_come_after_the_end():
    hand = log(Knock(1), DrawStock(2, Card("Ah")), Discard(2, Card("5c")), hands=("Ks 9s 2h", "Kh Th 5c"))
    ended = position(hand, PAGAT, 3)
    assert isinstance(ended.ruling, Settled)
    assert ended.moves == (Declare(2),)
    shown = position(replace(hand, events=(*hand.events, Declare(2))), PAGAT, 4)
    assert (shown.played, shown.ruling.ended_by, shown.moves) == (4, "thirty_one", ())


@given(st.one_of(legal_logs(), damaged_logs()), st.data())
def test_a_position_is_what_judging_the_log_up_to_there_says(question, data):
    hand, rules = question.hand, question.rules
    number = data.draw(st.integers(0, len(hand.events)))
    so_far = replace(hand, events=hand.events[:number])
    ruling = adjudicate(so_far, rules, None)
    if isinstance(ruling, Refused) and ruling.at is None:
        return
    stands = position(hand, rules, number)
    assert stands.ruling == ruling
    assert stands.played <= number
    seen = Counter(all_cards(stands))
    assert max(seen.values()) == 1
    if isinstance(rules, StockRules):
        assert len(seen) + stands.stock == len(pack(rules.jokers))


@given(GOING_ON)
def test_the_moves_are_of_the_types_that_the_ruling_tells(question):
    stands = position(question.hand, question.rules, len(question.hand.events))
    assert tuple(dict.fromkeys(move.__struct_config__.tag for move in stands.moves)) == stands.ruling.may


@given(GOING_ON, st.data())
def test_every_move_is_legal(question, data):
    hand, rules = question.hand, question.rules
    moves = position(hand, rules, len(hand.events)).moves
    move = data.draw(st.sampled_from(moves))
    after = adjudicate(replace(hand, events=(*hand.events, move)), rules)
    assert isinstance(after, Unfinished | Settled)


def plain(event, moves):
    """An event as the moves have it, if it says the same as one of them."""
    if isinstance(event, TakeDiscard) or (isinstance(event, DrawStock) and DrawStock(event.seat) in moves):
        return replace(event, card=UNSET)
    if isinstance(event, Exchange):
        return Exchange(event.seat, tuple(sorted(event.give)), tuple(sorted(event.take)))
    return Reshuffle() if isinstance(event, Reshuffle) else event


@examples(3)
@given(GOING_ON, dice(40))
def test_whatever_is_no_move_is_refused(question, rolls):
    hand, rules = question.hand, question.rules
    moves = position(hand, rules, len(hand.events)).moves
    known = {plain(move, moves) for move in moves}
    event = any_event(rolls, len(hand.players))
    after = adjudicate(replace(hand, events=(*hand.events, event)), rules)
    if plain(event, moves) not in known:
        assert isinstance(after, Refused)


def test_nothing_of_the_record_is_changed():
    hand = log(DrawStock(1, Card("Qs")), Discard(1, Card("2h")))
    before = repr(hand)
    position(hand, PAGAT, 2)
    assert repr(hand) == before
    assert position(hand, PAGAT, 1) == position(hand, PAGAT, 1)
