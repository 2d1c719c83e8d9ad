"""The last answer of a connection, and those before it: a client gets them while it is still sending."""

import http.client
import json
import re
from time import monotonic, sleep

import pytest

from api.bounds import LIMITS
from tests.api.raw import HEALTH, HURRIED, KNOCK, RULING, SIZE, connected, problem, rest, slowly, told
from tests.store.serving import PATIENCE, Client, serving

CLUB = "https://club.example"
MEGABYTES_20 = 20_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    path = tmp_path_factory.mktemp("last") / "replays.sqlite"
    with serving(path, HURRIED, THIRTYONE_CORS_ORIGINS=CLUB) as server:
        yield server


def test_a_client_that_sends_all_of_it_first_reads_why_it_is_too_large(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    for _ in range(5):  # a reset would overtake the answer now and then
        connection.request("POST", "/v1/rulings", b" " * MEGABYTES_20, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 413
        assert json.load(answer)["type"] == "/problems/too-large"
        assert answer.getheader("connection") == "close"
    connection.close()


def test_a_client_that_does_not_say_how_much_it_sends_reads_it_too(server):
    with connected(server) as connection:
        connection.sendall(RULING + b"transfer-encoding: chunked\r\n\r\n")
        for _ in range(200):
            connection.sendall(b"186a0\r\n" + b" " * 100_000 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        problem(rest(connection), 413, "too-large")


def test_a_client_that_takes_its_time_to_send_it_reads_it_too(server):
    with connected(server) as connection:
        connection.sendall(RULING + b"content-length: %d\r\n\r\n" % MEGABYTES_20)
        for _ in range(40):
            connection.sendall(b" " * (MEGABYTES_20 // 40))
            sleep(0.1)
        problem(rest(connection), 413, "too-large")


def test_who_sends_on_and_on_is_cut_off(server):
    began = monotonic()
    with pytest.raises(OSError, match=r"reset|pipe"), connected(server) as connection:  # noqa: PT012 - any piece may be the last
        connection.sendall(RULING + b"content-length: %d\r\n\r\n" % MEGABYTES_20)
        while monotonic() - began < PATIENCE:
            connection.sendall(b" ")
            sleep(0.1)
    assert monotonic() - began < 15


def test_a_client_that_asks_first_need_not_send_it(server):
    with connected(server) as connection:
        connection.sendall(RULING + b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % MEGABYTES_20)
        problem(rest(connection), 413, "too-large")


def test_what_has_more_framing_than_content_reads_that_it_has(server):
    with connected(server) as connection:
        connection.sendall(RULING + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
        for number in range(500):
            connection.sendall(b"x-%d: %b\r\n" % (number, b"a" * 1000))
        problem(rest(connection), 400, "bad-request")


def test_what_is_ignored_ends(server):
    def send_on():
        for _ in range(2000):
            connection.sendall(b" " * 100_000)

    with connected(server) as connection:
        connection.sendall(RULING + b"content-length: 100000000000\r\n\r\n")
        with pytest.raises(OSError):  # noqa: PT011 - whichever way a broken connection is told
            send_on()


def test_answers_of_the_guard_may_be_read_by_pages_that_may_read_all_others(server):
    for origin, may_read in ((CLUB, True), ("https://other.example", False)):
        with connected(server) as connection:
            head = f"GET /v1/presets HTTP/1.1\r\nhost: x\r\norigin: {origin}\r\n" + "x: y\r\n" * 200
            connection.sendall(f"{head}\r\n".encode())
            answer = rest(connection)
        problem(answer, 431, "head-too-large")
        assert (f"\r\naccess-control-allow-origin: {CLUB}\r\n".encode() in answer) == may_read
        assert answer.count(b"\r\nvary: Origin\r\n") == 1


def test_answers_of_the_guard_are_counted(tmp_path):
    with serving(tmp_path / "replays.sqlite", HURRIED) as server:
        with connected(server) as connection:
            connection.sendall(b"")
            problem(rest(connection), 408, "too-slow")
        with connected(server) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            problem(rest(connection), 400, "bad-request")
        with Client(server.port) as client:
            told = client.ask("GET", "/metrics").body.decode()
    counted = [line for line in told.splitlines() if line.startswith("thirtyone_http_requests_total{")]
    kinds = {
        tuple(re.search(f'{label}="(.*?)"', line)[1] for label in ("route", "method", "status")) for line in counted
    }
    assert kinds == {("none", "other", "408"), ("none", "other", "400")}
    assert all(line.endswith(" 1.0") for line in counted)


def test_a_few_requests_may_be_sent_ahead_but_not_many(server):
    assert told(server, [HEALTH * 10]).count(b"HTTP/1.1 200 ") == 10
    assert 10 < told(server, [HEALTH * 10_000]).count(b"HTTP/1.1 200 ") < 100


def test_as_many_as_may_wait_may_come_at_once(server):
    answer = told(server, [HEALTH * (1 + LIMITS.pipelined)])
    assert answer.count(b"HTTP/1.1 200 ") == 1 + LIMITS.pipelined
    assert b"connection: close" not in answer


def test_what_was_taken_is_answered_though_more_comes(server):
    for _ in range(20):  # a reset would overtake the answers now and then
        answer = told(server, slowly(HEALTH * 60, HEALTH * 20, pause=0.002))
        assert answer.count(b"HTTP/1.1 200 ") > LIMITS.pipelined
        assert answer.count(b"connection: close") == 1


def test_what_comes_behind_a_request_that_is_the_last_costs_no_answer(server):
    asked = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n%b\r\n"
    for _ in range(20):  # likewise
        answer = told(server, [asked % b"" + asked % b"connection: close\r\n" + HEALTH * 10_000])
        head, _, body = answer[answer.rfind(b"HTTP/1.1 ") :].partition(b"\r\n\r\n")
        assert answer.count(b"HTTP/1.1 200 ") == 2
        assert b"\r\ncontent-length: %d\r\n" % len(body) in head


def test_nobody_waits_for_what_comes_behind_the_last_answer(server):
    last = RULING.replace(b"HTTP/1.1", b"HTTP/1.0") + b"connection: keep-alive\r\n" + SIZE + KNOCK
    with connected(server) as connection:
        connection.sendall(last + RULING + SIZE + KNOCK[:9])
        assert rest(connection).count(b"HTTP/1.1 ") == 1
        with pytest.raises(OSError, match=r"reset|pipe"):  # noqa: PT012 - any of them may be the last
            for _ in range(PATIENCE):
                connection.sendall(b" ")
                sleep(1)
