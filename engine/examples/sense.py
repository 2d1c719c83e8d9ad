"""Sense: how a player plays who keeps good cards and discards bad ones."""

from collections.abc import Sequence
from itertools import combinations

from engine.valuation import worth
from schemas.cards import Card
from schemas.rules import RuleSet

Discard = tuple[int, Card]
"""What a hand is worth after a discard, in half points, and the card."""


def best_discard(hand: Sequence[Card], rules: RuleSet, *, kept: Card | None = None) -> Discard:
    """Return the discard from four cards that leaves the best hand, but never the card that has to be kept.

    Of discards that leave hands of equal worth it is the card drawn last.
    """
    best = (-1, 0)
    card = hand[-1]
    for place, given in enumerate(hand):
        if given is not kept:
            left = worth([held for held in hand if held is not given], rules).half_points
            if (left, place) > best:
                best, card = (left, place), given
    return best[0], card


def improves(hand: Sequence[Card], card: Card, rules: RuleSet) -> bool:
    """Return whether a card from the discard pile makes a hand of three worth more."""
    return best_discard([*hand, card], rules, kept=card)[0] > worth(hand, rules).half_points


Exchanged = tuple[int, tuple[Card, ...], tuple[Card, ...]]
"""What a hand is worth after an exchange, in half points, the cards given, and those taken."""


def best_exchange(hand: Sequence[Card], widow: Sequence[Card], most: int, rules: RuleSet) -> Exchanged:
    """Return the exchange of up to so many cards that leaves the best hand, with as few cards as that takes."""
    best: Exchanged = (-1, (), ())
    for count in range(1, most + 1):
        for given in combinations(hand, count):
            kept = [card for card in hand if card not in given]
            for taken in combinations(widow, count):
                left = worth([*kept, *taken], rules).half_points
                if left > best[0]:
                    best = (left, given, taken)
    return best
