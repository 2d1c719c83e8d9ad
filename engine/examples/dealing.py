"""Dealing on purpose: every hand of three cards without jokers, by its shape and what its best suit counts."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

from engine.valuation import is_triple
from schemas.cards import HAND_SIZE, Card, in_order, pack

Shape = Literal["one_suit", "two_suits", "three_suits", "triple"]
"""How many suits a hand has; three of a kind apart from other hands of three suits."""

MIXED: tuple[Shape, ...] = ("two_suits", "two_suits", "one_suit", "three_suits")
"""Shapes as they come, a hand of two suits being the most frequent."""


class Wish(NamedTuple):
    """What a dealt hand shall be worth by its best suit, in points, and its shape."""

    least: int
    greatest: int
    shapes: tuple[Shape, ...] = MIXED

    def fits(self, hand: Sequence[Card]) -> bool:
        """Return whether a hand is of this kind."""
        shape, points = _kind(hand)
        return shape in self.shapes and self.least <= points <= self.greatest


ANY = Wish(9, 19)
"""A hand as it is dealt most often: nothing to knock with yet, and nothing to be ashamed of."""
THIRTY_ONE = Wish(31, 31, ("one_suit",))


def dealt(points: int, shape: Shape) -> Sequence[tuple[Card, ...]]:
    """Return every hand of a shape whose best suit counts so many points; none may be of that kind."""
    return _hands().get((shape, points), ())


@cache
def _hands() -> dict[tuple[Shape, int], list[tuple[Card, ...]]]:
    """Return the 22,100 hands, by shape and points."""
    found: dict[tuple[Shape, int], list[tuple[Card, ...]]] = {}
    for hand in combinations(in_order(pack(0)), HAND_SIZE):
        found.setdefault(_kind(hand), []).append(hand)
    return found


def _kind(hand: Sequence[Card]) -> tuple[Shape, int]:
    """Return the shape of a hand, and what its best suit counts."""
    totals: dict[str, int] = {}
    for card in hand:
        totals[card.suit] = totals.get(card.suit, 0) + card.points
    shape: Shape = "one_suit" if len(totals) == 1 else "two_suits"
    if len(totals) == HAND_SIZE:
        shape = "triple" if is_triple(hand) else "three_suits"
    return shape, max(totals.values())
