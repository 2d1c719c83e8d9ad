"""Responses, read off the bytes that a server writes."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_SIZE = re.compile(b"[0-9a-f]+")


class Response(NamedTuple):
    """A response as a client gets it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header that may be there once, or None."""
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, f"{name} is there twice"
        return found[0] if found else None


def responses(output: bytes, methods: Sequence[str]) -> list[Response]:
    """Return the final responses in what a server wrote to answer requests with these methods, in order."""
    found: list[Response] = []
    while output:
        head, end, output = output.partition(b"\r\n\r\n")
        assert end, "a head without an end"
        line, *fields = head.decode("latin-1").split("\r\n")
        version, status, _ = line.split(" ", 2)
        assert version == "HTTP/1.1"
        if status.startswith("1"):
            continue
        pairs = [field.split(": ", 1) for field in fields]
        headers = [(name.lower(), value) for name, value in pairs]
        response = Response(int(status), headers, b"")
        method = methods[len(found)] if len(found) < len(methods) else ""
        body, output = _body(response, method, output)
        found.append(response._replace(body=body))
    return found


def _body(response: Response, method: str, output: bytes) -> tuple[bytes, bytes]:
    """Return the body that follows a head, and what follows the body."""
    is_refusal = response.header("connection") == "close" and bool(output)
    if response.status in (204, 304) or (method == "HEAD" and not is_refusal):
        return b"", output
    if response.header("transfer-encoding") == "chunked":
        return _chunks(output)
    announced = response.header("content-length")
    if announced is None:
        return output, b""
    length = int(announced)
    assert len(output) >= length, "a body that is cut short"
    return output[:length], output[length:]


def _chunks(output: bytes) -> tuple[bytes, bytes]:
    body = b""
    while True:
        size, end, rest = output.partition(b"\r\n")
        if not end or not _SIZE.fullmatch(size):  # broken off, since the client left or sent what is no HTTP
            return body, output
        output = rest
        length = int(size, 16)
        body += output[:length]
        output = output[length + 2 :]
        if not length:
            return body, output
