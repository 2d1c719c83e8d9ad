"""Clients who go away before they are answered leave nothing behind: no thread, no connection, no file, no memory."""

import json
import os
import socket
import struct
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.api.stories import LOG
from tests.api.test_stopping import batch, request
from tests.store.hands import bodies
from tests.store.serving import PATIENCE, Client, serving

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="what a process holds is read from /proc")

LINES = b"".join(body.replace(b"\n", b"") + b"\n" for body in islice(bodies(52), 2000))
STREAM = (
    b"POST /v1/rulings/batch?store=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(LINES), LINES)
)
ASKED = {
    "a batch": request(b"/v1/rulings/batch?store=false", batch(300)),
    "several at once": request(b"/v1/rulings/batch?store=false", batch(300))
    + 2 * request(b"/v1/rulings?store=false", json.dumps({"hand": LOG}).encode()),
    "half a batch": request(b"/v1/rulings/batch", batch(300))[:-1000],
    "a dispute": request(b"/v1/disputes", json.dumps({"hand": LOG}).encode()),
    "a stream": STREAM,
    "all replays": b"GET /v1/replays HTTP/1.1\r\nhost: x\r\naccept: application/x-ndjson\r\n\r\n",
    "nonsense": request(b"/v1/rulings", b'{"hand":' + b"[" * 900_000),
    "half a head": b"GET /v1/replays HTTP/1.1\r\nhost: ",
}


def held(server):
    """Return how many threads and open files a server has."""
    process = Path(f"/proc/{server.process.pid}")
    return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))


def memory(server):
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def ask_and_go(server, sent, times):
    for number in range(times):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            if number % 2:  # as a connection that breaks
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(sent)


def until_it_rests(server):
    """Wait until the server has done what it was asked, as far as it does it."""
    deadline, before = monotonic() + PATIENCE, -1
    while monotonic() < deadline:
        ticks = sum(map(int, Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
        if ticks - before <= 1:
            return
        before = ticks
        sleep(0.25)
    pytest.fail("it goes on working for nobody")


def test_clients_who_go_while_a_last_answer_is_under_way_are_no_fault(tmp_path):
    last = ASKED["a batch"].replace(b"HTTP/1.1\r\n", b"HTTP/1.0\r\nconnection: keep-alive\r\n")
    with serving(tmp_path / "replays.sqlite") as server:
        ask_and_go(server, last + ASKED["a dispute"], 12)
        until_it_rests(server)
    lines = [json.loads(line) for line in (tmp_path / "replays.log").read_bytes().splitlines()]
    assert {line["event"] for line in lines} == {"request"}
    assert len(lines) == 12


def test_clients_who_go_leave_nothing_behind(tmp_path):
    with serving(tmp_path / "replays.sqlite") as server:
        with Client(server.port) as client:
            for body in islice(bodies(53), 50):
                assert client.store(body).status == 201
        for sent in ASKED.values():  # whatever is made once is made
            ask_and_go(server, sent, 12)
            until_it_rests(server)
        before, used = held(server), memory(server)
        for what, sent in ASKED.items():
            ask_and_go(server, sent, 12)
            until_it_rests(server)
            threads, files = held(server)
            assert threads <= before[0] + 6, what  # those of a pool that was not full yet
            assert files <= before[1] + 6, what  # the store's connections for these
        assert memory(server) - used < 20
        with Client(server.port) as client:
            assert client.ask("GET", "/health/ready").status == 200
            assert client.ask("POST", "/v1/rulings/batch?store=false", batch(10)).status == 200
        server.process.terminate()
        assert server.process.stderr.read() == b""
