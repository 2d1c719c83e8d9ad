"""The guard: Uvicorn's protocol, which by itself waits for ever, with limits on what a connection may cost.

It leans on these internals of uvicorn 0.54, which pyproject.toml pins and the tests watch: the parser's callbacks,
from `on_message_begin` to `on_message_complete`, and `on_response_complete`; `parser`, `url`, `headers`, `scope`,
`pipeline`, `flow.read_paused`, `timeout_keep_alive_task` and its handler; `cycle`, with `response_complete`,
`keep_alive` and `message_event`, after which `receive` returns an empty part; `connections` and
`server_state.default_headers`.
"""

import asyncio
from asyncio import Transport
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.arriving import BROKEN_OFF, CONNECTION
from api.backlog import Backlog
from api.problems import BAD_REQUEST, HEAD_TOO_LARGE, OVERLOADED, TOO_SLOW, Fault
from api.refusals import refusal
from api.tracing import incoming_ids, log_cut_off, new_request_id
from api.traffic import Traffic

_IDLE, _HEAD, _BODY, _OVER = range(4)
"""What is expected of a connection: a request, the rest of its head, the rest of its body, or nothing more."""
_FAREWELL = 2
"""Seconds for a client to read the last answer before its connection is cut."""
_MOMENT = 0.001
"""Seconds for the event loop to read what has come."""
_MOST_FRAMING = 64 * 1024
"""Bytes that may come in a body, or after it, without one that belongs to it."""
_MOST_IGNORED = 1_000_000
"""Bytes that are thrown away after the last answer: a close would overtake it as long as there are any."""
_MOST_FAREWELLS = 1024
"""Connections that are told, while they are turned away, why; those beyond are cut at once."""


class _Refused(Exception):  # noqa: N818 - it only stops the parser
    """Raised to the parser, which must not go on."""


class _Answered:
    """What stands for a request where there is none yet, or one that was turned away."""

    response_complete = True
    keep_alive = True
    disconnected = False
    message_event = asyncio.Event()


