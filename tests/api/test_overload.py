"""More than can be answered: some of it is answered, the rest turned away at once, and afterwards all is as before."""

import asyncio
import socket
from contextlib import ExitStack
from time import monotonic, sleep

import pytest

from api.bounds import Limits
from api.traffic import Traffic
from bench.inprocess import right_answers
from bench.load import exchanges, saturate
from bench.logs import standard_logs
from bench.overload import flood, memory
from bench.servers import Server
from tests.api.test_stopping import batch, request
from tests.store.serving import PATIENCE, Client, serving
from tests.store.soaking import SOAK


def status_of(connection):
    """Return the status of an answer, after reading all of it."""
    with connection.makefile("rb") as file:
        status, length = int(file.readline().split()[1]), 0
        while line := file.readline().strip():
            name, _, value = line.partition(b": ")
            length = int(value) if name == b"content-length" else length
        assert len(file.read(length)) == length
    return status


def test_what_is_too_much_is_turned_away_while_the_rest_is_answered(tmp_path):
    sent = request(b"/v1/rulings/batch?store=false", batch(300))
    command = ("-m", "tests.api.hurried", "requests=20", "body_seconds=30")
    with serving(tmp_path / "replays.sqlite", command) as server, ExitStack() as stack:
        address = ("127.0.0.1", server.port)
        connections = [stack.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(60)]
        for connection in connections:
            connection.sendall(sent)
        with Client(server.port) as client:
            assert client.ask("GET", "/health/live").status == 200
            assert client.ask("GET", "/health/ready").status == 200
        statuses = [status_of(connection) for connection in connections]
        assert set(statuses) == {200, 503}
        with Client(server.port) as client:
            assert client.ask("POST", "/v1/rulings/batch?store=false", batch(10)).status == 200


def test_how_many_connections_there_may_be_can_be_set(tmp_path):
    with serving(tmp_path / "replays.sqlite", THIRTYONE_CONNECTIONS="3") as server, ExitStack() as stack:
        address = ("127.0.0.1", server.port)
        first = [stack.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(3)]
        for connection in first:
            connection.sendall(b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n")
            assert status_of(connection) == 200
        assert status_of(stack.enter_context(socket.create_connection(address, timeout=PATIENCE))) == 503


class Quiet:
    """A connection that never has to be cut off."""

    def check(self, now):
        assert now > 0


def test_fewer_requests_are_taken_while_the_event_loop_comes_late():
    async def run():
        traffic, connections = Traffic(Limits(requests=200, lag=0.05)), {Quiet()}
        traffic.watch(asyncio.get_running_loop(), connections)
        traffic.under_way = 100
        assert not traffic.is_too_much
        deadline = monotonic() + PATIENCE
        while not traffic.is_too_much and monotonic() < deadline:
            sleep(0.3)  # noqa: ASYNC251 - to hold up the loop is what it is for
            await asyncio.sleep(0)
        assert traffic.is_too_much
        while traffic.is_too_much and monotonic() < deadline:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.05)
        assert not traffic.is_too_much
        connections.clear()

    asyncio.run(run())


@pytest.mark.skipif(not SOAK, reason="it says how fast the service is: part of make soak")
def test_twice_the_load_leaves_most_of_the_answers(tmp_path):
    logs = standard_logs(100)
    work = exchanges([log.body for log in logs], right_answers(logs))
    with serving(tmp_path / "replays.sqlite") as started:
        server = Server(started.port, started.process.pid, tmp_path / "replays.sqlite")
        saturate(server, work, 5)
        peak, used = saturate(server, work, 5).rate, memory(server)
        flooded = flood(server, work, peak * 2, 20)
        print(f"peak {peak:.0f}/s, {flooded}")  # noqa: T201 - what a run has shown; pytest keeps it unless asked
        assert flooded.good > peak / 2
        assert flooded.seconds < 2
        assert flooded.memory - used < 50
        sleep(2)
        assert saturate(server, work, 5).rate > peak / 2
