"""Routes: how an operation becomes a route of Litestar's.

A route carries its operation and the function that answers it in Litestar's `opt`, where `document` finds them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler, asgi
from litestar.types import ASGIApp, HTTPScope, Method, Receive, Send

from api.answering import Reply, admit, admitted, reply_to
from api.arriving import headers_by_name
from api.constants import Constant
from api.media import FORMATS, LINES, answer_format, body_format
from api.operations import Call, Operation, Respond, read_query
from api.problems import METHOD_NOT_ALLOWED, PROBLEM_JSON, Fault, fault_of
from api.room import Loan
from api.streams import Outgoing, Stream

OPERATION = "operation"
RESPOND = "respond"
CONSTANT = "constant"
"""Whether a route answers constants."""
STREAM = "stream"
"""How a route is asked line by line, if it can be."""

_FORMATS_AND_LINES = (*FORMATS, LINES.media_type)
_WITHOUT_CONTENT = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


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
                call = admitted(scope, operation)
                if stream is not None and _asks_for(stream, scope):
                    await _stream(stream, call, scope, receive, send)
                    return
                reply = await reply_to(call, scope, receive, operation, respond)
            except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
                fault = fault_of(exception)
                reply = Reply(fault.kind.status, PROBLEM_JSON, fault.content(), fault.headers)
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
            call = admitted(request.scope, operation)
            if stream is not None and _asks_for(stream, request.scope):
                return _StreamedResponse(partial(_stream, stream, call))
            reply = await reply_to(call, request.scope, request.receive, operation, respond)
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
    headers = headers_by_name(scope)
    accept = headers.get(b"accept", b"")
    if stream.takes is None:
        return answer_format(accept, _FORMATS_AND_LINES) is LINES
    written_in = body_format(
        headers.get(b"content-type", b""), headers.get(b"content-encoding", b""), _FORMATS_AND_LINES
    )
    if written_in is LINES:
        answer_format(accept, (LINES.media_type,))
    return written_in is LINES


async def _stream(stream: Stream, call: Call[Any], scope: HTTPScope, receive: Receive, send: Send) -> None:
    place = Loan(call.resources.streams)
    try:
        place.grow(1)
        await stream.answer(call, Outgoing(scope, send), receive)
    finally:
        place.end()


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
            admit(request.scope, operation, query)
            return choose(request.path_params, query).answer(request)

        return HTTPRouteHandler(
            path,
            http_method=["GET", "HEAD"],
            sync_to_thread=False,
            opt={OPERATION: operation, RESPOND: choose, CONSTANT: True},
        )(handle)

    return decorate
