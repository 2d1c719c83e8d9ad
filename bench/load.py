"""The load: requests over 32 connections that stay open, and a check of every answer, byte for byte.

It runs in the benchmark's own process. What a request costs here is the generator's own limit, so there is
no more to it than sockets: an HTTP library would be slower than the servers.
"""

import re
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from selectors import EVENT_READ, BaseSelector, DefaultSelector
from time import perf_counter, process_time
from typing import NamedTuple

from bench.rounds import WrongAnswerError
from bench.servers import HOST, Server

CONNECTIONS = 32
PATIENCE = 30
"""Seconds without an answer after which a server is given up."""
_CHUNK = 1 << 16
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)


class Exchange(NamedTuple):
    """A request, and the body that has to come back."""

    request: bytes
    answer: bytes
    status: bytes = b"200"


class Saturation(NamedTuple):
    """What a server did when it was asked as fast as it answers."""

    rate: float
    """Requests a second."""
    server_cpu: float | None
    """CPU seconds of a request, in the server."""
    load_cpu: float
    """CPU seconds of a request, here."""


class Latencies(NamedTuple):
    """How long answers took when requests were sent on schedule, in seconds."""

    answers: list[float]
    """From the time at which a request was due."""
    late: list[float]
    """By how much a request was sent after it was due."""


class Connection:
    """A connection, with the exchange that it is busy with."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)  # noqa: FBT003 - sockets take it by position only
        self._received = b""
        self._wanted = Exchange(b"", b"")
        self.due = 0.0

    def send(self, exchange: Exchange) -> None:
        """Send a request, whose answer becomes what is wanted."""
        self._wanted = exchange
        if self.socket.send(exchange.request) != len(exchange.request):
            raise RuntimeError("A request does not fit into the buffer of a connection.")

    def turned_away(self) -> bool:
        """Return whether what has come so far is that the service has too much to do; it is read then."""
        if not self.socket.recv(12, socket.MSG_PEEK).endswith(b" 503"):
            return False
        self.socket.recv(_CHUNK)
        return True

    def answered(self) -> bool:
        """Read what has come; return whether it is the whole answer. Raise WrongAnswerError for a wrong one."""
        chunk = self.socket.recv(_CHUNK)
        received = self._received + chunk if self._received else chunk
        wanted, status = self._wanted.answer, self._wanted.status
        if (
            received.endswith(wanted)
            and received.startswith(b"HTTP/1.1 %b " % status)
            and received.find(b"\r\n\r\n") + 4 + len(wanted) == len(received)
        ):
            self._received = b""
            return True
        if not chunk or _is_whole(received):
            raise WrongAnswerError(f"Wanted {wanted[:1000]!r}, but this came: {received[:1000]!r}")
        self._received = received
        return False


def exchanges(bodies: Sequence[bytes], answers: Sequence[bytes], *, store: bool = False) -> list[Exchange]:
    """Return the requests for rulings of these bodies, with their answers; if they are to be stored, all are new."""
    address, status = (b"/v1/rulings", b"201") if store else (b"/v1/rulings?store=false", b"200")
    return [exchange(address, body, answer, status) for body, answer in zip(bodies, answers, strict=True)]


def exchange(address: bytes, body: bytes, answer: bytes, status: bytes = b"200") -> Exchange:
    """Return the request that posts a body to an address, with its answer."""
    request = (
        b"POST %b HTTP/1.1\r\nHost: %s\r\nAccept: application/json\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
    ) % (address, HOST.encode(), len(body), body)
    return Exchange(request, answer, status)


def saturate(server: Server, work: Sequence[Exchange], seconds: float | None = None) -> Saturation:
    """Send the next request of a connection as soon as it has its answer: for a time, or each request once."""
    sent, finished = 0, 0
    with _connected(server) as (selector, connections):
        cpu_before, load_before = server.cpu_seconds(), process_time()
        began = perf_counter()
        for connection in connections:
            connection.send(work[sent % len(work)])
            sent += 1
        while finished < sent:
            running = seconds is None or perf_counter() - began < seconds
            ready = selector.select(PATIENCE)
            if not ready:
                raise TimeoutError("A server does not answer.")
            for key, _ in ready:
                connection = key.data
                if connection.answered():
                    finished += 1
                    if running and (seconds is not None or sent < len(work)):
                        connection.send(work[sent % len(work)])
                        sent += 1
        took = perf_counter() - began
        load_cpu, cpu_after = process_time() - load_before, server.cpu_seconds()
    server_cpu = None if cpu_before is None or cpu_after is None else (cpu_after - cpu_before) / finished
    return Saturation(finished / took, server_cpu, load_cpu / finished)


def send_on_schedule(server: Server, work: Sequence[Exchange], rate: float, seconds: float) -> Latencies:
    """Send requests at even distances, whether or not the server keeps up.

    A request that is due while every connection is busy waits here, and that wait counts.
    """
    total = int(rate * seconds)
    answers: list[float] = []
    late: list[float] = []
    with _connected(server) as (selector, connections):
        free = deque(connections)
        began = perf_counter()
        while len(answers) < total:
            now, due = perf_counter(), began + len(late) / rate
            if now > began + seconds + PATIENCE:
                raise TimeoutError("A server does not keep up with half of what it did before.")
            if free and now >= due and len(late) < total:
                connection = free.popleft()
                connection.due = due
                connection.send(work[len(late) % len(work)])
                late.append(now - due)
            for key, _ in selector.select(0):  # not to wait: a timeout would be too coarse for the schedule
                connection = key.data
                if connection.answered():
                    answers.append(perf_counter() - connection.due)
                    free.append(connection)
    return Latencies(answers, late)


@contextmanager
def _connected(server: Server) -> Iterator[tuple[BaseSelector, list[Connection]]]:
    with ExitStack() as stack:
        selector = stack.enter_context(DefaultSelector())
        connections = [Connection(server.port) for _ in range(CONNECTIONS)]
        for connection in connections:
            stack.enter_context(connection.socket)
            selector.register(connection.socket, EVENT_READ, connection)
        yield selector, connections


def _is_whole(received: bytes) -> bool:
    """Return whether all of a response has come, whatever it says."""
    head, end, body = received.partition(b"\r\n\r\n")
    length = _LENGTH.search(head + b"\r\n")
    return bool(end) and (length is None or len(body) >= int(length[1]))
