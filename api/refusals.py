"""Refusals: whole answers, head and body, to requests that never come to the application."""

from collections.abc import Iterable
from http import HTTPStatus

import msgspec

from api.problems import PROBLEM_JSON, Fault, Problem
from api.tracing import ALLOWS_NOTHING, SAFE_EVERYWHERE


def refusal(fault: Fault, identity: str, default_headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the bytes of an answer that is a problem, under this request id."""
    kind = fault.kind
    problem = Problem(kind.uri, kind.title, kind.status, fault.detail, fault.errors, identity)
    content = msgspec.json.encode(problem)
    headers = {
        "content-type": PROBLEM_JSON,
        "content-length": str(len(content)),
        "cache-control": "no-store",
        "x-request-id": identity,
        **{name.lower(): value for name, value in fault.headers.items()},
    }
    lines = [
        b"HTTP/1.1 %d %b" % (kind.status, HTTPStatus(kind.status).phrase.encode()),
        *[b"%b: %b" % header for header in (*default_headers, *SAFE_EVERYWHERE, ALLOWS_NOTHING)],
        *[f"{name}: {value}".encode("latin-1") for name, value in headers.items()],
    ]
    return b"\r\n".join([*lines, b"", content])
