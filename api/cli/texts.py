"""Texts that were read, and how places in them are told: by line and column."""

import re
from bisect import bisect_right
from functools import cached_property

from api.cli.json_places import Places
from api.cli.pointing import NotUnderstoodError, Trouble

_END = re.compile(r"\r\n?|\n")
MARK = b"\xef\xbb\xbf"
"""What some editors begin a text with."""


class Source:
    """What a file holds, or one of its lines."""

    def __init__(self, name: str, content: bytes, first_line: int = 1) -> None:
        """Remember where it comes from; its own first line is that line of the file."""
        self.name = name
        self.content = content.removeprefix(MARK)
        self.first_line = first_line

    @cached_property
    def text(self) -> str:
        """Return it as a text; raise NotUnderstoodError if it is none."""
        try:
            return self.content.decode()
        except UnicodeDecodeError as error:
            at = len(self.content[: error.start].decode())
            readable = Source(self.name, self.content.decode(errors="replace").encode(), self.first_line)
            says = "This is not UTF-8, which a text has to be."
            raise NotUnderstoodError(readable.trouble(says, at, at + 1), kind="not-decodable") from None

    @cached_property
    def _lines(self) -> list[int]:
        """Return where each line begins."""
        return [0, *[found.end() for found in _END.finditer(self.text)]]

    @cached_property
    def _places(self) -> Places:
        return Places(self.text)

    def trouble(self, says: str, begin: int, end: int, pointer: str | None = None) -> Trouble:
        """Return what is wrong with its characters from one to before another, counted from 0.

        They are shown as far as they are on one line.
        """
        line = bisect_right(self._lines, begin)
        start = self._lines[line - 1]
        last = _END.search(self.text, begin)
        end_of_line = last.start() if last else len(self.text)
        length = max(0, min(end, end_of_line) - begin)
        source = self.text[start:end_of_line]
        return Trouble(says, self.name, self.first_line + line - 1, begin - start + 1, length, source, pointer)

    def trouble_begun(self, says: str) -> Trouble:
        """Return what is wrong with all of it."""
        return self.trouble(says, 0, 0)._replace(source="")

    def trouble_on(self, line: int, column: int, length: int, says: str) -> Trouble:
        """Return what is wrong with so many characters, from a column of a line on, both counted from 1."""
        begin = self._lines[line - 1] + column - 1
        return self.trouble(says, begin, begin + length)

    def trouble_at(self, says: str, pointer: str, *, of_key: bool = False) -> Trouble:
        """Return what is wrong with a value, or with its key, in a text that is JSON."""
        return self.trouble(says, *self._places.span_of(pointer, of_key=of_key), pointer)

    def written_at(self, pointer: str) -> str:
        """Return what stands at a place in a text that is JSON, with single blanks."""
        begin, end = self._places.span_of(pointer)
        return " ".join(self.text[begin:end].split())
