"""Streams between a real client and a real server: each side may wait, and no side for ever."""

import json
import re
import signal
import socket
import struct
from contextlib import closing
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from replays.connection import CACHE
from replays.store import Store
from tests.api.stories import LOG, SHOWDOWN
from tests.store.checking import check_whole
from tests.store.hands import bodies
from tests.store.serving import PATIENCE, serving, started
from tests.store.soaking import SOAK

LINES = "application/x-ndjson"
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
STORE = CACHE / 1_000_000
"""Megabytes that the store takes for itself, the first time it is used so much."""
KNOCK = json.dumps({"hand": LOG}).encode() + b"\n"
SHOWN = json.dumps({"hand": SHOWDOWN}).encode() + b"\n"


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return tmp_path_factory.mktemp("streams") / "replays.sqlite"


@pytest.fixture(scope="module")
def server(database):
    with serving(database) as server:
        yield server


def head(method="POST", path="/v1/rulings/batch", *more, length=None):
    """Return the head of a request; a body without a length is sent in chunks."""
    size = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    lines = (f"{method} {path} HTTP/1.1", "host: localhost", f"content-type: {LINES}", size, *more)
    return "\r\n".join((*lines, "", "")).encode()


def chunk(content):
    return b"%x\r\n%b\r\n" % (len(content), content)


class Connection:
    """A connection to a server, which is read from when it is asked to be."""

    def __init__(self, server):
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def send(self, content):
        self._socket.sendall(content)

    def reset(self):
        """Close the connection as one that breaks is closed: without a farewell."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def read(self, count):
        return self._file.read(count)

    def status(self):
        """Return the status, after reading the head."""
        line = self._file.readline()
        while self._file.readline().strip():
            pass
        return int(line.split()[1])

    def chunk(self):
        """Return the next chunk of the body; nothing at the end."""
        content = self._file.read(int(self._file.readline(), 16))
        self._file.readline()
        return content

    def body(self):
        """Yield the chunks up to the end."""
        while content := self.chunk():
            yield content


def memory(server, field="VmRSS"):
    """Return the megabytes of memory that the server has."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) / 1000


def hands(count, seed):
    return [body.replace(b"\n", b"") + b"\n" for body in islice(bodies(seed), count)]


@NEEDS_PROC
def test_a_client_may_send_20_megabytes_before_it_reads_a_byte(server):
    lines = hands(10_000, 40)
    assert sum(map(len, lines)) > 20_000_000
    _exchange(server, lines[:500])  # whatever is made once is made
    before = memory(server)
    assert _exchange(server, lines) == len(lines)
    assert memory(server, "VmHWM") - before < 30 + STORE


def _exchange(server, lines):
    """Send lines, all of them before the first answer is read; return how many answers there are."""
    with Connection(server) as connection:
        connection.send(head("POST", "/v1/rulings/batch", length=sum(map(len, lines))))
        connection.send(b"".join(lines))
        assert connection.status() == 200
        body = b"".join(connection.body())
        assert body.count(b'"outcome":"settled"') == body.count(b"\n")
        return body.count(b"\n")


def test_who_sends_a_line_and_waits_gets_the_answer_which_is_on_disk(server, database):
    with Connection(server) as connection, closing(Store(database)) as store:
        connection.send(head())
        for number, line in enumerate(hands(20, 41)):
            connection.send(chunk(line))
            if number == 0:
                assert connection.status() == 200
            answer = json.loads(connection.chunk())
            assert answer["ruling"]["outcome"] == "settled"
            assert store.get(bytes.fromhex(answer["replay"])) is not None
        connection.send(chunk(b'{"hand"'))
        sleep(0.05)
        connection.send(chunk(b": 5}"))  # the last line has no end
        connection.send(b"0\r\n\r\n")
        assert json.loads(connection.chunk())["problem"]["detail"].startswith("Line 21: ")
        assert connection.chunk() == b""


def test_a_client_who_waits_to_be_told_to_go_on_is_told_so(server):
    with Connection(server) as connection:
        connection.send(head("POST", "/v1/rulings/batch", "expect: 100-continue", length=len(KNOCK)))
        assert connection.status() == 100
        connection.send(KNOCK)
        assert connection.status() == 200
        assert json.loads(connection.chunk())["replay"]


