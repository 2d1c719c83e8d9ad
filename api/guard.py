"""The guard: Uvicorn's protocol, which by itself waits for ever, with limits on what a connection may cost.

It leans on these internals of uvicorn 0.54, which pyproject.toml pins and the tests watch: the parser's callbacks,
`on_message_begin`, `on_url` and `on_header`; `parser`, `url`, `headers`, `scope`, `expect_100_continue`,
`flow.read_paused`, `tasks`, `connections` and `server_state.default_headers`. What lies between a request and its
answer is in `cycle`, what a connection may keep waiting in `patience`, and how it ends in `parting`.
"""

from asyncio import Transport
from collections import deque
from operator import itemgetter
from typing import Any, cast
from urllib.parse import unquote

import httptools

from api.arriving import CONNECTION
from api.cycle import ANSWERED, OLDER, Cycle
from api.parting import BODY, HEAD, IDLE, OVER
from api.patience import Patience
from api.problems import BAD_REQUEST, HEAD_TOO_LARGE, OVERLOADED, Fault
from api.traffic import Traffic

_NAME = itemgetter(0)
_MOMENT = 0.001
"""Seconds for the event loop to read what has come."""
_MOST_FRAMING = 64 * 1024
"""Bytes that may come in a body, or after it, without one that belongs to it."""
_MOST_FAREWELLS = 1024
"""Connections that are told, while they are turned away, why; those beyond are cut at once."""


class _Refused(Exception):  # noqa: N818 - it only stops the parser
    """Raised to the parser, which must not go on."""


