"""Request ids and the log: every response carries `X-Request-ID`, and every request is one line of JSON.

A line holds no body, no name and no card: the route's template, never the address as it was sent.
"""

import asyncio
import re
import secrets
import sys
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count
from time import perf_counter
from types import MappingProxyType
from typing import Any

import msgspec
import structlog
from litestar.types import HTTPScope, Message, Send
from structlog.typing import EventDict

from api.direct import DirectApp
from api.tallies import Tallies

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_FIELDS = "log"
_HEADERS = "thirtyone.headers"
_SAFE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}\Z")
_TRACE = re.compile(rb"[0-9a-f]{2}-(?P<trace>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?\Z")
"""W3C's Trace Context: version, trace, parent and flags; a later version may add to these."""
_NO_TRACE: Mapping[str, str] = MappingProxyType({})
SAFE_EVERYWHERE = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
"""What a browser is told of every answer."""
_POLICY = b"content-security-policy"
ALLOWS_NOTHING = (_POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""What a browser is told of an answer that is no page: whatever it is taken for, it may do nothing."""
_RUN = secrets.token_hex(6)
_numbers = count(1)

_encode = msgspec.json.Encoder().encode


class _Lines:
    """Writes lines on standard output. One that cannot be written is lost: the answer it tells of is worth more.

    The lines of one turn of the event loop go together: a write costs the system as much as all else that is done here.
    """

    def __init__(self, *_: object) -> None:
        self._output = sys.stdout.buffer
        self._flushes_in: asyncio.AbstractEventLoop | None = None
        """Where it is due to write what waits."""

    def info(self, line: bytes) -> None:
        """Write a line, in one piece."""
        try:  # noqa: SIM105 - `suppress` is made anew for every line
            self._output.write(line + b"\n")
        except OSError:
            pass
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a thread, or no service at all
            self._flush()
            return
        if loop is not self._flushes_in:
            self._flushes_in = loop
            loop.call_soon(self._flush)

    warning = error = info

    def _flush(self) -> None:
        self._flushes_in = None
        with suppress(OSError):
            self._output.flush()


class _Log(structlog.BoundLoggerBase):
    """The log's three levels, without what structlog's own loggers ask before they write."""

    def info(self, event: str, **fields: object) -> None:
        """Log what is usual."""
        self._proxy_to_logger("info", event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log what an operator should know."""
        self._proxy_to_logger("warning", event, **fields)

    def error(self, event: str, **fields: object) -> None:
        """Log what has to be mended."""
        self._proxy_to_logger("error", event, **fields)


def configure_log() -> None:
    """Write each log event as one line of JSON on standard output."""
    structlog.configure(
        processors=[_line],
        wrapper_class=_Log,
        logger_factory=_Lines,
        cache_logger_on_first_use=True,
    )


def _line(_logger: object, method: str, event: EventDict) -> bytes:
    """Return an event as JSON, with its level and the time in UTC, in one step for structlog's three."""
    return _encode({"timestamp": datetime.now(UTC), "level": method, **event})


@lru_cache(maxsize=1)
def _log() -> Any:  # noqa: ANN401 - structlog's loggers are made to order
    """Return the logger, made at the first line so that it is the one configured."""
    return structlog.get_logger().bind()


def request_id() -> str:
    """Return the id of the request being answered."""
    return _request_id.get()


def add_to_log(scope: HTTPScope, fields: Mapping[str, object]) -> None:
    """Add fields to the log line of a request."""
    scope["state"][_FIELDS] = fields


def add_to_answer(scope: HTTPScope, headers: Mapping[str, str]) -> None:
    """Add headers to the answer to a request, whatever it will be."""
    scope[_HEADERS] = [(name.lower().encode(), value.encode()) for name, value in headers.items()]  # type: ignore[literal-required] # a key of ours


def log_crash(exception: Exception) -> None:
    """Log where an exception came from. Its message is left out: it may quote the request."""
    frames = traceback.extract_tb(exception.__traceback__)
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
    _log().error("crash", request_id=request_id(), exception=type(exception).__name__, where=where)


def log_turned_away(requests: int, connections: int) -> None:
    """Log how many requests and connections were turned away because there were too many."""
    _log().warning("overloaded", requests=requests, connections=connections)


def log_cut_off(identity: str, status: int) -> None:
    """Log a request that did not come to be one: it broke the rules of HTTP, or did not come to an end."""
    _log().info("request", request_id=identity, method="", route="", status=status)


def new_request_id() -> str:
    """Return an id for a request that brings none."""
    return f"{_RUN}-{next(_numbers)}"


class TracedApp(DirectApp):
    """An application that gives every request an id and logs it, 404 and 405 included.

    Middleware would not see those two; wrapping `send` sees everything that is answered.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - HTTP or lifespan
        """Answer one connection."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        if self.resources.cors is not None:
            send = self.resources.cors.opened(scope, send)
        try:  # noqa: SIM105 - `suppress` is made anew at every request
            await super().__call__(scope, receive, _traced(scope, send, self.resources.tallies))
        except asyncio.CancelledError:  # the server stops and waits no longer: that is no fault
            pass


def _traced(scope: HTTPScope, send: Send, tallies: Tallies) -> Send:
    sent, trace = incoming_ids(scope["headers"])
    identity = sent or new_request_id()
    _request_id.set(identity)
    header = (b"x-request-id", identity.encode())
    began = perf_counter()

    status = 0

    async def traced(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [*message["headers"], header, *SAFE_EVERYWHERE, *scope.get(_HEADERS, ())]  # type: ignore[misc] # likewise
            for name, _ in headers:
                if name == _POLICY:
                    break
            else:
                headers.append(ALLOWS_NOTHING)
            message["headers"] = headers
        await send(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            route, seconds = scope.get("path_template", ""), perf_counter() - began
            tallies.count_answer(route, scope["method"], status, seconds)
            _log().info(
                "request",
                request_id=identity,
                method=scope["method"],
                route=route,
                status=status,
                milliseconds=int(seconds * 1_000_000) / 1000,
                **trace,
                **scope["state"].get(_FIELDS, {}),
            )

    return traced


def incoming_ids(headers: Iterable[tuple[bytes, bytes]]) -> tuple[str, Mapping[str, str]]:
    """Return the id that the client sent, if it is short and harmless, and the trace that the request is part of."""
    identity, trace = "", _NO_TRACE
    for name, value in headers:
        if name == b"x-request-id" and _SAFE_ID.match(value):
            identity = value.decode()
        elif name == b"traceparent" and (found := _TRACE.match(value)):
            trace = {"trace": found["trace"].decode()}
    return identity, trace