def test_the_connection_can_be_used_again(server):
    with Connection(server) as connection:
        for _ in range(3):
            connection.send(head(length=len(KNOCK)) + KNOCK)
            assert connection.status() == 200
            assert len(list(connection.body())) == 1
            connection.send(head("GET", "/health/live", length=0))
            assert connection.status() == 200
            connection.read(31)


def test_ordinary_clients_need_nothing_special(server):
    url = f"http://127.0.0.1:{server.port}/v1/rulings/batch?store=false"
    with httpx.stream("POST", url, content=iter(hands(300, 43)), headers={"content-type": LINES}) as response:
        assert sum(1 for _ in response.iter_lines()) == 300


@pytest.fixture
def passing(tmp_path):
    """A server of its own, which the test may end."""
    server = started(tmp_path / "replays.sqlite")
    yield server
    if server.process.poll() is None:
        server.kill()


def test_a_client_who_goes_away_in_mid_body_leaves_what_was_answered_and_nothing_half(passing, tmp_path):
    lines = hands(31, 44)
    answered = set()
    with Connection(passing) as connection:
        connection.send(head())
        for number, line in enumerate(lines[:30]):
            connection.send(chunk(line))
            if number == 0:
                assert connection.status() == 200
            answered.add(json.loads(connection.chunk())["replay"])
        connection.send(chunk(lines[30][:-50]))
        connection.reset()
    ended = _log_line(tmp_path / "replays.log")
    assert (ended["status"], ended["hands"], ended["kept"], ended["gone"]) == (200, 30, 30, True)
    assert httpx.get(f"http://127.0.0.1:{passing.port}/health/live").status_code == 200
    passing.process.send_signal(signal.SIGTERM)
    _, errors = passing.process.communicate(timeout=PATIENCE)
    assert errors == b""
    assert check_whole(tmp_path / "replays.sqlite") == answered


def _log_line(log):
    """Return the next line of the log of a stream, once it is there."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        for line in log.read_bytes().splitlines():
            found = json.loads(line)
            if "hands" in found:
                return found
        sleep(0.02)
    raise AssertionError("No line came.")


def test_a_stream_of_everything_stops_when_the_client_does(server, database):
    _exchange(server, hands(300, 48))
    with closing(Store(database)) as store:
        count = store.count()
    with Connection(server) as connection:
        connection.send(head("GET", "/v1/replays", f"accept: {LINES}", length=0))
        assert connection.status() == 200
        assert connection.chunk().count(b"\n") == 100
    with httpx.stream("GET", f"http://127.0.0.1:{server.port}/v1/replays", headers={"accept": LINES}) as response:
        assert sum(1 for _ in response.iter_lines()) == count


@NEEDS_PROC
@pytest.mark.skipif(not SOAK, reason="long: part of make soak")
def test_memory_is_flat_over_100_000_lines_in_and_out(server):
    lines = hands(50_000, 45)
    _exchange(server, lines[:1000])
    before = memory(server)
    for half in (lines, hands(50_000, 46)):
        _exchange(server, half)
    with httpx.stream("GET", f"http://127.0.0.1:{server.port}/v1/replays", headers={"accept": LINES}) as response:
        count = sum(chunk.count(b"\n") for chunk in response.iter_bytes())
    assert count >= 100_000
    assert memory(server, "VmHWM") - before < 30 + STORE


@NEEDS_PROC
@pytest.mark.parametrize(
    "body", [b"1\n" * 30_000, b"\n" * 500_000, b"[" * 30_000_000, (b"\xff" * 900_000 + b"\n") * 20]
)
def test_hostile_bodies_cost_little(server, body):
    before = memory(server)
    began = monotonic()
    with Connection(server) as connection:
        connection.send(head(length=len(body)) + body)
        assert connection.status() == 200
        answers = b"".join(connection.body()).splitlines()
    assert all(b'"problem":' in answer for answer in answers)
    assert monotonic() - began < 20
    assert memory(server, "VmHWM") - before < 40


def test_others_are_answered_while_a_long_stream_is_under_way(server):
    body = b"".join(hands(2000, 47))
    with Connection(server) as connection, httpx.Client() as other:
        connection.send(head("POST", "/v1/rulings/batch?store=false", length=len(body)))
        connection.send(body)
        slowest = 0.0
        for _ in range(20):
            began = monotonic()
            assert other.get(f"http://127.0.0.1:{server.port}/health/live").status_code == 200
            slowest = max(slowest, monotonic() - began)
        assert connection.status() == 200
        assert b"".join(connection.body()).count(b"\n") == 2000
    assert slowest < 2
