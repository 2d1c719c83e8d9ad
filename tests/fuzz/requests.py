"""Mutations of requests, as they come over a connection: in the address, the headers, the body, and anywhere."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import msgspec

from tests.fuzz import trees
from tests.fuzz.generating import TEXTS, made
from tests.fuzz.hands import any_question
from tests.fuzz.oracles import DOCUMENT
from tests.making.vectors import vectors

JSON, PACKED, LINES = "application/json", "application/x-msgpack", "application/x-ndjson"
NOTATION = "text/vnd.thirty-one"
_OPERATIONS = [
    (method.upper(), path, found) for path, item in DOCUMENT["paths"].items() for method, found in item.items()
]
_HEADERS = (
    *[("Content-Type", value) for value in (JSON, PACKED, LINES, NOTATION, "application/msgpack", "text/plain", "")],
    *[
        ("Accept", value)
        for value in (JSON, PACKED, LINES, NOTATION, "*/*", "text/html", "text/markdown", "*/*;q=0", ";q=x")
    ],
    *[("Content-Encoding", value) for value in ("gzip", "identity", "br")],
    *[("Accept-Encoding", value) for value in ("gzip", "gzip;q=0, *", "zstd, identity;q=0")],
    *[("If-None-Match", value) for value in ("*", '"x"', 'W/"x", "y"')],
    *[("Authorization", value) for value in ("Bearer x", "Basic eDp5", "Bearer")],
    *[("X-Request-ID", value) for value in ("case-1", "Ben Ks", "x" * 65)],
    *[("Origin", value) for value in ("null", "http://127.0.0.1")],
    ("Expect", "100-continue"),
    ("Transfer-Encoding", "chunked"),
    ("Connection", "close"),
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Content-Length", "0"),
    ("Content-Length", "99999999"),
    ("Host", ""),
    ("X-Forwarded-For", "::1"),
)

Anyhow = Callable[[bytes], bytes]
"""A mutation that knows nothing of what the bytes mean."""


class Request(NamedTuple):
    """A request whose parts can be exchanged; the length of its body is announced as it is."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def content(self) -> bytes:
        """Return the request as it is sent."""
        given = {name.lower() for name, _ in self.headers}
        headers = list(self.headers)
        if self.body and not given & {"content-length", "transfer-encoding"}:
            headers.append(("Content-Length", str(len(self.body))))
        lines = [f"{self.method} {self.target} HTTP/1.1", *[f"{name}: {value}" for name, value in headers], "", ""]
        body = self.body
        if "transfer-encoding" in given:
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
        return "\r\n".join(lines).encode("latin-1", "replace") + body


def read(data: bytes) -> Request | None:
    """Return the request that bytes hold; None if they do not look like one."""
    head, end, body = data.partition(b"\r\n\r\n")
    line, *fields = head.decode("latin-1").split("\r\n")
    words = line.split(" ")
    if not end or len(words) != 3:
        return None
    pairs = [field.partition(": ") for field in fields]
    headers = [(name, value) for name, _, value in pairs if name.lower() != "content-length"]
    return Request(words[0], words[1], headers, body)


def mutated(data: bytes, random: Random, anyhow: Anyhow) -> bytes:
    """Return other bytes for a connection."""
    request = read(data)
    if request is None or random.random() < 0.1:
        return anyhow(data)
    if random.random() < 0.03:
        return data + mutated(data, random, anyhow)
    for _ in range(random.choice((1, 1, 2, 3))):
        request = random.choice(_MUTATIONS)(request, random, anyhow)
    return request.content()


def _body_anyhow(request: Request, _random: Random, anyhow: Anyhow) -> Request:
    return request._replace(body=anyhow(request.body))


def _body_changed(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Change one place of the body."""
    if _value(request) is None:
        return request
    return _with_value(request, trees.changed(_value(request), random))


def _body_made(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Make a body for the operation from its schema."""
    path = request.target.partition("?")[0]
    for method, template, found in _OPERATIONS:
        if method == request.method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path):
            content = found.get("requestBody", {}).get("content", {})
            if JSON in content:
                return _with_value(request, made(content[JSON]["schema"], random))
    return request


