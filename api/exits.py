"""Exits: a connection's transport as one who answers a request sees it.

They lean on how uvicorn writes an answer: its head in one piece, and then each part of its body in one, framed as a
chunk where no length is announced; what ends an answer ends its last piece.
"""

from asyncio import Transport
from collections.abc import Callable

_CONTINUE = b"HTTP/1.1 100 "
_CHUNKED = b"transfer-encoding: chunked\r\n"
_LINE_END = b"\r\n"


class Exit:
    """The way out of a connection.

    The head of an answer waits for its body, as ASGI has it, and goes in one piece with it: a piece costs the system
    more than all that is done here.
    """

    __slots__ = ("_head", "_is_head", "_leave", "_transport", "is_closing")

    def __init__(self, transport: Transport, leave: Callable[[], None]) -> None:
        """Remember what to write to, and what to do at the end: to close may have to wait for the client."""
        self._transport = transport
        self._leave = leave
        self._head = b""
        """What waits for the first part of the body."""
        self._is_head = True
        """Whether a head is written next."""
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        """Send a piece of an answer; nothing if the connection is gone, as it may be while earlier answers are due."""
        if self.is_closing():
            return
        if self._head:
            self._transport.writelines((self._head, data))
            self._head = b""
        elif self._is_head and not data.startswith(_CONTINUE):
            self._head = data
            self._is_head = False
        else:
            self._transport.write(data)

    def end(self) -> None:
        """Send what waits still, since this is all of the answer."""
        if self._head and not self.is_closing():
            self._transport.write(self._head)
        self._head = b""
        self._is_head = True

    def close(self) -> None:
        """Leave, once all has been sent that was written."""
        self.end()
        self._leave()


class ExitWithoutChunks(Exit):
    """The way out to a client of HTTP/1.0, which knows no chunks (RFC 9112, 6.1): the end of the connection ends all.

    It is for one answer.
    """

    __slots__ = ("_has_chunks",)

    def __init__(self, transport: Transport, leave: Callable[[], None]) -> None:
        """Remember what to write to, and what to do at the end."""
        super().__init__(transport, leave)
        self._has_chunks = False

    def write(self, data: bytes) -> None:
        """Send a piece of an answer, without the framing of its chunks."""
        if self._is_head:
            self._has_chunks = _CHUNKED in data
            data = data.replace(_CHUNKED, b"", 1)
        elif self._has_chunks:
            data = _unframed(data)
        super().write(data)


def _unframed(piece: bytes) -> bytes:
    """Return what is in the chunk that a piece begins with; nothing if that is the last one, which is empty."""
    size, _, rest = piece.partition(_LINE_END)
    return rest[: int(size, 16)] if size else b""
