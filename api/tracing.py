"""Request ids and the log: every response carries `X-Request-ID`, and every request is one line of JSON.

A line holds no body, no name and no card: the route's template, never the address as it was sent.
"""

import re
import secrets
import sys
import traceback
from contextvars import ContextVar
from functools import lru_cache
from itertools import count
from time import gmtime, perf_counter, strftime, time
from typing import Any

import msgspec
import structlog
from litestar import Litestar
from litestar.types import Message, Scope, Send
from structlog.typing import EventDict

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_SAFE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}\Z")
_RUN = secrets.token_hex(6)
_numbers = count(1)

log = structlog.get_logger()


def configure_log() -> None:
    """Write each log event as one line of JSON on standard output."""
    structlog.configure(
        processors=[structlog.processors.add_log_level, _stamp, _render],
        logger_factory=structlog.BytesLoggerFactory(sys.stdout.buffer),
        cache_logger_on_first_use=True,
    )


def _stamp(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Add the time, in UTC to the millisecond; structlog's own stamp costs half a log line."""
    now = time()
    event["timestamp"] = f"{_second(int(now))}.{int(now % 1 * 1000):03}Z"
    return event


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(seconds))


def _render(_logger: object, _method: str, event: EventDict) -> bytes:
    return msgspec.json.encode(event)


def request_id() -> str:
    """Return the id of the request being answered."""
    return _request_id.get()


def log_crash(exception: Exception) -> None:
    """Log where an exception came from. Its message is left out: it may quote the request."""
    frames = traceback.extract_tb(exception.__traceback__)
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
    log.error("crash", request_id=request_id(), exception=type(exception).__name__, where=where)


class TracedApp(Litestar):
    """A Litestar application that gives every request an id and logs it, 404 and 405 included.

    Middleware would not see those two; wrapping `send` sees everything that is answered.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - HTTP or lifespan
        """Answer one connection."""
        if scope["type"] == "http":
            send = _traced(scope, send)
        await super().__call__(scope, receive, send)


def _traced(scope: Scope, send: Send) -> Send:
    identity = _incoming_id(scope) or f"{_RUN}-{next(_numbers):x}"
    _request_id.set(identity)
    header = (b"x-request-id", identity.encode())
    began = perf_counter()

    async def traced(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], header]
            log.info(
                "request",
                request_id=identity,
                method=scope["method"],  # type: ignore[typeddict-item] # an HTTP scope has one
                route=scope.get("path_template", ""),
                status=message["status"],
                milliseconds=round((perf_counter() - began) * 1000, 3),
                **scope.get("state", {}).get("log", {}),
            )
        await send(message)

    return traced


def _incoming_id(scope: Scope) -> str | None:
    """Return the id that the client sent, if it is short and harmless."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SAFE_ID.match(value):
            return value.decode()
    return None
