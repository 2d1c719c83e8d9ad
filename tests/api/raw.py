"""Bytes sent to a real server whose patience is a tenth of the usual one, and what comes back."""

import json
import re
import socket
from time import sleep

from tests.api.stories import LOG
from tests.store.serving import PATIENCE

HURRIED = ("-m", "tests.api.hurried")
RULING = b"POST /v1/rulings?store=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n\r\n"
HEALTH = b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n"
KNOCK = json.dumps({"hand": LOG}).encode()
SIZE = b"content-length: %d\r\n\r\n" % len(KNOCK)
MANY = 100_000_000
"""More bytes than anybody is allowed to send."""


def connected(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def rest(connection):
    """Return what comes until the server closes the connection."""
    received = b""
    while True:
        try:
            piece = connection.recv(1 << 20)
        except ConnectionResetError:
            return received
        if not piece:
            return received
        received += piece


def told(server, pieces):
    """Send pieces until the server will have no more; return all that comes until it closes."""
    with connected(server) as connection:
        sent = 0
        try:
            for piece in pieces:
                connection.sendall(piece)
                sent += len(piece)
                assert sent < MANY
        except OSError:
            pass  # it was cut off
        return rest(connection)


def problem(answer, status, slug):
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer[:500]
    assert re.search(rb"\r\nconnection: close(\r\n|\Z)", head)
    assert b"\r\ncontent-type: application/problem+json" in head
    for name in (b"x-content-type-options: nosniff", b"referrer-policy: no-referrer", b"content-security-policy: "):
        assert head.count(b"\r\n" + name) == 1
    found = json.loads(body)
    assert (found["type"], found["status"]) == (f"/problems/{slug}", status)
    assert f"\r\nx-request-id: {found['request_id']}".encode() in head
    return found


def slowly(first, *then, pause=0.1):
    """Yield pieces, with a pause before each but the first."""
    yield first
    for piece in then:
        sleep(pause)
        yield piece
