"""Mistakes: the places of a text that are not understood."""

from bisect import bisect_right
from typing import NoReturn

from msgspec import Struct

from schemas.notation.scanning import NEW_LINE, Token

MOST = 50
"""Places that are told, at the most; reading ends with the last of them."""
_QUOTED = 40
"""Characters of the text itself that are quoted, at the most."""


class Mistake(Struct, frozen=True, order=True):
    """A place that is not understood; lines and columns count from 1, and columns and lengths count characters."""

    line: int
    column: int
    length: int
    says: str
    """What is wrong, as a sentence without its full stop."""
    example: str
    """What would be right."""

    def __str__(self) -> str:
        """Return the place, what is wrong, and what would be right."""
        return f"Line {self.line}, column {self.column}: {self.says}. For example: `{self.example}`."


class NotationError(ValueError):
    """A text that is no record of a hand, with all its `mistakes` in order."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        """Tell of each mistake in a line."""
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


class Mistakes:
    """The mistakes of a text, as they are found."""

    def __init__(self, text: str) -> None:
        """Begin without any."""
        self._lines = [0, *[found.end() for found in NEW_LINE.finditer(text)]]
        self._found: list[Mistake] = []

    def add(self, first: Token, says: str, example: str, last: Token | None = None) -> None:
        """Note that a token, or all from it to the `last`, is not understood; raise NotationError if it is enough."""
        self._add(first.at, (last or first).end - first.at, says, example)

    def missing(self, says: str, example: str) -> None:
        """Note what is said nowhere."""
        self._add(0, 0, says, example)

    def stop(self) -> NoReturn:
        """Raise NotationError with what was found."""
        raise NotationError(tuple(sorted(self._found)))

    def check(self) -> None:
        """Raise NotationError if anything was found."""
        if self._found:
            self.stop()

    def _add(self, at: int, length: int, says: str, example: str) -> None:
        line = bisect_right(self._lines, at)
        self._found.append(Mistake(line, at - self._lines[line - 1] + 1, length, says, example))
        if len(self._found) == MOST:
            self.stop()


def shown(text: str) -> str:
    """Return a part of the text to be quoted in a sentence, cut where it is long."""
    return f"`{text}`" if len(text) <= _QUOTED else f"`{text[:_QUOTED]}…`"
