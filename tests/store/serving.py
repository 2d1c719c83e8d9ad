"""The service as a process of its own, and clients that talk to it over bare sockets."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

ROOT = Path(__file__).parents[2]
SERVICE = ("-m", "api")
SLOW = ("-m", "tests.store.slow_commits")
"""The service with commits as slow as on an old disk; with `early`, it answers before them."""
PATIENCE = 30
"""Seconds without an answer after which a test fails."""

_READY = re.compile(rb"is ready at http://127\.0\.0\.1:([0-9]+)\n")
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)


class Server(NamedTuple):
    """A service that runs."""

    process: subprocess.Popen[bytes]
    port: int

    def kill(self) -> None:
        """End it at once, without a chance to do anything more."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def serving(database: Path, command: Sequence[str] = SERVICE, **environment: str) -> Iterator[Server]:
    """Run the service on a file until the block is left; `environment` are settings of its own."""
    server = until_ready(launch(database, command, **environment))
    try:
        yield server
    finally:
        server.kill()


def started(database: Path, command: Sequence[str] = SERVICE) -> Server:
    """Start the service on a file, and return it once it is ready."""
    return until_ready(launch(database, command))


def launch(database: Path, command: Sequence[str] = SERVICE, **environment: str) -> subprocess.Popen[bytes]:
    """Start the service on a file. What it prints is appended to files beside that."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("THIRTYONE_")}
    with database.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *command],
            cwd=ROOT,
            env={**inherited, "PORT": "0", "THIRTYONE_DATABASE": str(database), **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.PIPE,
        )


def until_ready(process: subprocess.Popen[bytes]) -> Server:
    """Return a service once it says that it is ready."""
    said = []
    for line in process.stderr or ():
        if found := _READY.search(line):
            return Server(process, int(found[1]))
        said.append(line)
    process.wait()
    raise AssertionError(f"The service did not start: {b''.join(said).decode()}")


class Answer(NamedTuple):
    """A whole answer."""

    status: int
    head: bytes
    body: bytes

    @property
    def value(self):
        """Return the JSON of the body."""
        return msgspec.json.decode(self.body)

    def header(self, name: str) -> str | None:
        """Return a header's value, or None."""
        found = re.search(rb"\r\n%b: *([^\r]*)\r\n" % name.encode(), self.head + b"\r\n", re.IGNORECASE)
        return found and found[1].decode()


class Client:
    """A connection that stays open. It raises OSError if it is lost before an answer is whole."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, target: str, body: bytes = b"") -> Answer:
        """Send a request and return its answer."""
        self._socket.sendall(
            b"%b %b HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
            % (method.encode(), target.encode(), len(body), body)
        )
        received = b""
        while True:
            chunk = self._socket.recv(1 << 20)
            if not chunk:
                raise ConnectionResetError("The connection ended before the answer did.")
            received += chunk
            head, end, content = received.partition(b"\r\n\r\n")
            if end and len(content) >= _length(head):
                return Answer(int(head[9:12]), head, content)

    def store(self, body: bytes) -> Answer:
        """Ask for a ruling that is kept."""
        return self.ask("POST", "/v1/rulings", body)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def _length(head: bytes) -> int:
    found = _LENGTH.search(head + b"\r\n")
    return int(found[1]) if found else 0
