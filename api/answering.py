"""Answering: from a request to its reply, whatever the operation is."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from litestar.types import HTTPScope, Receive

from api.arriving import headers_by_name
from api.compression import WORTHWHILE, coding_for, compressed
from api.direct import RESOURCES
from api.etags import headers_of, is_held
from api.media import FORMATS, Format, answer_format, body_format
from api.operations import Answer, Call, Operation, Respond, read_query, scope_needed
from api.room import Loan
from api.tracing import add_to_answer, add_to_log

_FORMATS = tuple(FORMATS)
_VARY = {"Vary": "Accept, Accept-Encoding"}


class Reply(NamedTuple):
    """An answer as it is sent."""

    status: int
    content_type: str
    content: bytes
    headers: Mapping[str, str]


def admitted(scope: HTTPScope, operation: Operation) -> Call[Any]:
    """Return a request without its body.

    Raises a 400 fault for a parameter that is not understood, and a 401, 403 or 429 fault if it is not let in.
    """
    query = read_query(scope["query_string"], operation.query)
    admit(scope, operation, query)
    return Call(None, query, scope[RESOURCES], path=scope.get("path_params", {}))  # type: ignore[literal-required] # put there by DirectApp


def admit(scope: HTTPScope, operation: Operation, query: Mapping[str, Any]) -> None:
    """Let a request in; raise a 401, 403 or 429 fault if it is not let in."""
    gate = scope[RESOURCES].gate  # type: ignore[literal-required] # put there by DirectApp
    if gate.is_open:
        return
    needs = scope_needed(operation, query)
    if needs is not None:
        add_to_answer(scope, gate.admit(scope, needs))


async def reply_to(
    call: Call[Any], scope: HTTPScope, receive: Receive, operation: Operation, respond: Respond
) -> Reply:
    """Return the reply to a request that was let in, once what it keeps is on disk.

    Raises a fault for whatever is wrong with the request, or cannot be done for it.
    """
    room, writing = Loan(call.resources.bodies), Loan(call.resources.writing)
    headers = headers_by_name(scope)
    accept = headers.get(b"accept", b"") if operation.negotiates else b""
    answer_in = answer_format(accept, operation.writes or _FORMATS)
    call.answer_in = answer_in.media_type
    body = b""
    try:
        if operation.body:
            call.written_in = body_format(
                headers.get(b"content-type", b""), headers.get(b"content-encoding", b""), operation.body.takes
            )
            body = await operation.body.read(headers, scope, receive, room)
        if call.query.get("store") == "true":
            writing.grow(1)
        if operation.slow or len(body) > call.written_in.small:
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
            return Reply(HTTPStatus.NOT_MODIFIED, answer_in.content_type, b"", more_headers)
    return Reply(status, answer_in.content_type, content, more_headers)


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
