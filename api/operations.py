"""Operations: what each route takes and answers, declared once; the route and its documentation follow.

A route carries its operation in Litestar's `opt`, where `document` finds it.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from litestar import Request, Response
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler, asgi
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from api.body import Body
from api.media import FORMATS, Format, answer_format, body_format
from api.problems import BAD_PARAMETER, METHOD_NOT_ALLOWED, Fault, FieldError, ProblemType

T = TypeVar("T")

OPERATION = "operation"
RESPOND = "respond"
"""The keys, in a route's `opt`, of its operation and of the function that answers it."""


class Parameter(Struct, frozen=True):
    """A query parameter with a closed list of values."""

    name: str
    description: str
    values: tuple[str, ...]
    standard: str

    def read(self, value: str) -> str:
        """Return the value given; raise a 400 fault if it is not one of the list."""
        if value not in self.values:
            detail = f"`{self.name}` is one of {', '.join(self.values)}, not `{value[:64]}`."
            raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=self.name))
        return value


class PathParameter(Struct, frozen=True):
    """A parameter in the path, with a value that it may have."""

    name: str
    description: str
    example: str


class Operation(Struct, frozen=True, kw_only=True):
    """One thing that the service does, as the OpenAPI document tells it."""

    id: str
    tag: str
    summary: str
    description: str
    answer: str
    """What the answer is, in a phrase."""
    schema: Any
    """The type of the answer."""
    body: Body[Any] | None = None
    path: tuple[PathParameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    problems: tuple[ProblemType, ...] = ()
    examples: Mapping[str, Any] = {}
    """Request bodies by name, as JSON values; the document shows them with their answers."""
    slow: bool = False
    """Whether answering can take so long that it must not hold the event loop."""


class Answer(Struct):
    """What an operation answers with; `log` holds fields for the request's log line."""

    value: Any
    log: dict[str, object] = {}


class Call(Struct, Generic[T]):
    """A request as an operation sees it: the decoded body, and the value of every query parameter."""

    body: T
    query: Mapping[str, str]
    written_in: Format


Respond = Callable[[Call[Any]], Answer]


def post(path: str, operation: Operation) -> Callable[[Respond], ASGIRouteHandler]:
    """Return a decorator that makes a function the handler of a POST route.

    The handler is a bare ASGI one: what Litestar does for a typed handler costs more than judging a hand.
    """
    body = operation.body
    if body is None:
        raise TypeError(path)

    def decorate(respond: Respond) -> ASGIRouteHandler:
        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] != "POST":  # type: ignore[typeddict-item] # an HTTP scope has one
                await _other_method(scope["method"], send)  # type: ignore[typeddict-item] # likewise
                return
            headers = dict(scope["headers"])
            written_in = body_format(headers.get(b"content-type", b""), headers.get(b"content-encoding", b""))
            answer_in = answer_format(headers.get(b"accept", b""))
            query = read_query(scope["query_string"], operation.query)
            value = body.decode(await body.read(headers, receive), written_in)
            call = Call(value, query, written_in)
            answer = await asyncio.to_thread(respond, call) if operation.slow else respond(call)
            scope["state"]["log"] = answer.log
            await _send(send, answer, answer_in)

        return asgi(path, copy_scope=False, opt={OPERATION: operation, RESPOND: respond})(handle)

    return decorate


async def _send(send: Send, answer: Answer, answer_in: Format) -> None:
    content = answer_in.encode(answer.value)
    headers = [
        (b"content-type", answer_in.media_type.encode()),
        (b"content-length", b"%d" % len(content)),
        (b"vary", b"Accept"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})


async def _other_method(method: str, send: Send) -> None:
    """Answer OPTIONS; raise a 405 fault for any other method than POST."""
    allow = "OPTIONS, POST"
    if method != "OPTIONS":
        raise Fault(METHOD_NOT_ALLOWED, f"{method} is not a method of this address.", headers={"Allow": allow})
    await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", allow.encode())]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


@lru_cache(maxsize=64)
def read_query(query_string: bytes, parameters: tuple[Parameter, ...]) -> Mapping[str, str]:
    """Return the value of each parameter, given or standard; raise a 400 fault for one not understood."""
    values = {parameter.name: parameter.standard for parameter in parameters}
    if query_string:
        known = {parameter.name: parameter for parameter in parameters}
        for name, value in parse_qsl(query_string.decode("latin-1"), keep_blank_values=True):
            if name not in known:
                detail = f"`{name[:64]}` is not a parameter of this address."
                raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=name[:64]))
            values[name] = known[name].read(value)
    return values


class Constant:
    """A value that never changes while the service runs, encoded once, with a strong ETag for each format."""

    def __init__(self, value: object, encoded: Mapping[str, bytes] | None = None) -> None:
        """Encode the value in every format, unless it is given encoded, by media type."""
        self.value = value
        self._encoded = encoded or {name: written.encode(value) for name, written in FORMATS.items()}
        self._etags = {name: f'"{sha256(content).hexdigest()}"' for name, content in self._encoded.items()}

    def answer(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Return the value in the format that the request likes best, or 304 if the client has it already."""
        accept = request.headers.get("accept", "").encode("latin-1")
        name = answer_format(accept, tuple(self._encoded)).media_type
        headers = {"ETag": self._etags[name], "Vary": "Accept", "Cache-Control": "no-cache"}
        held = request.headers.get("if-none-match", "")
        if held.strip() == "*" or self._etags[name] in _listed_etags(held):
            return Response(b"", status_code=304, headers=headers)
        return Response(self._encoded[name], media_type=name, headers=headers)


Choose = Callable[[Mapping[str, str], Mapping[str, str]], Constant]
"""From the path parameters and the query parameters to the constant asked for."""


def get(path: str, operation: Operation) -> Callable[[Choose], HTTPRouteHandler]:
    """Return a decorator that makes a function the handler of a GET route, and of HEAD with it."""

    def decorate(choose: Choose) -> HTTPRouteHandler:
        def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
            query = read_query(request.scope["query_string"], operation.query)
            return choose(request.path_params, query).answer(request)

        return HTTPRouteHandler(
            path,
            http_method=["GET", "HEAD"],
            sync_to_thread=False,
            opt={OPERATION: operation, RESPOND: choose},
        )(handle)

    return decorate


def _listed_etags(header: str) -> list[str]:
    """Return the ETags of an `If-None-Match` header; those marked weak compare alike."""
    return [etag.strip().removeprefix("W/") for etag in header.split(",")]
