"""Routes: how an operation becomes a route of Litestar's.

A route carries its operation and the function that answers it in Litestar's `opt`, where `document` finds them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from litestar import Request, Response
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler, asgi
from litestar.types import ASGIApp, HTTPScope, Method, Receive, Send

from api.compression import WORTHWHILE, coding_for, compressed
from api.constants import Constant
from api.direct import RESOURCES
from api.etags import headers_of, is_held
from api.media import FORMATS, LINES, Format, answer_format, body_format
from api.operations import Answer, Call, Operation, Respond, read_query, scope_needed
from api.problems import METHOD_NOT_ALLOWED, PROBLEM_JSON, Fault, fault_of
from api.room import Loan
from api.serving import LIMITS
from api.streams import Outgoing, Stream
from api.tracing import add_to_answer, add_to_log

OPERATION = "operation"
RESPOND = "respond"
CONSTANT = "constant"
"""Whether a route answers constants."""
STREAM = "stream"
"""How a route is asked line by line, if it can be."""

_FORMATS = tuple(FORMATS)
_FORMATS_AND_LINES = (*FORMATS, LINES.media_type)
_VARY = {"Vary": "Accept, Accept-Encoding"}
_WITHOUT_CONTENT = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class _Reply(NamedTuple):
    """An answer as it is sent."""

    status: int
    content_type: str
    content: bytes
    headers: Mapping[str, str]


def post(path: str, operation: Operation, stream: Stream | None = None) -> Callable[[Respond], ASGIRouteHandler]:
    """Return a decorator that makes a function the handler of a POST route.

    The handler is a bare ASGI one, which answers its own failures: what Litestar does for a typed handler costs more
    than judging a hand.
    """

    def decorate(respond: Respond) -> ASGIRouteHandler:
        async def handle(scope: HTTPScope, receive: Receive, send: Send) -> None:
            try:
                if scope["method"] != "POST":
                    await _other_method(scope["method"], send)
                    return
                call = _admitted(scope, operation)
                if stream is not None and _asks_for(stream, scope):
                    await _stream(stream, call, scope, receive, send)
                    return
                reply = await _reply(call, scope, receive, operation, respond)
            except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
                fault = fault_of(exception)
                reply = _Reply(fault.kind.status, PROBLEM_JSON, fault.content(), fault.headers)
                del fault  # which remembers this frame, as this frame does it
            headers = [
                (b"content-type", reply.content_type.encode()),
                (b"content-length", b"%d" % len(reply.content)),
                *[(name.lower().encode(), value.encode("latin-1")) for name, value in reply.headers.items()],
            ]
            await send({"type": "http.response.start", "status": reply.status, "headers": headers})
            await send({"type": "http.response.body", "body": reply.content, "more_body": False})

        return asgi(path, copy_scope=False, opt={OPERATION: operation, RESPOND: respond, STREAM: stream})(handle)

    return decorate


def route(
    method: Method, path: str, operation: Operation, stream: Stream | None = None
) -> Callable[[Respond], HTTPRouteHandler]:
    """Return a decorator that makes a function the handler of a route whose path has parameters or other methods."""

    def decorate(respond: Respond) -> HTTPRouteHandler:
        async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
            call = _admitted(request.scope, operation)
            if stream is not None and _asks_for(stream, request.scope):
                return _StreamedResponse(partial(_stream, stream, call))
            reply = await _reply(call, request.scope, request.receive, operation, respond)
            headers = dict(reply.headers)
            if reply.status not in _WITHOUT_CONTENT:
                # As a header: Litestar would put a charset of its own behind the media type of a text.
                headers["Content-Type"] = reply.content_type
            return Response(reply.content, status_code=reply.status, headers=headers)

        return HTTPRouteHandler(
            path,
            http_method=["GET", "HEAD"] if method == "GET" else [method],
            status_code=200,
            opt={OPERATION: operation, RESPOND: respond, STREAM: stream},
        )(handle)

    return decorate


class _StreamedResponse(Response[bytes]):
    """A response that Litestar hands the connection to."""

    def __init__(self, application: ASGIApp) -> None:
        super().__init__(b"")
        self._application = application

    def to_asgi_response(self, *_: object, **__: object) -> ASGIApp:  # type: ignore[override] # all that is done with it is to call it
        return self._application


def _asks_for(stream: Stream, scope: HTTPScope) -> bool:
    """Return whether a request is for the stream: by the format of its body, or without a body by that of its answer.

    Raises a 406 or 415 fault if it is for nothing that there is.
    """
    if stream.takes is None:
        return answer_format(_accept(scope), _FORMATS_AND_LINES) is LINES
    headers = dict(scope["headers"])
    written_in = body_format(
        headers.get(b"content-type", b""), headers.get(b"content-encoding", b""), _FORMATS_AND_LINES
    )
    if written_in is LINES:
        answer_format(_accept(scope), (LINES.media_type,))
    return written_in is LINES


async def _stream(stream: Stream, call: Call[Any], scope: HTTPScope, receive: Receive, send: Send) -> None:
    place = Loan(call.resources.streams)
    try:
        place.grow(1)
        await stream.answer(call, Outgoing(scope, send), receive)
    finally:
        place.end()


def _admitted(scope: HTTPScope, operation: Operation) -> Call[Any]:
    """Return a request without its body.

    Raises a 400 fault for a parameter that is not understood, and a 401, 403 or 429 fault if it is not let in.
    """
    query = read_query(scope["query_string"], operation.query)
    _admit(scope, operation, query)
    return Call(None, query, scope[RESOURCES], path=scope.get("path_params", {}))  # type: ignore[literal-required] # put there by DirectApp


def _admit(scope: HTTPScope, operation: Operation, query: Mapping[str, Any]) -> None:
    """Let a request in; raise a 401, 403 or 429 fault if it is not let in."""
    needs = scope_needed(operation, query)
    if needs is not None:
        gate = scope[RESOURCES].gate  # type: ignore[literal-required] # put there by DirectApp
        add_to_answer(scope, gate.admit(scope, needs))


def _accept(scope: HTTPScope) -> bytes:
    return b",".join([value for name, value in scope["headers"] if name == b"accept"])


async def _reply(call: Call[Any], scope: HTTPScope, receive: Receive, operation: Operation, respond: Respond) -> _Reply:
    room, writing = Loan(call.resources.bodies), Loan(call.resources.writing)
    headers = dict(scope["headers"])
    answer_in = answer_format(_accept(scope) if operation.negotiates else b"", operation.writes or _FORMATS)
    call.answer_in = answer_in.media_type
    body = b""
    try:
        if operation.body:
            call.written_in = body_format(headers.get(b"content-type", b""), headers.get(b"content-encoding", b""))
            body = await operation.body.read(headers, scope, receive, room)
        if call.query.get("store") == "true":
            writing.grow(1)
        if operation.slow or len(body) > LIMITS.small_body:
            lane = call.resources.lanes.of(operation.lane)
            answer, content = await lane.do(receive, _answered, call, body, operation, respond, answer_in)
        else:
            answer, content = _answered(call, body, operation, respond, answer_in)
        del body
        new = await call.resources.keep(answer.keep) if answer.keep else []
    finally:
        room.end()
        writing.end()
    add_to_log(scope, answer.log)
    status, more_headers = answer.status, {**answer.headers, **_vary(operation, answer_in)}
    if answer.location:
        more_headers["Location"] = answer.location
        status = HTTPStatus.CREATED if new[0] else status
    if len(content) >= WORTHWHILE and answer_in.compressible:
        coding = coding_for(headers.get(b"accept-encoding", b""))
        if coding:
            content = await compressed(content, coding)
            more_headers["Content-Encoding"] = coding.name
    if answer.tagged:
        more_headers.update(headers_of(content))
        if is_held(more_headers["ETag"], headers.get(b"if-none-match", b"").decode("latin-1")):
            return _Reply(HTTPStatus.NOT_MODIFIED, answer_in.content_type, b"", more_headers)
    return _Reply(status, answer_in.content_type, content, more_headers)


def _answered(
    call: Call[Any], body: bytes, operation: Operation, respond: Respond, answer_in: Format
) -> tuple[Answer, bytes]:
    """Return the answer to a request, and its content; what is large goes fast while it is fresh."""
    if operation.body:
        call.body = operation.body.decode(body, call.written_in)
    answer = respond(call)
    content = b"" if answer.status == HTTPStatus.NO_CONTENT else answer_in.encode(answer.value)
    call.body = answer.value = None
    return answer, content


def _vary(operation: Operation, answer_in: Format) -> Mapping[str, str]:
    """Return what an answer says it depends on, besides its address."""
    if not operation.named:
        return _VARY
    return {"Vary": "Accept-Encoding"} if answer_in.compressible else {}


def options(path: str, *methods: str) -> HTTPRouteHandler:
    """Return a route that answers OPTIONS where several handlers share a path; Litestar's own knows but the first."""
    allow = ", ".join(sorted(("OPTIONS", *methods)))

    def handle() -> Response[None]:
        return Response(None, status_code=HTTPStatus.NO_CONTENT, headers={"Allow": allow})

    return HTTPRouteHandler(path, http_method="OPTIONS", sync_to_thread=False)(handle)


async def _other_method(method: str, send: Send) -> None:
    """Answer OPTIONS; raise a 405 fault for any other method than POST."""
    allow = "OPTIONS, POST"
    if method != "OPTIONS":
        raise Fault(METHOD_NOT_ALLOWED, f"{method} is not a method of this address.", headers={"Allow": allow})
    await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", allow.encode())]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


Strings = Mapping[str, str]
Choose = Callable[[Strings, Strings], Constant]
"""From the path parameters and the query parameters to the constant asked for."""


def get(path: str, operation: Operation) -> Callable[[Choose], HTTPRouteHandler]:
    """Return a decorator that makes a function the handler of a GET route, and of HEAD with it."""

    def decorate(choose: Choose) -> HTTPRouteHandler:
        def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
            query = read_query(request.scope["query_string"], operation.query)
            _admit(request.scope, operation, query)
            return choose(request.path_params, query).answer(request)

        return HTTPRouteHandler(
            path,
            http_method=["GET", "HEAD"],
            sync_to_thread=False,
            opt={OPERATION: operation, RESPOND: choose, CONSTANT: True},
        )(handle)

    return decorate
