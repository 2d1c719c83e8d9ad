"""Lines: bytes that come in pieces, cut at the ends of lines, so that no more than one line is ever held."""

from collections.abc import Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """One line that is not blank."""

    number: int
    """Its place among all lines, blank ones included, counted from 1."""
    content: bytes | None
    """What it holds, without its end; None if that is too long to be read."""


class LineCutter:
    """Cuts lines out of pieces of bytes. Blank lines are left out, and so is what a line has beyond the limit."""

    def __init__(self, limit: int) -> None:
        """Remember how many bytes a line may have, its end not counted."""
        self._limit = limit
        self._number = 0
        self._begun = bytearray()
        """What there is of the line whose end has not come yet."""
        self._too_long = False

    def cut(self, piece: bytes) -> Iterator[Line]:
        """Yield the lines that end in this piece; all of them have to be taken before the next piece."""
        begin = 0
        while (end := piece.find(b"\n", begin)) >= 0:
            self._add(piece, begin, end)
            yield from self._end_line()
            begin = end + 1
        self._add(piece, begin, len(piece))

    def rest(self) -> Iterator[Line]:
        """Yield what stands after the last end of a line, once nothing more comes."""
        yield from self._end_line()

    def _add(self, piece: bytes, begin: int, end: int) -> None:
        if self._too_long:
            return
        if len(self._begun) + end - begin > self._limit:
            self._begun.clear()
            self._too_long = True
        else:
            self._begun += piece[begin:end]

    def _end_line(self) -> Iterator[Line]:
        self._number += 1
        if self._too_long:
            yield Line(self._number, None)
        elif self._begun and not self._begun.isspace():
            yield Line(self._number, bytes(self._begun))
        self._begun.clear()
        self._too_long = False
