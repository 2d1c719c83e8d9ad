"""How commands show things to people: tables and sentences, in colour on a terminal and plain everywhere else."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO, cast

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.cli.saying import printable
from schemas.cards import Card

WIDTH = 80
"""Columns of what no terminal shows."""
_LEAST_ROOM = 40
"""Columns that a text gets in a line behind a name, however long that is."""
_RED = re.compile(r"(?:\b(?:10|[2-9JQKA]))?[♥♦]")
_RULE_TEXT = re.compile("`[^`]*`")

_SPELLED = str.maketrans(
    {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "½": ".5", "→": "->", "…": "...", "’": "'", "—": "-", "–": "-"}  # noqa: RUF001 - the signs themselves
)


def fitting(text: str, stream: TextIO) -> str:
    """Return a text that may be written to a stream: what its encoding lacks is spelled out, or replaced."""
    text = printable(text)
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_SPELLED).encode(encoding, "replace").decode(encoding)
    return text


class Page:
    """Standard output, written for people from the top down."""

    def __init__(self) -> None:
        """Look whether a terminal shows it, and how wide that is."""
        self.stream = cast("TextIO", sys.stdout)
        self._is_plain = not self.stream.isatty() or bool(os.environ.get("NO_COLOR"))
        self._console = Console(
            file=self.stream,
            width=None if self.stream.isatty() else WIDTH,
            color_system=None if self._is_plain else "auto",
            markup=False,
            highlight=False,
            emoji=False,
        )
        self._console.width = self._console.width or WIDTH  # COLUMNS=0 says nothing, and nothing would be shown
        self.width = self._console.width

    def say(self, text: str, style: str = "", *, indent: int = 0) -> None:
        """Show a sentence, or a paragraph of them, in as many lines as it takes."""
        self._wrapped("", self.text(text, style), indent)

    def item(self, text: str, note: str = "") -> None:
        """Show an item of a list, and in parentheses what is to be noted of it."""
        line = self.text(text)
        if note:
            line.append(self.text(f" ({note})", "dim"))
        self._wrapped("- ", line, 0)

    def row(self, name: str, marked: tuple[str, str], text: str) -> None:
        """Show a name, a word in a style, and as much of a text as there is room for in the same line."""
        word, style = marked
        name, text = fitting(name, self.stream), fitting(text, self.stream)
        room = max(self.width - cell_len(name) - len(f": {word}: "), _LEAST_ROOM)
        if cell_len(text) > room:
            text = fitting(f"{set_cell_size(text, room - 1).rstrip()}…", self.stream)
        if self._is_plain:  # and there may be very many
            self.stream.write(f"{name}: {word}: {text}\n")
        else:
            self._put([self.text(f"{name}: ").append(self.text(word, style)).append(self.text(f": {text}"))])
        self.stream.flush()

    def line(self, text: Text) -> None:
        """Show a text as one line, however long it is."""
        self._put([text])

    def gap(self) -> None:
        """Leave a line empty."""
        self._put([Text()])

    def table(self, headings: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> None:
        """Show a table; columns in which no row says anything are left out. The last may take several lines."""
        cells = [[cell if isinstance(cell, Text) else self.text(cell) for cell in row] for row in rows]
        used = [column for column in range(len(headings)) if any(row[column].plain for row in cells)]
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in used:
            table.add_column(headings[column], overflow="fold")
        for row in cells:
            table.add_row(*[row[column] for column in used])
        with self._console.capture() as captured:
            self._console.print(table)
        self._write(captured.get())

    def text(self, text: str, style: str = "") -> Text:
        """Return a text to be shown, with suits in their colours and the names of options marked."""
        shown = Text(fitting(text, self.stream), style)
        shown.highlight_regex(_RED, "red")
        shown.highlight_regex(_RULE_TEXT, "cyan")
        return shown

    def cards(self, cards: Iterable[Card], counted: Iterable[Card] | None = None) -> Text:
        """Return cards to be shown, those that do not count less bright."""
        lit = None if counted is None else frozenset(counted)
        return Text(" ").join([self.text(each.sign, "dim" if lit and each not in lit else "") for each in cards])

    def _wrapped(self, first: str, text: Text, indent: int) -> None:
        margin = " " * (len(first) or indent)
        lines = text.wrap(self._console, max(self.width - len(margin), 1), overflow="fold")
        self._put([Text(margin if place or not first else first).append(line) for place, line in enumerate(lines)])

    def _put(self, lines: Sequence[Text]) -> None:
        with self._console.capture() as captured:
            for line in lines:
                self._console.print(line, soft_wrap=True)
        self._write(captured.get())

    def _write(self, content: str) -> None:
        """Write lines, without the blanks at their ends that only fill up the width."""
        for line in content.splitlines():
            self.stream.write(f"{line.rstrip()}\n")
