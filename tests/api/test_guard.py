"""Clients that are slow, rude or too many, at a real server whose patience is a tenth of the usual one."""

import json
import re
import socket
from contextlib import ExitStack
from itertools import repeat
from time import monotonic, sleep

import pytest
import uvicorn

from tests.api.raw import CHUNKED, HEALTH, HURRIED, KNOCK, RULING, SIZE, connected, problem, rest, slowly, told
from tests.store.serving import PATIENCE, Client, serving

LINES = b"POST /v1/rulings/batch?store=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\n" + CHUNKED


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guard") / "replays.sqlite", HURRIED) as server:
        yield server


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n",
        b"POST /v1/rul",
        RULING,
        RULING + b"content-length: 500\r\n\r\n",
        RULING + b"content-length: 500\r\n\r\n{",
        RULING + CHUNKED + b"1\r\n{",
        RULING.replace(b"rulings?store=false", b"replays/0/reruns") + b"content-length: 9\r\n\r\n{",
        HEALTH + b"GET ",
    ],
)
def test_a_request_that_does_not_come_to_an_end_is_a_408(server, sent):
    answer = told(server, [sent])
    problem(answer[answer.rfind(b"HTTP/1.1 ") :], 408, "too-slow")


def dripping(first, piece, pause):
    yield first
    for _ in range(40):
        yield piece
        sleep(pause)


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n"),
        (RULING + b"content-length: 500\r\n\r\n", b" "),
        (RULING + CHUNKED, b"1\r\n \r\n"),
    ],
)
def test_a_byte_now_and_then_does_not_help(server, first, piece):
    began = monotonic()
    problem(told(server, dripping(first, piece, 0.2)), 408, "too-slow")
    assert monotonic() - began < PATIENCE


def test_a_slow_body_that_goes_on_is_waited_for(server):
    body = KNOCK + b" " * 1800
    with connected(server) as connection:
        connection.sendall(RULING + b"content-length: %d\r\n\r\n" % len(body))
        for begin in range(0, len(body), 300):
            connection.sendall(body[begin : begin + 300])
            sleep(0.25)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 101 + b"\r\n",
        b"GET / HTTP/1.1\r\na: " + b"b" * 33_000 + b"\r\n\r\n",
        b"GET /" + b"b" * 33_000 + b" HTTP/1.1\r\n\r\n",
    ],
)
def test_a_head_that_is_too_large_is_a_431(server, head):
    problem(told(server, [head]), 431, "head-too-large")
    problem(told(server, slowly(head[:-2], head[-2:])), 431, "head-too-large")


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 10_000),
        (b"GET / HTTP/1.1\r\na: ", b"b" * 65536),
        (b"GET /", b"b" * 65536),
        (RULING + CHUNKED + b"1;", b"b" * 65536),
        (RULING + CHUNKED + b"1\r\n{\r\n0\r\na: ", b"b" * 65536),
        (RULING + CHUNKED + b"1\r\n{\r\n0\r\n", b"a: b\r\n" * 10_000),
        (RULING + CHUNKED, b"1\r\n \r\n" * 10_000),
    ],
)
def test_what_has_no_end_is_cut_off(server, first, piece):
    def pieces():
        yield first
        yield from repeat(piece)

    answer = told(server, pieces())
    assert answer[9:12] in {b"400", b"413", b"431", b""}  # a client that only sends may lose the answer


@pytest.mark.parametrize(
    "sent", [b"what is this\r\n\r\n", b"CONNECT x:1 HTTP/1.1\r\n\r\n", RULING + CHUNKED + b"zz\r\n"]
)
def test_what_is_no_http_is_a_problem_too(server, sent):
    problem(told(server, [sent]), 400, "bad-request")


UPGRADE = b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n"


@pytest.mark.parametrize(
    "pieces",
    [
        [RULING + UPGRADE + SIZE + KNOCK],
        [RULING + UPGRADE + SIZE, KNOCK],
        [RULING + SIZE[:-2] + UPGRADE + b"\r\n" + KNOCK[:9], KNOCK[9:]],
        [RULING + UPGRADE + CHUNKED, b"%x\r\n%b\r\n0\r\n\r\n" % (len(KNOCK), KNOCK)],
    ],
)
def test_who_would_change_to_another_protocol_is_answered_like_anybody_else(server, pieces):
    def sent():
        for piece in pieces:
            yield piece
            sleep(0.1)
        yield HEALTH[:-2] + UPGRADE + b"\r\n" + HEALTH

    answer = told(server, sent())
    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200"] * 3
    assert b'"outcome":"' in answer


@pytest.mark.parametrize("more", [b"", b"\r\n"])
def test_an_idle_connection_is_closed(server, more):
    with connected(server) as connection:
        connection.sendall(HEALTH + more)
        assert rest(connection).count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("hosts", [b"", b"host: x\r\nhost: x\r\n"])
def test_a_request_has_one_host(server, hosts):
    problem(told(server, [b"GET /health/live HTTP/1.1\r\n" + hosts + b"\r\n"]), 400, "bad-request")
    older = told(server, [b"GET /health/live HTTP/1.0\r\n" + hosts + b"\r\n"])
    assert older.startswith(b"HTTP/1.1 200 ")


def test_who_does_not_read_is_cut_off(server):
    with connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        document = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n"
        connection.sendall(document * 20)
        sleep(6)
        received = rest(connection)
    with Client(server.port) as client:
        whole = len(client.ask("GET", "/openapi.json").body)
    assert len(received) < 20 * whole


def test_who_reads_slowly_is_not(server):
    with connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        received = b""
        began = monotonic()
        while piece := connection.recv(10_000):
            received += piece
            sleep(0.02 if monotonic() - began < 5 else 0)
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"\r\ncontent-length: %d\r\n" % len(body) in head


def test_a_stream_may_pause_but_not_for_ever(server):
    line = b"%x\r\n%b\n\r\n" % (len(KNOCK) + 1, KNOCK)
    with connected(server) as connection:
        connection.sendall(LINES)
        for _ in range(4):
            connection.sendall(line)
            sleep(1.5)  # longer than a body may
        answers = rest(connection)
    lines = [json.loads(each) for each in answers.splitlines() if each.startswith(b"{")]
    assert ["ruling" in each for each in lines] == [True] * 4 + [False]
    assert lines[-1]["problem"]["type"] == "/problems/too-slow"
    assert answers.endswith(b"\r\n0\r\n\r\n")


def test_a_stream_that_never_begins_is_a_408(server):
    problem(told(server, [LINES]), 408, "too-slow")


def test_many_that_say_nothing_hold_up_nobody(server):
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(server)) for _ in range(300)]
        for number, connection in enumerate(silent):
            connection.sendall((b"", b"GET / HT", RULING + b"content-length: 5\r\n\r\n{")[number % 3])
        with Client(server.port) as client:
            for _ in range(20):
                assert client.ask("GET", "/health/live").status == 200
        for connection in silent:
            problem(rest(connection), 408, "too-slow")


def test_the_guard_fits_the_server_that_is_installed():
    assert uvicorn.__version__.startswith("0.54."), "look through api/guard.py, which leans on the inside of Uvicorn"


def test_a_request_that_is_cut_off_is_in_the_log(tmp_path):
    with serving(tmp_path / "replays.sqlite", HURRIED) as server:
        identity = problem(told(server, [b"no\r\n\r\n"]), 400, "bad-request")["request_id"]
    logged = [json.loads(line) for line in (tmp_path / "replays.log").read_bytes().splitlines()]
    assert [(line["request_id"], line["status"]) for line in logged] == [(identity, 400)]
