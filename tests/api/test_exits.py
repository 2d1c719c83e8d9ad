"""How answers leave: in as few pieces as they can, and without chunks where the client knows none."""

import http.client
import json
import socket

import pytest

from api.exits import Exit, ExitWithoutChunks
from tests.api.stories import LOG
from tests.store.serving import PATIENCE, serving

HEAD = b"HTTP/1.1 200 OK\r\ndate: now\r\n\r\n"
CHUNKED = HEAD.replace(b"\r\n\r\n", b"\r\ntransfer-encoding: chunked\r\n\r\n")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Transport:
    """Remembers each piece that was sent, and what was done then."""

    def __init__(self):
        self.done = []
        self.closing = False

    def write(self, data):
        self.done.append(data)

    def writelines(self, pieces):
        self.done.append(b"".join(pieces))

    def is_closing(self):
        return self.closing


def way_out(kind):
    transport = Transport()
    return transport, kind(transport, lambda: transport.done.append("left"))


def test_a_head_goes_with_the_first_part_of_its_body():
    transport, leaving = way_out(Exit)
    for _ in range(2):
        leaving.write(HEAD)
        assert transport.done == []
        leaving.write(b"first")
        leaving.write(b"second")
        leaving.end()
        assert transport.done == [HEAD + b"first", b"second"]
        transport.done.clear()


def test_a_head_without_a_body_goes_at_the_end():
    transport, leaving = way_out(Exit)
    leaving.write(HEAD)
    leaving.end()
    leaving.write(HEAD)
    leaving.close()
    assert transport.done == [HEAD, HEAD, "left"]


def test_a_client_that_waits_for_leave_to_send_gets_it_at_once():
    transport, leaving = way_out(Exit)
    leaving.write(CONTINUE)
    assert transport.done == [CONTINUE]
    leaving.write(HEAD)
    leaving.write(b"body")
    assert transport.done == [CONTINUE, HEAD + b"body"]


def test_a_body_may_look_like_a_head():
    transport, leaving = way_out(Exit)
    leaving.write(HEAD)
    leaving.write(HEAD)
    leaving.write(HEAD)
    assert transport.done == [HEAD + HEAD, HEAD]


def test_nothing_is_written_to_a_client_that_is_gone():
    transport, leaving = way_out(Exit)
    leaving.write(HEAD)
    transport.closing = True
    leaving.write(b"body")
    leaving.close()
    assert transport.done == ["left"]


def test_chunks_are_taken_off_for_who_knows_none():
    transport, leaving = way_out(ExitWithoutChunks)
    leaving.write(CHUNKED)
    leaving.write(b"")
    leaving.write(b"c\r\nfirst\r\nfirst\r\n")
    leaving.write(b"6\r\nsecond\r\n0\r\n\r\n")
    leaving.write(b"0\r\n\r\n")
    leaving.close()
    assert transport.done[-1] == "left"
    assert b"".join(transport.done[:-1]) == HEAD + b"first\r\nfirstsecond"


def test_a_body_of_known_length_stays_as_it_is():
    transport, leaving = way_out(ExitWithoutChunks)
    leaving.write(HEAD)
    leaving.write(b"4\r\nbody\r\n")
    assert transport.done == [HEAD + b"4\r\nbody\r\n"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("exits") / "replays.sqlite") as server:
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
