"""What three cards are worth, over every hand that can be dealt."""

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from engine.valuation import makes_31, worth
from schemas.cards import SUITS, Card, in_order, pack
from schemas.rules import StockRules, WidowRules

HANDS = tuple(combinations(in_order(pack(0)), 3))
HANDS_WITH_JOKERS = tuple(hand for hand in combinations(in_order(pack(2)), 3) if hand[-1].is_joker)
PLAIN = StockRules()
POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, **{str(pip): pip for pip in range(2, 10)}}


@cache
def values() -> dict[tuple[Card, ...], float]:
    """Return the points of every hand without jokers, by the plain rules."""
    return {hand: worth(hand, PLAIN).half_points / 2 for hand in HANDS}


@pytest.mark.parametrize(("points", "hands"), [(31, 24), (30, 32)])
def test_how_many_hands_are_worth(points, hands):
    assert len(values()) == 22_100
    assert Counter(values().values())[points] == hands


def test_how_many_hands_are_of_one_suit_and_of_one_rank():
    assert sum(len({card.rank for card in hand}) == 1 for hand in HANDS) == 52
    assert Counter(len({card.suit for card in hand}) for hand in HANDS) == {1: 1_144, 2: 12_168, 3: 8_788}


def test_no_hand_is_worth_less_than_2_or_more_than_31():
    assert min(values().values()) == 2
    assert max(values().values()) == 31
    assert {hand for hand, points in values().items() if points == 2} == set(twos())


def test_the_value_is_the_best_suit_total():
    for hand, points in values().items():
        totals = [sum(POINTS[card.rank] for card in hand if card.suit == suit) for suit in SUITS]
        assert points == max(totals)


def test_from_22_on_it_takes_three_cards_of_a_suit():
    assert all(len({card.suit for card in hand}) == 1 for hand, points in values().items() if points > 21)


def test_the_cards_counted_are_the_first_suit_that_makes_the_value():
    for hand in HANDS:
        counted = worth(hand, PLAIN)
        suits = {card.suit for card in counted.counted}
        named = suits.pop()
        assert not suits
        assert counted.counted == tuple(card for card in in_order(hand) if card.suit == named)
        earlier = [card for card in hand if SUITS.index(card.suit) < SUITS.index(named)]
        assert all(total(earlier, suit) < total(counted.counted, named) for suit in SUITS)


@pytest.mark.parametrize(("answer", "half_points"), [("none", None), ("30", 60), ("30.5", 61)])
@pytest.mark.parametrize("form", [StockRules, WidowRules])
def test_three_of_a_kind(form, answer, half_points):
    rules = form(three_of_a_kind=answer)
    for hand in HANDS:
        counted = worth(hand, rules)
        if len({card.rank for card in hand}) == 1 and half_points:
            assert (counted.half_points, counted.counts_as) == (half_points, "three_of_a_kind")
            assert counted.counted == in_order(hand)
        else:
            assert (counted.half_points, counted.counts_as) == (2 * values()[hand], "suit")


def test_jokers_count_11_or_0_in_the_first_suit_that_makes_most_of_them_without_passing_31():
    rules = StockRules(jokers=2, three_of_a_kind="30.5")
    for hand in HANDS_WITH_JOKERS:
        jokers = [card for card in hand if card.is_joker]
        ways = [
            (total(hand, suit) + 11 * joining, -place, joining)
            for place, suit in enumerate(SUITS)
            for joining in range(len(jokers) + 1)
        ]
        points, place, joining = max(way for way in ways if way[0] <= 31)
        counted = worth(hand, rules)
        assert (counted.half_points, counted.counts_as) == (2 * points, "suit")
        of_suit = [card for card in in_order(hand) if card.suit == SUITS[-place]]
        assert counted.counted == (*of_suit, *jokers[:joining])


def test_a_31_that_can_be_shown_is_a_hand_worth_31():
    jokers = StockRules(jokers=2)
    for hand in (*HANDS, *HANDS_WITH_JOKERS):
        assert makes_31(hand) == (worth(hand, jokers).half_points == 62)


def test_four_cards_never_make_31():
    kept = in_order(Card(text) for text in ("As", "Ts", "8s", "2s"))
    assert sum(POINTS[card.rank] for card in kept) == 31
    assert not makes_31(kept)


def total(cards: tuple[Card, ...], suit: str) -> int:
    """Return what the cards of a suit add up to; jokers have none."""
    return sum(POINTS[card.rank] for card in cards if card.suit == suit)


def twos() -> list[tuple[Card, ...]]:
    """Return the hands of three twos."""
    return [hand for hand in HANDS if {card.rank for card in hand} == {"2"}]