class Guard(Patience):
    """A connection that is cut off when it brings too much or too little, and turned away when there are too many."""

    def __init__(self, traffic: Traffic, **given: Any) -> None:  # noqa: ANN401 - what Uvicorn gives a protocol
        super().__init__(traffic, **given)
        self._piece = 0
        """Bytes that came last."""
        self._first_piece = 0
        """Bytes that came with the beginning of the head."""
        self._under_way = 0
        self._current: Cycle = ANSWERED
        """The request that is being answered, or was last."""
        self._queue: deque[Cycle] = deque()
        """Those that wait for the answers to the ones before them."""

    # What Uvicorn and the parser call.

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as Uvicorn has it
        """Take a connection, or turn it away."""
        super().connection_made(transport)
        self._traffic.watch(self.loop, self.connections)  # type: ignore[arg-type] # they are all guards
        if self._traffic.is_ending:
            self.shutdown()  # those that were told did not include it, if it was taken just then
        more = len(self.connections) - self._limits.connections
        if more > 0:
            self._traffic.connections_turned_away += 1
        if more > _MOST_FAREWELLS:
            self.transport.abort()
        elif more > 0:
            self._say_farewell(Fault(OVERLOADED, "There are too many connections.", headers={"Retry-After": "5"}))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._traffic.under_way -= self._under_way
        self._under_way = 0
        self.connections.discard(self)
        self._current.lose()
        self._queue.clear()
        self.flow.resume_writing()
        if exc is None:
            self.transport.close()
        # Each of them leads back here, and garbage is rarely looked for.
        self._cycle = self._current = ANSWERED
        self.scope = cast("Any", {})
        self.parser = cast("Any", None)

    def data_received(self, data: bytes) -> None:
        """Pass on what came, unless nothing more is wanted."""
        if self._stage == OVER:
            self._ignore(data)
            return
        self._last = self.loop.time()
        self._piece = len(data)
        self._wire += self._piece
        try:
            self._parse(data)
        except httptools.HttpParserError as error:
            if not isinstance(error.__context__, _Refused):
                self._refuse(Fault(BAD_REQUEST, "This is not HTTP/1.1, or not all of it."))
            return
        if self._stage == HEAD and self._wire > self._limits.head_bytes:
            self._refuse_head()
        elif self._stage == BODY and self._wire > _MOST_FRAMING:
            self._refuse(Fault(BAD_REQUEST, "The body has far more framing than content."))

    def on_message_begin(self) -> None:
        """Begin a request."""
        if self._cycle.is_last or len(self._queue) >= self._limits.pipelined:
            self._end_after_answers()
            raise _Refused
        self._rests_since = None
        super().on_message_begin()
        self._stage, self._since, self._wire, self._first_piece = HEAD, self._last, 0, self._piece

    def on_headers_complete(self) -> None:
        """Have a request answered, or turn it away."""
        limits = self._limits
        may_be_long = self._first_piece + self._wire > limits.head_bytes
        if len(self.headers) > limits.headers or (may_be_long and self._has_long_head()):
            self._refuse_head()
            raise _Refused
        if self._has_upgrade():
            return
        version = self.parser.get_http_version()
        names = [*map(_NAME, self.headers)]
        if names.count(b"host") != 1 and version not in OLDER:
            self._refuse(Fault(BAD_REQUEST, "A request of HTTP/1.1 has one `Host` header."))
            raise _Refused
        if b"transfer-encoding" in names and self._has_strange_coding():
            self._refuse(Fault(BAD_REQUEST, "`chunked` is the only transfer coding."))
            raise _Refused
        self._stage, self._since, self._wire, self._body = BODY, self._last, 0, 0
        self._counted = (self._last, 0)
        traffic = self._traffic
        if (traffic.is_too_much or traffic.is_ending) and self._is_free() and self._shed():
            if self._stage == OVER:
                raise _Refused
            return
        self._complete_scope(version)
        is_last = traffic.is_ending or version in OLDER or not self.parser.should_keep_alive()
        before, self._cycle = self._cycle, Cycle(self, is_last=is_last)
        self.headers = []  # trailers are nobody's headers
        if before.is_complete:
            self._start(self._cycle)
        else:
            self.flow.pause_reading()
            self._queue.append(self._cycle)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body += len(body)
        self._wire = 0
        if not self._cycle.is_complete:
            self._cycle.bring(body)

    def on_message_complete(self) -> None:
        """Note that the client has done its part, and that what follows is the service's."""
        if self._stage == HEAD:  # it asks for another protocol, and is read once more
            return
        self._stage = IDLE
        if self._cycle.is_complete:
            self._rest()
            return
        if not self._is_stream:
            self._under_way += 1
            self._traffic.under_way += 1
        self._cycle.finish()

    def _answered(self, cycle: Cycle) -> None:
        """Note that the service has done its part; go on with the next request, or leave behind the last."""
        if self._under_way:
            self._under_way -= 1
            self._traffic.under_way -= 1
        self._is_stream = False
        if cycle.is_last:
            self._queue.clear()
            self._cycle = ANSWERED  # what came behind it never will be
        if self.transport.is_closing():
            return
        if cycle.is_last:
            self.leave()
            return
        self.flow.resume_reading()
        if self._stage == HEAD:  # the next request has begun already, but did not have to go on before
            self._since = self.loop.time()
        if self._queue:
            self._start(self._queue.popleft())
        elif self._stage in {IDLE, BODY}:
            self._rest()

    def shutdown(self) -> None:
        """Let what is under way come to its end, and then the connection."""
        if not self._is_free():
            self._cycle.is_last = True
        elif self._stage == OVER:
            self.transport.close()
        else:
            # A request may have been sent already that was not read yet.
            self.loop.call_later(self._limits.rest_seconds, self.loop.call_later, _MOMENT, self._close_if_free)

    # What the application calls.

    def stream(self) -> None:
        """Note that the request is a stream, and that it has just gone on."""
        super().stream()
        self._traffic.under_way -= self._under_way
        self._under_way = 0

    def _start(self, cycle: Cycle) -> None:
        self._current = cycle
        task = self.loop.create_task(cycle.run(self.app, self._answered))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def _complete_scope(self, version: str) -> None:
        """Say in the scope of a request what its first line says."""
        address = httptools.parse_url(self.url)
        path = address.path.decode("ascii")
        scope = self.scope
        scope["method"] = self.parser.get_method().decode("ascii")
        scope["http_version"] = version
        scope["path"] = unquote(path) if "%" in path else path
        scope["raw_path"] = address.path
        scope["query_string"] = address.query or b""
        scope[CONNECTION] = self  # type: ignore[literal-required] # a key of ours

    def _has_strange_coding(self) -> bool:
        """Return whether a body is coded in a way that nobody takes off; the parser takes off its chunks only."""
        return [value.lower() for name, value in self.headers if name == b"transfer-encoding"] != [b"chunked"]

    def _has_upgrade(self) -> bool:
        """Return whether a request asks for another protocol; CONNECT, which is another matter, does not."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _parse(self, data: bytes) -> None:
        """Have data parsed; a request for another protocol is read as any other, since there is none to change to.

        The parser takes what follows the head of such a request for that protocol's, so a new one goes on.
        """
        rest = memoryview(data)
        while True:
            try:
                self.parser.feed_data(rest)
            except httptools.HttpParserUpgrade as upgrade:
                rest = rest[upgrade.args[0] :]
                if self._has_upgrade():
                    head = self._head_without_upgrade()
                    self.parser = httptools.HttpRequestParser(self)
                    self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as Uvicorn has it
                    self.parser.feed_data(head)
            else:
                return

    def _head_without_upgrade(self) -> bytes:
        first = b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        lines = [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        return b"\r\n".join([first, *lines, b"", b""])

    def _has_long_head(self) -> bool:
        size = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        return size > self._limits.head_bytes

    def _refuse_head(self) -> None:
        self._refuse(Fault(HEAD_TOO_LARGE, "The headers are too many, or too long."))
