"""How answers leave: in as few pieces as they can, and without chunks where the client knows none."""

import asyncio
import http.client
import json
import socket
from types import SimpleNamespace

import pytest

from api.cycle import Cycle
from tests.api.stories import LOG
from tests.store.serving import PATIENCE, serving

ANNOUNCED = [(b"content-length", b"11")]


class Request:
    """A request that was read up to its body, and what is done with its connection."""

    def __init__(self, method="GET", version="1.1", *, is_last=False):
        self.done = []
        self.closing = False
        transport = SimpleNamespace(write=self.done.append, is_closing=lambda: self.closing)
        protocol = SimpleNamespace(
            scope={"method": method, "http_version": version},
            transport=transport,
            flow=SimpleNamespace(write_paused=False, resume_reading=lambda: None),
            server_state=SimpleNamespace(default_headers=[(b"date", b"now")]),
            expect_100_continue=True,
        )
        self.cycle = Cycle(protocol, is_last=is_last)

    def begin(self, headers=(), status=200):
        return self.cycle.send({"type": "http.response.start", "status": status, "headers": headers})

    def go_on(self, body, *, more=True):
        return self.cycle.send({"type": "http.response.body", "body": body, "more_body": more})

    def answered_by(self, app):
        """Return what is done when an application, which gets this, answers."""

        async def asgi(*_):
            await app(self)

        asyncio.run(self.cycle.run(asgi, lambda cycle: self.done.append("last" if cycle.is_last else "end")))
        return self.done

    def answered(self, *parts, headers=(), status=200):
        """Return what is done when the answer has these parts."""

        async def app(_):
            await self.begin(headers, status)
            for part in parts[:-1]:
                await self.go_on(part)
            await self.go_on(parts[-1], more=False)

        return self.answered_by(app)


def head(*lines):
    return b"".join(line + b"\r\n" for line in (b"HTTP/1.1 200 OK", b"date: now", *lines, b""))


def test_a_head_goes_with_the_first_part_of_its_body():
    done = Request().answered(b"first", b"second", headers=ANNOUNCED)
    assert done == [head(b"content-length: 11") + b"first", b"second", "end"]


def test_a_body_of_unknown_length_goes_in_chunks():
    assert Request().answered(b"", b"first", b"the sixteen last") == [
        head(b"transfer-encoding: chunked"),
        b"5\r\nfirst\r\n",
        b"10\r\nthe sixteen last\r\n0\r\n\r\n",
        "end",
    ]


def test_who_asks_for_the_head_gets_no_body():
    assert Request("HEAD").answered(b"hello ", b"world", headers=ANNOUNCED) == [
        head(b"content-length: 11"),
        b"",
        "end",
    ]
    assert Request("HEAD").answered(b"hello world") == [head(), "end"]


def test_what_has_no_content_has_no_chunks():
    assert Request().answered(b"", status=204) == [head().replace(b"200 OK", b"204 No Content"), "end"]


@pytest.mark.parametrize(
    ("made", "headers"),
    [({"is_last": True}, ANNOUNCED), ({}, [*ANNOUNCED, (b"connection", b"Close")])],
)
def test_a_last_answer_says_so_once(made, headers):
    sent, *then = Request(**made).answered(b"hello world", headers=headers)
    assert sent.lower().count(b"\r\nconnection: close\r\n") == 1
    assert sent.endswith(b"\r\n\r\nhello world")
    assert then == ["last"]


def test_the_end_of_the_connection_is_that_of_the_answer_for_who_knows_no_chunks():
    done = Request(version="1.0", is_last=True).answered(b"first", b"second")
    assert done == [head(b"connection: close") + b"first", b"second", "last"]


def test_nothing_is_written_to_a_client_that_is_gone():
    closing, gone = Request(), Request()
    closing.closing = True
    assert closing.answered(b"body") == ["end"]
    gone.cycle.lose()
    assert gone.answered(b"body") == []


def test_a_client_that_waits_for_leave_to_send_gets_it_at_once():
    request = Request()
    request.cycle.finish()
    assert asyncio.run(request.cycle.receive()) == {"type": "http.request", "body": b"", "more_body": False}
    assert request.done == [b"HTTP/1.1 100 Continue\r\n\r\n"]


def test_a_client_of_the_first_http_is_not_told_to_go_on():
    request = Request(version="1.0")
    request.cycle.finish()
    asyncio.run(request.cycle.receive())
    assert request.done == []


