"""Connections and requests beyond what the service takes are turned away at once."""

import json
from contextlib import ExitStack
from time import monotonic, sleep

from tests.api.raw import HEALTH, HURRIED, KNOCK, RULING, connected, problem, rest, told
from tests.store.serving import PATIENCE, Client, serving


def test_connections_beyond_the_limit_are_turned_away_at_once(tmp_path):
    with (
        serving(tmp_path / "replays.sqlite", (*HURRIED, "connections=5", "head_seconds=60")) as server,
        ExitStack() as stack,
    ):
        held = [stack.enter_context(connected(server)) for _ in range(5)]
        for connection in held:
            connection.sendall(HEALTH)
            assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
        answer = told(server, [b""])
        problem(answer, 503, "overloaded")
        assert b"\r\nretry-after: 5\r\n" in answer
        held[0].close()
        deadline = monotonic() + PATIENCE
        while not told(server, [HEALTH]).startswith(b"HTTP/1.1 200 "):
            assert monotonic() < deadline


def test_requests_beyond_the_limit_are_turned_away_and_health_is_told_all_the_same(tmp_path):
    with serving(tmp_path / "replays.sqlite", (*HURRIED, "requests=0")) as server, Client(server.port) as client:
        for _ in range(3):
            answer = client.ask("POST", "/v1/rulings?store=false", KNOCK)
            assert answer.status == 503
            assert answer.value["type"] == "/problems/overloaded"
            assert answer.header("retry-after") == "1"
            assert answer.header("connection") is None
            assert client.ask("GET", "/health/live").status == 200
            assert client.ask("GET", "/health/ready").status == 200
        with connected(server) as connection:
            connection.sendall(RULING + b"content-length: 900000\r\n\r\n")
            assert rest(connection).startswith(b"HTTP/1.1 503 ")
        deadline = monotonic() + PATIENCE
        while turned_away(tmp_path / "replays.log") < 4:
            assert monotonic() < deadline
            sleep(0.05)
    assert turned_away(tmp_path / "replays.log") == 4


def turned_away(log):
    """Return how many requests were turned away, as the log says."""
    lines = [json.loads(line) for line in log.read_bytes().splitlines()]
    return sum(line["requests"] for line in lines if line["event"] == "overloaded")
