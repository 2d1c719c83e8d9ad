"""The spool: bytes on their way to a client who does not read them yet.

A client may send all that it has before it reads a byte. Were its answers not put aside, each side would wait for the
other for ever.
"""

import asyncio
from collections import deque
from tempfile import TemporaryFile
from typing import IO

IN_MEMORY = 1_000_000
"""Bytes that wait in memory; what is more waits in a file."""
AT_ONCE = 64 * 1024
"""Bytes that are read back at once."""
MOST = 4_000_000_000
"""Bytes that wait in the file, at the most."""


class FullSpoolError(Exception):
    """More waits for the client than is put aside for it."""


class Spool:
    """A queue of bytes with one writer and one reader, which takes little memory however long it is."""

    def __init__(self, most: int = MOST) -> None:
        """Begin empty and in memory; the file is made when it is needed, and has no name."""
        self._most = most
        self._memory: deque[bytes] = deque()
        self._held = 0
        self._file: IO[bytes] | None = None
        self._written = 0
        self._read = 0
        self._using_file = asyncio.Lock()
        self._changed = asyncio.Event()
        self._ended = False

    async def put(self, content: bytes) -> None:
        """Add bytes at the end; raise FullSpoolError if there are too many, OSError if they cannot be put aside."""
        if self._read < self._written or (self._memory and self._held + len(content) > IN_MEMORY):
            if self._written + len(content) > self._most:
                raise FullSpoolError
            async with self._using_file:
                await asyncio.to_thread(self._write_to_file, content)
        elif content:
            self._memory.append(content)
            self._held += len(content)
        self._changed.set()

    def end(self) -> None:
        """Say that nothing more is added."""
        self._ended = True
        self._changed.set()

    async def take(self) -> bytes:
        """Return the next bytes, once there are any; nothing at the end."""
        while True:
            if self._memory:
                content = self._memory.popleft()
                self._held -= len(content)
                return content
            if self._read < self._written:
                async with self._using_file:
                    return await asyncio.to_thread(self._read_from_file)
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()

    async def close(self) -> None:
        """Let go of the file."""
        async with self._using_file:
            if self._file is not None:
                self._file.close()

    def _write_to_file(self, content: bytes) -> None:
        if self._file is None:
            self._file = TemporaryFile(prefix="thirtyone-")  # noqa: SIM115 - it is closed with the spool
        self._file.seek(self._written)
        self._file.write(content)
        self._written += len(content)

    def _read_from_file(self) -> bytes:
        if self._file is None:  # nothing was written
            return b""
        self._file.seek(self._read)
        content = self._file.read(AT_ONCE)
        self._read += len(content)
        if self._read == self._written:  # what has been read takes no more room on the disk
            self._file.truncate(0)
            self._read = self._written = 0
        return content