class Guard(HttpToolsProtocol):
    """A connection that is cut off when it brings too much or too little, and turned away when there are too many."""

    def __init__(self, traffic: Traffic, **given: Any) -> None:  # noqa: ANN401 - what Uvicorn gives a protocol
        super().__init__(**given)
        self._traffic = traffic
        self._limits = traffic.limits
        self.cycle = cast("Any", _Answered)
        self._stage = _IDLE
        self._since = self._last = self.loop.time()
        """When the stage began, and when anything came, or in a stream went."""
        self._wire = 0
        """Bytes since the stage began, or since the last of a body; those that came with its beginning left out."""
        self._piece = 0
        """Bytes that came last."""
        self._body = 0
        """Bytes of the body, without its framing."""
        self._counted = (0.0, 0)
        """From when on the rate of the body is counted, and how much of it there was then."""
        self._under_way = 0
        self._is_stream = False
        self._backlog = Backlog()

    # What Uvicorn and the parser call.

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as Uvicorn has it
        """Take a connection, or turn it away."""
        super().connection_made(transport)
        self._traffic.watch(self.loop, self.connections)  # type: ignore[arg-type] # they are all guards
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
        self.pipeline.clear()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        # Each of them leads back here, and garbage is rarely looked for.
        self.cycle = cast("Any", _Answered)
        self.scope = cast("Any", {})

    def data_received(self, data: bytes) -> None:
        """Pass on what came, unless nothing more is wanted."""
        if self._stage == _OVER:
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
        if self._stage == _HEAD and self._wire > self._limits.head_bytes:
            self._refuse_head()
        elif self._stage == _BODY and self._wire > _MOST_FRAMING:
            self._refuse(Fault(BAD_REQUEST, "The body has far more framing than content."))

    def on_message_begin(self) -> None:
        """Begin a request."""
        if len(self.pipeline) >= self._limits.pipelined:
            self._end_after_answers()
            raise _Refused
        self._unset_keepalive_if_required()
        super().on_message_begin()
        self._stage, self._since, self._wire = _HEAD, self._last, 0

    def on_headers_complete(self) -> None:
        """Have a request answered, or turn it away."""
        if len(self.headers) > self._limits.headers or self._has_long_head():
            self._refuse_head()
            raise _Refused
        if self._has_upgrade():
            return
        if [name for name, _ in self.headers].count(b"host") != 1 and self.parser.get_http_version() == "1.1":
            self._refuse(Fault(BAD_REQUEST, "A request of HTTP/1.1 has one `Host` header."))
            raise _Refused
        self._stage, self._since, self._wire, self._body = _BODY, self._last, 0, 0
        self._counted = (self._last, 0)
        traffic = self._traffic
        if (traffic.is_too_much or traffic.is_ending) and self._is_free() and self._shed():
            return
        self.scope[CONNECTION] = self  # type: ignore[literal-required] # a key of ours
        super().on_headers_complete()
        if traffic.is_ending:
            self.cycle.keep_alive = False
        self.headers = []  # trailers are nobody's headers

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body += len(body)
        self._wire = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the client has done its part, and that what follows is the service's."""
        if self._has_upgrade():
            return
        self._stage = _IDLE
        if self.cycle.response_complete:
            self._rest()
        elif not self._is_stream:
            self._under_way += 1
            self._traffic.under_way += 1
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note that the service has done its part."""
        if self._under_way:
            self._under_way -= 1
            self._traffic.under_way -= 1
        self._is_stream = False
        super().on_response_complete()
        if self._stage == _HEAD:  # the next request has begun already, but did not have to go on before
            self._since = self.loop.time()
            self._unset_keepalive_if_required()

    def resume_writing(self) -> None:
        """Note that the client has read on."""
        self._backlog.clear()
        super().resume_writing()

    def shutdown(self) -> None:
        """Let what is under way come to its end, and then the connection."""
        if self._stage == _OVER:
            self.transport.close()
        elif self._is_free():
            # A request may have been sent already that was not read yet.
            self.loop.call_later(self._limits.rest_seconds, self.loop.call_later, _MOMENT, self._close_if_free)
        else:
            super().shutdown()

    # What the application calls.

    def stream(self) -> None:
        """Note that the request is a stream, and that it has just gone on."""
        self._is_stream = True
        self._traffic.under_way -= self._under_way
        self._under_way = 0
        self._last = self.loop.time()
        self._backlog.clear()

    # What is decided here.

    def check(self, now: float) -> None:
        """Cut the connection off if it has kept the service waiting for too long."""
        limits = self._limits
        patience = limits.stream_seconds if self._is_stream else limits.answer_seconds
        if self._backlog.is_stuck(self.transport, now, patience, limits.body_rate):
            self.transport.abort()
        elif self._stage == _OVER:
            if now - self._since >= _FAREWELL and self._is_free():
                self.transport.abort()
        elif self._stage == _BODY:
            if not self.cycle.response_complete and self._pauses(now):
                self._refuse(Fault(TOO_SLOW, "The rest of the body did not come.", headers={"Connection": "close"}))
        elif self._is_free() and self.timeout_keep_alive_task is None and now - self._since >= limits.head_seconds:
            self._refuse(Fault(TOO_SLOW, "The request did not come, or not all of its headers."))

    def _pauses(self, now: float) -> bool:
        """Return whether a body is waited for in vain. Nothing can come while the application does not take it."""
        limits = self._limits
        if self._is_stream:
            return now - self._last >= limits.stream_seconds
        since, before = self._counted
        if self.flow.read_paused:
            self._last, self._counted = now, (now, self._body)
            return False
        if now - since >= limits.body_seconds:
            self._counted = (now, self._body)
            return self._body - before < limits.body_rate * limits.body_seconds
        return now - self._last >= limits.body_seconds

    def _is_free(self) -> bool:
        """Return whether no answer is under way, or due."""
        return self.cycle.response_complete and not self.pipeline

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
        if self._wire + self._piece <= self._limits.head_bytes:
            return False
        size = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        return size > self._limits.head_bytes

    def _refuse_head(self) -> None:
        self._refuse(Fault(HEAD_TOO_LARGE, "The headers are too many, or too long."))

    def _refuse(self, fault: Fault) -> None:
        """Answer with a problem and close. If an answer is under way, the application is told to end the request."""
        if self._is_free():
            self._say_farewell(fault, log=True)
            return
        if self._stage == _BODY:
            fault.headers["Connection"] = "close"
            self.scope[BROKEN_OFF] = fault  # type: ignore[literal-required] # a key of ours
            self.cycle.message_event.set()
        self._end_after_answers()

    def _ignore(self, data: bytes) -> None:
        """Throw away what comes after the end; but there is an end to that, too."""
        self._wire += len(data)
        if self._wire > _MOST_IGNORED:
            if self._is_free():
                self.transport.abort()
            else:
                self.flow.pause_reading()

    def _end_after_answers(self) -> None:
        """Take nothing more, and close when what was taken is answered."""
        self._stage, self._since, self._wire = _OVER, self._last, 0
        self.cycle.keep_alive = False

    def _say_farewell(self, fault: Fault, *, log: bool = False) -> None:
        """Send a problem as the last thing; the client gets time to read it, since a close may overtake it."""
        identity = incoming_ids(self.headers or ())[0] or new_request_id()
        if log:
            log_cut_off(identity, fault.kind.status)
        self._stage, self._since, self._wire = _OVER, self.loop.time(), 0
        self._unset_keepalive_if_required()
        fault.headers["Connection"] = "close"
        self.transport.write(refusal(fault, identity, self.server_state.default_headers))
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _shed(self) -> bool:
        """Turn a request away; return False if it is one that is answered all the same."""
        is_ending = self._traffic.is_ending
        if self.url.startswith(b"/health/") if not is_ending else not self.url.startswith(b"/health/ready"):
            return False
        self._traffic.requests_turned_away += 1
        self.cycle = cast("Any", _Answered)
        detail = "The service is about to stop." if is_ending else "There are too many requests."
        fault = Fault(OVERLOADED, detail, headers={"Retry-After": "1"})
        identity = incoming_ids(self.headers)[0] or new_request_id()
        self.transport.write(refusal(fault, identity, self.server_state.default_headers))
        if is_ending or not self.parser.should_keep_alive():
            self.transport.close()
        self._rest()
        return True

    def _rest(self) -> None:
        """Wait for the next request."""
        if self.timeout_keep_alive_task is None and not self.transport.is_closing():
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _close_if_free(self) -> None:
        if self._is_free():
            self.transport.close()
