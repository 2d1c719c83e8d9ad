"""The inbox: lines that have come and wait to be answered.

What waits is answered together. A line that comes alone is taken at once, so that whoever sends one and waits for its
answer gets it; lines that come faster than they can be answered are taken many at a time.
"""

import asyncio
from collections import deque
from collections.abc import Sequence

from api.problems import Fault
from replays.lines import Line

MOST_LINES = 500
"""Lines that are taken together, at the most."""
MOST_BYTES = 1_000_000
"""Bytes from which on no further line is taken with those before it."""


class Inbox:
    """A queue of lines with one writer, who waits while it is full, and one reader."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lines: deque[Line] = deque()
        self._size = 0
        self._ended = False
        self.fault: Fault | None = None
        """Why no more lines come, if not because it was all."""
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()

    async def put(self, line: Line) -> None:
        """Add a line, once there is room for it."""
        while len(self._lines) >= MOST_LINES or self._size >= MOST_BYTES:
            self._emptied.clear()
            await self._emptied.wait()
        self._lines.append(line)
        self._size += _size(line)
        self._filled.set()

    def empty(self) -> None:
        """Drop what waits."""
        self._lines.clear()
        self._size = 0

    def end(self, fault: Fault | None = None) -> None:
        """Say that no more lines come, and for what fault if there should have been more."""
        self.fault = fault
        self._ended = True
        self._filled.set()

    async def take(self) -> Sequence[Line]:
        """Return the lines that wait, once there are any; none at the end."""
        while not self._lines and not self._ended:
            self._filled.clear()
            await self._filled.wait()
        taken = list(self._lines)
        self.empty()
        self._emptied.set()
        return taken


def _size(line: Line) -> int:
    return len(line.content or b"")