def _hand_made(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Put in a hand that was really played, or nearly."""
    value = _value(request)
    if not isinstance(value, dict):
        return request
    question = any_question(random)
    hand = json.loads(msgspec.json.encode(question.hand))
    rules = json.loads(msgspec.json.encode(question.choice))
    if "hands" in value:
        return _with_value(request, {**value, "hands": [hand, hand]})
    return _with_value(request, {**value, "hand": hand} | ({"rules": rules} if random.random() < 0.5 else {}))


def _elsewhere(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Ask something else."""
    method, path, found = random.choice(_OPERATIONS)
    for parameter in found["parameters"]:
        if parameter["in"] == "path":
            ids = [vector.ids["replay"] for vector in _VECTORS]
            values = (parameter.get("example", "x"), random.choice(ids), "x", "..", "%00", "%C3%28")
            path = path.replace(f"{{{parameter['name']}}}", random.choice(values))
        elif random.random() < 0.3:
            value = str(made(parameter["schema"], random)).encode("ascii", "ignore").decode()
            value = re.sub(r"[^\w.,:-]", "%20", value)
            path += ("&" if "?" in path else "?") + f"{parameter['name']}={value}"
    if "requestBody" not in found:
        return request._replace(method=method, target=path, body=b"")
    examples = found["requestBody"]["content"][JSON]["examples"]
    value = random.choice(list(examples.values()))["value"]
    return _with_value(request._replace(method=method, target=path), value)


def _method_changed(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    methods = ("GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "TRACE", "BREW")
    return request._replace(method=random.choice(methods))


def _target_changed(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    more = (
        "?store=false",
        "?store=true",
        "?store=",
        "?partial=true",
        "?x=1",
        "/",
        "/x",
        "//",
        "%2f",
        "?limit=1",
        "?=&;",
    )
    return request._replace(target=request.target + random.choice(more))


def _header_changed(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Set a header, add it once more, or take one away."""
    name, value = random.choice((*_HEADERS, ("X-Any", random.choice(TEXTS).replace("\u0000", "-"))))
    if random.random() < 0.2 and request.headers:
        return request._replace(headers=random.sample(request.headers, len(request.headers) - 1))
    kept = request.headers if random.random() < 0.2 else [pair for pair in request.headers if pair[0] != name]
    return request._replace(headers=[*kept, (name, value)])


def _written_otherwise(request: Request, random: Random, _anyhow: Anyhow) -> Request:
    """Write the body as MessagePack or as lines, or as JSON again."""
    value = _value(request)
    return request if value is None else _with_value(request, value, random.choice((JSON, PACKED, LINES)))


_MUTATIONS = (
    *(_body_anyhow,) * 2,
    *(_body_changed,) * 5,
    *(_body_made,) * 2,
    *(_hand_made,) * 2,
    *(_elsewhere,) * 2,
    _method_changed,
    _target_changed,
    *(_header_changed,) * 2,
    _written_otherwise,
)
_VECTORS = vectors()


def _value(request: Request) -> Any:
    """Return what the body holds, or its first line; None if that cannot be told."""
    written_in = dict(request.headers).get("Content-Type")
    try:
        if written_in == PACKED:
            return msgspec.msgpack.decode(request.body)
        return json.loads(request.body.splitlines()[0] if written_in == LINES else request.body)
    except (ValueError, IndexError, RecursionError):
        return None


def _with_value(request: Request, value: Any, written_in: str | None = None) -> Request:
    """Return a request with a body that holds a value, written as it is now or as is said."""
    written_in = written_in or dict(request.headers).get("Content-Type", JSON)
    headers = [pair for pair in request.headers if pair[0] != "Content-Type"]
    if written_in == PACKED:
        try:
            body = msgspec.msgpack.encode(value)
        except (OverflowError, TypeError, UnicodeEncodeError):
            return request
    else:
        body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        body = body + b"\n" + body if written_in == LINES else body
    return request._replace(headers=[*headers, ("Content-Type", written_in)], body=body)
