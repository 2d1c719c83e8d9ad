"""Streams: answers that are sent line by line, as newline-delimited JSON, so that their length does not matter.

A stream is another way to ask an operation, chosen by the media type. It is declared with the route, and the function
that makes its lines is an ordinary one, which is run in a thread.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from litestar.types import HTTPScope, Receive, Send
from msgspec import Struct

from api.arriving import headers_by_name, stream
from api.compression import coding_for
from api.media import LINES
from api.operations import Call
from api.problems import fault_of
from api.tracing import add_to_log


class Part(Struct):
    """Some lines of an answer."""

    content: bytes
    """Whole lines, with their ends."""
    counts: Mapping[str, int]
    """What there is of what in these lines; the request's log line has the sums."""


class Stream(Struct, frozen=True, kw_only=True):
    """How an operation is asked line by line."""

    line: Any
    """The type of each line of the answer."""
    takes: Any = None
    """The type of each line of the request; None if it has no body."""

    async def answer(self, call: Call[None], outgoing: "Outgoing", receive: Receive) -> None:
        """Answer a request. What fails before the first line is raised, and anything after that is answered."""
        raise NotImplementedError


class Pages(Stream, frozen=True, kw_only=True):
    """A question to which the answer is a selection of any length."""

    respond: Callable[[Call[None]], Iterator[Part]]
    """Yields the answer, each part when the client has taken the one before it."""

    async def answer(self, call: Call[None], outgoing: "Outgoing", receive: Receive) -> None:
        """Answer part by part, for as long as the client is there."""
        parts = self.respond(call)
        part = await asyncio.to_thread(next, parts, None)
        watching = asyncio.create_task(outgoing.watch(receive))
        try:
            while part is not None and outgoing.is_wanted:
                outgoing.counts.update(part.counts)
                await outgoing.send(part.content)
                part = await self._next(parts)
        finally:
            watching.cancel()
        await outgoing.end()

    async def _next(self, parts: Iterator[Part]) -> Part | None:
        """Return the next part; a problem, which the others end with, if there is no way to go on."""
        try:
            return await asyncio.to_thread(next, parts, None)
        except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
            return Part(LINES.encode({"problem": fault_of(exception).problem()}), {"problems": 1})


class Outgoing:
    """A response of many lines, begun with the first."""

    def __init__(self, scope: HTTPScope, send: Send) -> None:
        """Remember where to send it; nothing is sent yet."""
        self.scope = scope
        self._send = send
        self._coding = coding_for(headers_by_name(scope).get(b"accept-encoding", b""))
        self._compression = self._coding and self._coding.begin()
        stream(scope)
        self.begun = False
        self.is_wanted = scope["method"] != "HEAD"
        """Whether there is a use in sending lines."""
        self._is_gone = False
        self.counts: Counter[str] = Counter()
        """What there is of what in the answer, for the request's log line."""

    async def send(self, content: bytes) -> None:
        """Send lines, once the client has room for them."""
        await self._begin()
        if self._compression:
            content = self._compression.part(content)
        await self._pass_on({"type": "http.response.body", "body": content, "more_body": True})

    async def end(self) -> None:
        """Say that it was all, unless the client has gone away before that."""
        add_to_log(self.scope, {**self.counts, "gone": True} if self._is_gone else self.counts)
        await self._begin()
        rest = self._compression.last() if self._compression and self.is_wanted else b""
        await self._pass_on({"type": "http.response.body", "body": rest, "more_body": False})

    async def watch(self, receive: Receive) -> None:
        """Wait until the client goes away, so that nothing more is done for it."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.lose()

    def lose(self) -> None:
        """Take note that the client has gone away."""
        self._is_gone = True
        self.is_wanted = False

    async def _begin(self) -> None:
        if self.begun:
            return
        self.begun = True
        headers = [
            (b"content-type", LINES.media_type.encode()),
            (b"vary", b"Accept, Accept-Encoding"),
            (b"cache-control", b"no-cache"),
        ]
        if self._coding:
            headers.append((b"content-encoding", self._coding.name.encode()))
        await self._pass_on({"type": "http.response.start", "status": 200, "headers": headers})

    async def _pass_on(self, message: Any) -> None:  # noqa: ANN401 - a message of ASGI
        try:
            await self._send(message)
        except OSError:  # how a server says that the client has gone away
            self.lose()
        stream(self.scope)
