"""Chance: choices that follow from a seed, the same on every machine and in every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


class Chance:
    """A supply of choices. Only `random()` is used of the generator: it alone is promised never to change."""

    def __init__(self, seed: str) -> None:
        """Begin a supply; the same seed always gives the same choices."""
        self._random = Random(seed).random  # noqa: S311 - it guards no secret, and has to be repeatable

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to the limit, without it."""
        return int(self._random() * limit)

    def between(self, least: int, greatest: int) -> int:
        """Return a whole number in a range, both ends included; the least where the range is empty."""
        return least + self.below(max(greatest - least, 0) + 1)

    def pick(self, things: Sequence[Thing]) -> Thing:
        """Return one of the things."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """Return the things in another order."""
        left = list(things)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left
