"""What has to be true of every answer of the service, whatever it was asked."""

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from zstandard import ZstdDecompressor

from api.app import ROUTES
from api.media import FORMATS, LINES
from api.problems import PROBLEM_JSON, PROBLEM_TYPES, Problem
from api.routes import OPERATION, STREAM
from tests.fuzz.service import Call, Heard
from tests.fuzz.wire import Response, responses

DOCUMENT = msgspec.json.decode((Path(__file__).parents[2] / "openapi" / "openapi.json").read_bytes())
_TITLES = {kind.uri: (kind.status, kind.title) for kind in PROBLEM_TYPES}
_MODERATE = re.compile(r"[a-z0-9_./{}-]*")
"""What words of our own look like. Other texts of a client must not come up in the log."""


def check(heard: Heard) -> None:
    """Raise an AssertionError unless all that became of a connection is as it must be."""
    for call in heard.calls:
        check_call(call)
    requests = [line for line in heard.log if line["event"] == "request"]
    refused = len(requests) - sum(_is_answered(call) for call in heard.calls)
    assert refused in (0, 1), "a line for each request, and for what was no request at most one"
    check_log(heard)
    found = responses(heard.output, [call.scope["method"] for call in heard.calls])
    assert len(found) <= len(heard.calls) + 1, found
    expected = [call.messages[0]["status"] for call in heard.calls if call.messages]
    same = [response.status for response in found] == expected[: len(found)]
    # What is no HTTP is refused at once, before those that are still being answered.
    for response in [] if same else found[-1:]:
        check_refusal_of_the_protocol(response, heard.protocol)


def check_call(call: Call) -> None:
    """Check the answer of the application to one request."""
    assert call.error is None, repr(call.error)
    if not _is_answered(call):
        assert call.is_gone, "no answer"
        return
    start, *bodies = call.messages
    assert start["type"] == "http.response.start"
    assert all(message["type"] == "http.response.body" for message in bodies)
    assert [bool(message.get("more_body")) for message in bodies] == [True] * (len(bodies) - 1) + [False]
    headers = [(name.decode(), value.decode("latin-1")) for name, value in start["headers"]]
    response = Response(start["status"], headers, b"".join([message.get("body", b"") for message in bodies]))
    assert response.header("x-request-id")
    check_status(response.status, call)
    if call.scope["method"] == "HEAD" or response.status in (204, 304):
        return
    length = response.header("content-length")
    assert length is None or int(length) == len(response.body)
    if response.status >= 400:
        check_problem(response, call)
    else:
        check_answer(response._replace(body=_content(response)), call)


def check_status(status: int, call: Call) -> None:
    """Check that a status is one that the document lists for the operation."""
    assert status < 500, status
    method, template = call.scope["method"].lower(), template_of(call)
    item = DOCUMENT["paths"].get(template)
    if item is None:
        assert template or status in (400, 404, 405), (template, status)
    elif method in item:
        status = 200 if status == 304 else status
        assert str(status) in item[method]["responses"], (method, template, status)
    else:
        assert status == (204 if method == "options" else 405), (method, template, status)


def check_problem(response: Response, call: Call) -> None:
    """Check that a problem document is whole, agrees with the response, and points to what is there."""
    assert response.header("content-type") == PROBLEM_JSON
    problem = msgspec.json.decode(response.body, type=Problem)
    assert (problem.status, problem.title) == _TITLES[problem.type]
    assert problem.status == response.status
    assert problem.request_id == response.header("x-request-id")
    assert problem.detail
    if response.status == 405:
        assert response.header("allow")
    if response.status == 422:
        assert problem.errors
        check_pointers(problem, call)


def check_pointers(problem: Problem, call: Call) -> None:
    """Check that each pointer leads to a place in the body, or to one that a place there could have."""
    bodies = list(_values(call.body))
    lines = re.split("\r\n?|\n", call.body.decode(errors="replace").removeprefix("\ufeff"))
    for error in problem.errors:
        if error.line is not UNSET:
            assert error.pointer is UNSET
            assert error.column - 1 + error.length <= len(lines[error.line - 1]) or error.length == 0
            continue
        pointer = error.pointer
        assert isinstance(pointer, str)
        assert not pointer or pointer.startswith("/"), pointer
        assert not re.search("~(?![01])", pointer), pointer
        if len(bodies) == 1 and "…" not in pointer:
            part = bodies[0]
            for token in pointer.split("/")[1:-1]:
                part = part[int(token)] if isinstance(part, list) else part[token.replace("~1", "/").replace("~0", "~")]


def check_answer(response: Response, call: Call) -> None:
    """Check that an answer is of the type that the operation has."""
    operation, stream = _operations().get((call.scope["method"], template_of(call)), (None, None))
    media_type = response.header("content-type")
    if operation is None or (operation.writes and media_type not in FORMATS):
        assert response.body
        return
    if media_type == LINES.media_type:
        for line in response.body.splitlines():
            if b'"problem"' not in line:
                msgspec.json.decode(line, type=stream.line)
        return
    decode = msgspec.msgpack.decode if FORMATS[media_type].packed else msgspec.json.decode
    decode(response.body, type=operation.schema)


def check_log(heard: Heard) -> None:
    """Check that nothing that a client wrote into a body comes up in the log."""
    told = {text for call in heard.calls for body in _values(call.body) for text in _texts(body)}
    telling = [text for text in told if len(text) > 1 and not _MODERATE.fullmatch(text)]
    for line in heard.log:
        assert line["event"] != "crash", line
        logged = repr([value for key, value in line.items() if key not in ("method", "request_id")])
        assert not any(text in logged for text in telling), line


def check_refusal_of_the_protocol(response: Response, protocol: type) -> None:
    """Check what is answered to bytes that are no HTTP; Uvicorn's own answer is no problem document."""
    assert 400 <= response.status < 500, response
    if protocol is not HttpToolsProtocol:
        assert response.header("content-type") == PROBLEM_JSON, response
        problem = msgspec.json.decode(response.body, type=Problem)
        assert (problem.status, problem.title) == _TITLES[problem.type]
        assert problem.status == response.status


def template_of(call: Call) -> str:
    """Return the path of a request's operation as the document has it; empty if it has none."""
    return re.sub(r":\w+}", "}", call.scope.get("path_template") or "")


def _content(response: Response) -> bytes:
    """Return a body without its content coding."""
    match response.header("content-encoding"):
        case "gzip":
            return gzip.decompress(response.body)
        case "zstd":
            return ZstdDecompressor().decompressobj().decompress(response.body)
        case coding:
            assert coding is None
            return response.body


def _is_answered(call: Call) -> bool:
    return bool(call.messages) and not call.messages[-1].get("more_body", True)


@cache
def _operations() -> dict[tuple[str, str], tuple[Any, Any]]:
    """Return what each method of each path does, and how it is asked line by line."""
    found = {}
    for handler in ROUTES:
        if operation := handler.opt.get(OPERATION):
            path = re.sub(r":\w+}", "}", next(iter(handler.paths)))
            methods = getattr(handler, "http_methods", None) or ("POST",)
            found |= {(str(method), path): (operation, handler.opt.get(STREAM)) for method in methods}
    return found


def _values(body: bytes) -> Iterator[Any]:
    """Yield the values that a body holds: one, or one a line. None where a key is there twice."""
    for decode, parts in (
        (_plain, [body]),
        (msgspec.msgpack.decode, [body]),
        (_plain, body.splitlines()),
    ):
        try:
            yield from [decode(part) for part in parts]
        except (ValueError, RecursionError):
            continue
        return


def _plain(body: bytes) -> Any:
    return json.loads(body, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
