"""Cycles: what lies between a request and its answer, as uvicorn calls it; here an answer becomes bytes.

They take the place of uvicorn's own, which look at every header twice, send a head and its body in two pieces, and know
no clients without chunks.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.problems import PROBLEM_JSON, Fault, fault_of

OLDER = ("0.9", "1.0")
"""Versions of HTTP whose clients know no chunks (RFC 9112, 6.1): the end of the connection ends an answer."""
_BODILESS = (204, 304)
_LINE = b"%b: %b\r\n".__mod__
_LAST_CHUNK = b"0\r\n\r\n"
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

Header = tuple[bytes, bytes]


class Cycle:
    """A request as its body comes in, and its answer as it goes out.

    The head of an answer waits for the first part of its body, as ASGI has it, and goes in one piece with it: a piece
    costs the system more than all that is done here. Names of headers are in small letters, as ASGI has it, too.
    """

    is_complete = False
    """Whether all of the answer has been sent."""
    is_gone = False
    """Whether the client is gone."""
    _size = 0
    """Bytes of the body that have come and were not taken yet."""
    _is_whole = False
    _has_news = False
    """Whether anything has come of which the application was not told yet."""
    _news: asyncio.Event | None = None
    """What the application waits for, if it had to wait."""
    _head = b""
    """What waits for the first part of the answer's body."""
    _has_begun = False
    _has_chunks = False
    _left: int | None = None
    """Bytes of the answer's body that are still to come, if there is a length."""

    def __init__(self, protocol: HttpToolsProtocol, *, is_last: bool) -> None:
        """Begin with a request that has been read up to its body."""
        self._scope = protocol.scope
        self._transport = protocol.transport
        self._flow = protocol.flow
        self._default_headers = protocol.server_state.default_headers
        self._expects = protocol.expect_100_continue and self._scope["http_version"] not in OLDER
        self._parts: list[bytes] = []
        """What has come of the body and was not taken yet; one by one, since a body may come in any number of them."""
        self.is_last = is_last
        """Whether the connection is closed behind the answer."""

    # What the server calls.

    async def run(self, app: ASGI3Application, end: Callable[["Cycle"], None]) -> None:
        """Have the request answered; call `end` as soon as it is, or if it never will be and the client is there."""
        self._end = end
        try:
            await app(self._scope, self.receive, self.send)
        except Exception as exception:  # noqa: BLE001 - whatever it is, the client is told
            await self._fail(fault_of(exception))
        finally:
            if not (self.is_complete or self.is_gone):
                self.is_last = True  # nothing else tells the client that this is not the whole answer
                end(self)

    def bring(self, part: bytes) -> None:
        """Take a part of the body of the request, and no more for now if there is enough."""
        self._parts.append(part)
        self._size += len(part)
        if self._size > HIGH_WATER_LIMIT:
            self._flow.pause_reading()
        self.wake()

    def finish(self) -> None:
        """Note that all of the body has come."""
        self._is_whole = True
        self.wake()

    def lose(self) -> None:
        """Note that the client is gone."""
        self.is_gone = not self.is_complete
        self.wake()

    def wake(self) -> None:
        """Let the application look again at its request."""
        self._has_news = True
        if self._news is not None:
            self._news.set()

    # What the application calls.

    async def receive(self) -> Any:  # noqa: ANN401 - a message of ASGI
        """Return what has come of the body since the last time, or that nothing more is to be had."""
        if self._expects and not self._transport.is_closing():
            self._transport.write(_CONTINUE)
            self._expects = False
        if not (self.is_gone or self.is_complete):
            self._flow.resume_reading()
            if not self._has_news:
                await self._heard_of()
            self._has_news = False
        if self.is_gone or self.is_complete:
            return {"type": "http.disconnect"}
        part, self._parts, self._size = b"".join(self._parts), [], 0
        return {"type": "http.request", "body": part, "more_body": not self._is_whole}

    async def send(self, message: Any) -> None:  # noqa: ANN401 - a message of ASGI
        """Send a part of the answer; nothing if the client is gone. Raise RuntimeError for one that is out of place."""
        if self._flow.write_paused and not self.is_gone:
            await self._flow.drain()
        if self.is_gone:
            return
        kind = message["type"]
        if kind == "http.response.start" and not self._has_begun:
            self._head = self._head_of(message["status"], message["headers"])
            self._has_begun = True
            self._expects = False
        elif kind == "http.response.body" and self._has_begun and not self.is_complete:
            more = message.get("more_body", False)
            piece = self._head + self._framed(message.get("body", b""), more=more)
            self._head = b""
            if not self._transport.is_closing():  # it may be gone while earlier answers are due
                self._transport.write(piece)
            if not more:
                self.is_complete = True
                self.wake()
                self._end(self)
        else:
            raise RuntimeError(f"`{kind}` is out of place.")

    async def _heard_of(self) -> None:
        """Wait for news, with whoever else does."""
        if self._news is None:
            self._news = asyncio.Event()
        self._news.clear()
        await self._news.wait()

    def _head_of(self, status: int, given: Iterable[Header]) -> bytes:
        """Return the head of the answer, and note how its body will be framed."""
        headers = [*self._default_headers, *given]
        named = dict(headers)
        length = named.get(b"content-length")
        if length is not None:
            self._left = int(length)
        elif status in _BODILESS:
            self._left = 0
        elif self._scope["http_version"] not in OLDER and self._scope["method"] != "HEAD":
            self._has_chunks = True
            headers.append((b"transfer-encoding", b"chunked"))
        if b"connection" in named:
            self.is_last = self.is_last or b"close" in named[b"connection"].lower()
        elif self.is_last:
            headers.append((b"connection", b"close"))
        head = b"".join(map(_LINE, headers))
        if not head.count(b"\r") == head.count(b"\n") == len(headers):
            raise RuntimeError("A header has the end of a line in it.")
        return b"%b%b\r\n" % (STATUS_LINE[status], head)

    def _framed(self, body: bytes, *, more: bool) -> bytes:
        """Return a part of the body as it is sent; the last one may be empty."""
        if self._scope["method"] == "HEAD":
            return b""
        if self._left is not None:
            self._left -= len(body)
            if self._left < 0 or (self._left and not more):
                raise RuntimeError("The body is longer or shorter than announced.")
        elif self._has_chunks:
            chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            return chunk if more else chunk + _LAST_CHUNK
        return body

    async def _fail(self, fault: Fault) -> None:
        """Answer with a problem, unless a part of an answer has been sent already."""
        if self._has_begun and not self._head:
            return
        content = fault.content()
        headers = [
            (b"content-type", PROBLEM_JSON.encode()),
            (b"content-length", b"%d" % len(content)),
            (b"connection", b"close"),
        ]
        self._has_begun = False
        await self.send({"type": "http.response.start", "status": fault.kind.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": content})


class Answered(Cycle):
    """What stands for a cycle where there is none yet, or one that was turned away."""

    is_complete = True

    def __init__(self) -> None:
        """Take no request."""
        self.is_last = False


ANSWERED = Answered()
