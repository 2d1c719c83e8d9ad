"""How a request arrives: what the application and the server that reads the request tell each other on the way.

They do so in the request's scope. Behind a server without a guard nothing is there, and nobody is cut off.
"""

from typing import Any, Protocol

from litestar.types import HTTPScope, Receive

CONNECTION = "thirtyone.connection"
"""Where a request's scope has the connection that it came by."""
BROKEN_OFF = "thirtyone.broken_off"
"""Where a request's scope has the fault for which no more of its body is waited for."""


class Connection(Protocol):
    """A connection that is watched, so that nobody holds it for ever."""

    def stream(self) -> None:
        """Note that the request is a stream, and that it has just gone on: it may pause for longer than others."""


def headers_by_name(scope: HTTPScope) -> dict[bytes, bytes]:
    """Return the headers of a request; the values of one that is given several times are a list (RFC 9110, 5.2)."""
    lines = list(scope["headers"])
    headers = dict(lines)
    if len(headers) < len(lines):
        for repeated in {name for name, _ in lines}:
            headers[repeated] = b", ".join([value for name, value in lines if name == repeated])
    return headers


async def next_message(scope: HTTPScope, receive: Receive) -> Any:  # noqa: ANN401 - a message of ASGI
    """Return the next message of a request; raise the fault for which it was broken off, if it was."""
    message = await receive()
    if (fault := scope.get(BROKEN_OFF)) is not None:
        raise fault  # type: ignore[misc] # a key of ours, which holds a fault
    return message


def stream(scope: HTTPScope) -> None:
    """Tell the connection that a request is a stream, and has just gone on."""
    connection = scope.get(CONNECTION)
    if connection is not None:
        connection.stream()  # type: ignore[attr-defined] # a key of ours, which holds a Connection
