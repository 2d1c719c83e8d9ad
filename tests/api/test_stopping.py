"""The service is told to stop while it works: what it has taken is answered, and nothing new is taken."""

import json
import signal
import socket
from itertools import islice
from time import monotonic, sleep

import pytest

from api.parting import FAREWELL
from tests.api.stories import LOG
from tests.store.checking import check_whole
from tests.store.hands import bodies
from tests.store.serving import PATIENCE, SLOW, serving

HANDS = list(islice(bodies(51), 300))


def request(path, body, method=b"POST"):
    return b"%b %b HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
        method,
        path,
        len(body),
        body,
    )


def batch(count):
    return json.dumps({"hands": [json.loads(body)["hand"] for body in HANDS[:count]]}).encode()


def connected(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def until_closed(connection):
    received = b""
    while piece := connection.recv(1 << 20):
        received += piece
    return received


@pytest.fixture
def path(tmp_path):
    return tmp_path / "replays.sqlite"


def test_what_is_under_way_is_answered_whole_and_kept(path):
    asked = [request(b"/v1/rulings", body) for body in HANDS[:30]]
    asked += [request(b"/v1/rulings/batch?store=false", batch(300))] * 5
    with serving(path, SLOW) as server:
        connections = [connected(server) for _ in asked]
        for connection, sent in zip(connections, asked, strict=True):
            connection.sendall(sent)
        server.process.send_signal(signal.SIGTERM)
        acknowledged = set()
        for connection in connections:
            with connection:
                head, _, body = until_closed(connection).partition(b"\r\n\r\n")
            assert head[9:12] in {b"200", b"201"}
            assert b"\r\ncontent-length: %d\r\n" % len(body) in head
            acknowledged |= {json.loads(body)["replay"]} if b"\r\nlocation" in head else set()
        assert server.process.wait(PATIENCE) == 0
    assert len(acknowledged) == 30
    assert check_whole(path) == acknowledged


def test_connections_that_wait_to_be_taken_are_taken_still(path):
    asked = request(b"/v1/rulings?store=false", HANDS[0])
    with serving(path) as server:
        server.process.send_signal(signal.SIGSTOP)
        connections = [connected(server) for _ in range(500)]
        for connection in connections:
            connection.sendall(asked)
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGCONT)
        for connection in connections:
            with connection:
                assert until_closed(connection).startswith(b"HTTP/1.1 200 ")
        assert server.process.wait(PATIENCE) == 0


def test_a_connection_that_is_taken_last_is_told_too(path):
    with serving(path) as server:
        server.process.send_signal(signal.SIGSTOP)
        with connected(server) as connection:
            sleep(0.2)  # until it is time to ask whether to stop, in the turn in which the connection is taken
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGCONT)
            assert until_closed(connection) == b""
        assert server.process.wait(PATIENCE) == 0


def test_a_body_that_is_on_its_way_is_waited_for(path):
    sent = request(b"/v1/rulings?store=false", json.dumps({"hand": LOG}).encode())
    with serving(path) as server, connected(server) as connection:
        connection.sendall(sent[:-100])
        sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        sleep(1.5)
        connection.sendall(sent[-100:])
        assert until_closed(connection).startswith(b"HTTP/1.1 200 ")
        assert server.process.wait(PATIENCE) == 0


def test_who_does_not_leave_after_the_last_answer_holds_up_little(path):
    sent = request(b"/v1/rulings?store=false", HANDS[0])
    hurried = ("-m", "tests.api.hurried", "rest_seconds=0", "head_seconds=60")
    with serving(path, hurried) as server, connected(server) as connection:
        connection.sendall(sent[:-100])
        sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        connection.sendall(sent[-100:])
        assert until_closed(connection).startswith(b"HTTP/1.1 200 ")
        began = monotonic()
        assert server.process.wait(PATIENCE) == 0
        assert monotonic() - began < FAREWELL


def test_it_is_no_longer_ready_and_takes_no_more_connections(path):
    with serving(path, ("-m", "tests.api.hurried", "rest_seconds=9", "head_seconds=60")) as server:
        with connected(server) as asking, connected(server) as working:
            asking.sendall(b"GET /health/ready HTTP/1.1\r\n")
            working.sendall(b"GET /v1/presets HTTP/1.1\r\n")
            sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            _until_it_refuses(server)
            asking.sendall(b"host: x\r\n\r\n")
            answer = until_closed(asking)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["type"] == "/problems/overloaded"
            working.sendall(b"host: x\r\n\r\n")
            answer = until_closed(working)
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert b"\r\nconnection: close\r\n" in answer
        assert server.process.wait(PATIENCE) == 0


def _until_it_refuses(server):
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        try:
            connected(server).close()
        except OSError:
            return
        sleep(0.05)
    pytest.fail("it takes connections")
