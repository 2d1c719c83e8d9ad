"""What is not understood, and where: sentences on standard error with a caret under the place."""

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from typing import IO, Any, Literal, NamedTuple, TextIO, cast

import click
from rich.cells import cell_len

from api.cli.printing import fitting
from api.cli.saying import put, warn

NOT_UNDERSTOOD = 2
"""The status of a command that was called, or given input, in a way that is not understood."""
_BEFORE = 40
"""Columns that are shown of a long line before the place."""
_SHOWN = 76
"""Columns of a line that are shown, at the most."""
_MOST = 10
"""Places that are shown of one input, at the most."""


class Trouble(NamedTuple):
    """Something that is not understood."""

    says: str
    """What is wrong, in sentences."""
    where: str = ""
    """The name of the input; nothing if it was given on the command line."""
    line: int | None = None
    """From 1; None if it is about the input as a whole."""
    column: int = 1
    """In characters, from 1."""
    length: int = 0
    """In characters; 0 where something is missing."""
    source: str = ""
    """The line itself."""
    pointer: str | None = None
    """JSON Pointer to the place, where that is a value in JSON."""

    def __str__(self) -> str:
        """Return where it is, and what."""
        if self.line is None:
            return f"{self.where}: {self.says}" if self.where else self.says
        place = f"{self.where}, line {self.line}, column {self.column}"
        return f"{place}: {self.says}" if self.where else self.says

    def pointed(self, stream: TextIO) -> tuple[str, ...]:
        """Return the line and, under it, carets at the place, cut to what fits; nothing for an empty line.

        They stand under the place as the stream has it, where what its encoding lacks may be longer, or shorter.
        """
        if not self.source.strip():
            return ()
        at = min(self.column - 1, len(self.source))
        begin = max(0, at - _BEFORE) if cell_len(self.source) > _SHOWN else 0
        before, there = (fitting(part, stream) for part in (self.source[begin:at], self.source[at : at + self.length]))
        rest = fitting(self.source[at + self.length :], stream)
        lead = fitting("…", stream) if begin else ""
        room = _SHOWN - cell_len(lead + before)
        line = fitting(_cut(there + rest, room), stream)
        carets = max(1, min(cell_len(there), cell_len(line)))
        return f"  {lead}{before}{line}", f"  {' ' * cell_len(lead + before)}{'^' * carets}"


Kind = Literal["invalid", "not-decodable", "too-large", "incompatible-answers"]
"""A kind of problem of the API, by its slug."""


class NotUnderstoodError(click.UsageError):
    """Input, or an option, that is not understood; it ends a command with status 2."""

    def __init__(self, *troubles: Trouble, kind: Kind = "invalid") -> None:
        """Remember every trouble, the first one first."""
        super().__init__(str(troubles[0]))
        self.troubles = troubles
        self.kind = kind

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - click's own signature
        """Tell of the troubles on standard error."""
        tell_troubles(self.troubles)


def tell_troubles(troubles: tuple[Trouble, ...]) -> None:
    """Tell of troubles on standard error, each with its place."""
    for trouble in troubles[:_MOST]:
        stream = cast("TextIO", sys.stderr)
        warn(fitting(str(trouble), stream))
        for line in trouble.pointed(stream):
            put(line)
    if len(troubles) > _MOST:
        warn(f"And {len(troubles) - _MOST} more.")


def in_argument(says: str, option: str, value: str, at: int = 0, length: int | None = None) -> Trouble:
    """Return a trouble with a value on the command line; `option` is what stands before it, if anything does."""
    before = f"{option} " if option else ""
    column = len(before) + at + 1
    return Trouble(says, "", 1, column, len(value) - at if length is None else length, before + value)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a sentence with the words that are nearest to one that is not known; with all of them if none is near."""
    words = list(known)
    near = get_close_matches(word, words, 3, 0.6)
    if near:
        return f"Did you mean {' or '.join(f'`{each}`' for each in near)}?"
    return f"There are: {', '.join(words)}."


def _cut(text: str, room: int) -> str:
    """Return as much of a text as there is room for, with an ellipsis if that is not all."""
    if cell_len(text) <= room:
        return text
    while text and cell_len(text) >= room:
        text = text[: max(0, min(len(text) - 1, room - 1))]
    return f"{text}…"
