"""Routes: how an operation becomes a route of Litestar's.

A route carries its operation and the function that answers it in Litestar's `opt`, where `document` finds them.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from litestar import Request, Response
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler, asgi
from litestar.types import HTTPScope, Receive, Send

from api.constants import Constant
from api.media import answer_format, body_format
from api.operations import Call, Operation, Respond, read_query
from api.problems import METHOD_NOT_ALLOWED, PROBLEM_JSON, Fault, fault_of
from api.tracing import add_to_log

OPERATION = "operation"
RESPOND = "respond"


def post(path: str, operation: Operation) -> Callable[[Respond], ASGIRouteHandler]:
    """Return a decorator that makes a function the handler of a POST route.

    The handler is a bare ASGI one, which answers its own failures: what Litestar does for a typed handler costs more
    than judging a hand.
    """
    body = operation.body
    if body is None:
        raise TypeError(path)

    def decorate(respond: Respond) -> ASGIRouteHandler:
        async def handle(scope: HTTPScope, receive: Receive, send: Send) -> None:
            try:
                if scope["method"] != "POST":
                    await _other_method(scope["method"], send)
                    return
                headers = dict(scope["headers"])
                written_in = body_format(headers.get(b"content-type", b""), headers.get(b"content-encoding", b""))
                answer_in = answer_format(b",".join([value for name, value in scope["headers"] if name == b"accept"]))
                query = read_query(scope["query_string"], operation.query)
                call = Call(body.decode(await body.read(headers, receive), written_in), query, written_in)
                answer = await asyncio.to_thread(respond, call) if operation.slow else respond(call)
                content = answer_in.encode(answer.value)
            except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
                fault = fault_of(exception)
                await _send(send, fault.kind.status, PROBLEM_JSON, fault.content(), fault.headers)
                return
            add_to_log(scope, answer.log)
            await _send(send, 200, answer_in.media_type, content, _VARIES)

        return asgi(path, copy_scope=False, opt={OPERATION: operation, RESPOND: respond})(handle)

    return decorate


_VARIES = {"Vary": "Accept"}


async def _send(send: Send, status: int, media_type: str, content: bytes, more_headers: Mapping[str, str]) -> None:
    headers = [
        (b"content-type", media_type.encode()),
        (b"content-length", b"%d" % len(content)),
        *[(name.lower().encode(), value.encode("latin-1")) for name, value in more_headers.items()],
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})


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
            return choose(request.path_params, query).answer(request)

        return HTTPRouteHandler(
            path,
            http_method=["GET", "HEAD"],
            sync_to_thread=False,
            opt={OPERATION: operation, RESPOND: choose},
        )(handle)

    return decorate
