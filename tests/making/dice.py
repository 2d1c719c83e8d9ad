"""Choices read off a string of bytes."""

from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


class Dice:
    """A supply of choices: one byte each, and the first option of every choice once the bytes are used up.

    Hypothesis makes and shrinks all choices of a hand as a few byte strings, which costs a tenth of drawing
    each choice by itself. It shrinks towards zero bytes, so the plainest option of a choice stands first.
    """

    def __init__(self, rolls: bytes) -> None:
        self._rolls = iter(rolls)

    def below(self, limit: int) -> int:
        """Return a number from 0 to the limit, without it."""
        return next(self._rolls, 0) % limit

    def pick(self, options: Sequence[Thing]) -> Thing:
        """Return one of the options."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """Return True so many times in a hundred, and never for a zero byte."""
        return self.below(100) >= 100 - percent

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """Return the things in another order; zero bytes leave the order as it is."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in things]

    def some(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """Return so many of the things, none twice."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(count)]