def test_a_body_is_taken_as_it_comes():
    request = Request()

    async def taken():
        asyncio.get_running_loop().call_later(0.01, request.cycle.bring, b"late")
        request.cycle.bring(b"ear")
        request.cycle.bring(b"ly")
        return [await request.cycle.receive() for _ in range(2)]

    assert [(message["body"], message["more_body"]) for message in asyncio.run(taken())] == [
        (b"early", True),
        (b"late", True),
    ]


def test_all_who_wait_hear_that_the_client_is_gone():
    request = Request()

    async def heard():
        asyncio.get_running_loop().call_later(0.01, request.cycle.lose)
        return await asyncio.gather(request.cycle.receive(), request.cycle.receive())

    assert asyncio.run(heard()) == [{"type": "http.disconnect"}] * 2


def test_after_the_answer_there_is_nothing_to_receive():
    request = Request()
    request.answered(b"")
    assert asyncio.run(request.cycle.receive()) == {"type": "http.disconnect"}


def failed(done):
    """Return the end of what is done when an answer fails, which is a problem."""
    sent, *then = done
    told, _, content = sent.partition(b"\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 500 ")
    assert b"\r\nconnection: close" in told
    assert json.loads(content)["type"] == "/problems/internal-error"
    return then


@pytest.mark.parametrize("body", [b"short", b"longer than that"])
def test_a_body_is_as_long_as_it_says(body):
    assert failed(Request().answered(body, headers=ANNOUNCED)) == ["last"]


@pytest.mark.parametrize("header", [(b"x", b"1\r\ny: 2"), (b"x\ny", b"1"), (b"x", b"1\r")])
def test_a_header_does_not_begin_another(header):
    assert failed(Request().answered(b"", headers=[header])) == ["last"]


def test_parts_out_of_place_are_a_fault():
    async def headless(request):
        await request.go_on(b"early")

    async def two_headed(request):
        await request.begin()
        await request.begin()

    async def endless(request):
        await request.begin()
        await request.go_on(b"", more=False)
        await request.go_on(b"late")

    assert failed(Request().answered_by(headless)) == ["last"]
    assert failed(Request().answered_by(two_headed)) == ["last"]
    assert Request().answered_by(endless) == [head(b"transfer-encoding: chunked") + b"0\r\n\r\n", "end"]


def test_an_answer_that_breaks_off_is_the_last():
    async def fails(request):
        await request.begin(ANNOUNCED)
        await request.go_on(b"hello ")
        raise ValueError

    async def forgets(request):
        await request.begin(ANNOUNCED)
        await request.go_on(b"hello ")

    for app in (fails, forgets):
        assert Request().answered_by(app) == [head(b"content-length: 11") + b"hello ", "last"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("cycle") / "replays.sqlite") as server:
        yield server


def told(server, sent):
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        received = b""
        while piece := connection.recv(1 << 16):
            received += piece
    return received.partition(b"\r\n\r\n")


def test_a_client_of_the_first_http_reads_a_stream_to_its_end(server):
    line = json.dumps({"hand": LOG}).encode() + b"\n"
    asked = b"POST /v1/rulings/batch?store=false HTTP/1.0\r\ncontent-type: application/x-ndjson\r\n"
    head, _, body = told(server, asked + b"content-length: %d\r\n\r\n" % (3 * len(line)) + 3 * line)
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nconnection: close" in head
    assert b"transfer-encoding" not in head
    answers = [json.loads(line) for line in body.splitlines()]
    assert [answer["ruling"]["outcome"] for answer in answers] == ["settled"] * 3


def test_a_client_of_the_first_http_is_told_what_there_is_no_body_of(server):
    for method in (b"HEAD", b"GET"):
        head, _, body = told(server, method + b" /v1/replays HTTP/1.0\r\naccept: application/x-ndjson\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert b"transfer-encoding" not in head
        assert body == b""


def test_who_asks_before_sending_is_answered_once(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("POST", "/v1/rulings?store=false", json.dumps({"hand": LOG}), {"Expect": "100-continue"})
    answer = connection.getresponse()
    assert answer.status == 415
    connection.close()


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"chunked\r\ntransfer-encoding: chunked", b"CHUNKED, chunked"])
def test_a_body_in_a_coding_that_nobody_takes_off_is_refused(server, coding):
    asked = b"POST /v1/rulings?store=false HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    head, _, body = told(server, asked + b"transfer-encoding: %b\r\n\r\n2\r\n{}\r\n0\r\n\r\n" % coding)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["type"] == "/problems/bad-request"
