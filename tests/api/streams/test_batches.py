"""Batches of any length, each line answered by itself."""

import json
from itertools import islice

import pytest
from litestar.testing import TestClient
from structlog.testing import capture_logs

from api import conversations
from api.access import Access
from api.app import create_app
from api.conversations import LONGEST_LINE
from api.gate import Gate
from api.inbox import MOST_LINES
from api.keys import ApiKey, digest_of, new_key
from api.resources import Resources
from engine import VERSION
from replays.faults import StoreError
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed
from tests.api.streams.streaming import LINES, UNFINISHED, ask, client_of, lines_of, send
from tests.store.hands import bodies


def test_each_line_is_answered_in_order_as_the_hand_would_be_by_itself(client, store):
    requests = [{"hand": LOG}, {"hand": SHOWDOWN, "rules": {"preset": "casual"}}, {"hand": UNFINISHED}, {"hand": LOG}]
    answers = lines_of(send(client, *requests))
    assert answers == [client.post("/v1/rulings", json=request).json() for request in requests]
    assert [answer["replay"] is None for answer in answers] == [False, False, True, False]
    assert store.count() == 2


def test_a_line_has_the_shape_of_an_item_of_a_batch(client):
    item = client.post("/v1/rulings/batch", json={"hands": [LOG]}).json()["answers"][0]
    assert lines_of(send(client, {"hand": LOG})) == [item]


@pytest.mark.parametrize(
    ("line", "status", "slug", "detail"),
    [
        (b"{", 400, "not-decodable", "The line cannot be decoded"),
        (b"\xff\xfe{}", 400, "not-decodable", "The line cannot be decoded"),
        (b'{"hand":"\xff"}', 400, "not-decodable", "not UTF-8"),
        (b"[" * 100_000, 400, "not-decodable", "The line is nested too deeply"),
        (b"5", 422, "invalid", "Expected `object`, got `int` at the top"),
        (b"{}", 422, "invalid", "missing required field `hand`"),
        ({"hands": [LOG]}, 422, "invalid", "/hands"),
        ({"hand": changed(LOG, "dealer", to="4")}, 422, "invalid", "/hand/dealer"),
        ({"hand": LOG, "rules": {"preset": "none"}}, 422, "invalid", "/rules/preset"),
        (
            {"hand": LOG, "rules": {"changes": {"county": "none", "loss_beyond_lives": "county"}}},
            422,
            "incompatible-answers",
            "needs `county`",
        ),
        (b" " * (LONGEST_LINE + 1), 413, "too-large", "longer than 1,000,000 bytes"),
        (json.dumps({"hand": LOG}).encode() + b" " * LONGEST_LINE, 413, "too-large", "longer than 1,000,000 bytes"),
    ],
)
def test_a_bad_line_is_answered_by_a_problem_and_spoils_no_other(client, store, line, status, slug, detail):
    response = send(client, {"hand": LOG}, b"", line, {"hand": SHOWDOWN})
    first, bad, last = lines_of(response)
    assert first["ruling"]["outcome"] == last["ruling"]["outcome"] == "settled"
    assert set(bad) == {"engine", "problem"}
    problem = bad["problem"]
    assert (problem["status"], problem["type"]) == (status, f"/problems/{slug}")
    assert problem["detail"].startswith("Line 3: ")
    assert detail in problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]
    assert store.count() == 2


def test_a_pointer_is_into_the_line(client):
    (answer,) = lines_of(send(client, {"hand": changed(SHOWDOWN, "players", 1, "cards", 0, to="11d")}))
    assert answer["problem"]["errors"][0]["pointer"] == "/hand/players/1/cards/0"


def test_a_line_may_have_just_as_many_bytes_as_the_limit(client):
    line = json.dumps({"hand": LOG}).encode()
    (answer,) = lines_of(send(client, line + b" " * (LONGEST_LINE - len(line))))
    assert "ruling" in answer


def test_blank_lines_are_skipped_and_the_last_line_needs_no_end(client):
    line = json.dumps({"hand": LOG}).encode()
    assert len(lines_of(send(client, b"\n\r\n  \n" + line + b"\r\n\n" + line, end=""))) == 2
    assert lines_of(send(client, b"\n \n\n")) == []
    assert lines_of(send(client)) == []


def test_with_store_false_nothing_is_kept(client, store):
    answers = lines_of(send(client, {"hand": LOG}, b"{", {"hand": SHOWDOWN}, query="?store=false"))
    assert [answer.get("replay", "none") for answer in answers] == [None, "none", None]
    assert store.count() == 0


@pytest.mark.parametrize(
    "accept", ["application/json", "application/x-msgpack", "text/html", "application/x-ndjson;q=0"]
)
def test_lines_are_answered_by_lines_or_not_at_all(client, store, accept):
    check(send(client, {"hand": LOG}, accept=accept), 406, "not-acceptable")
    assert store.count() == 0


@pytest.mark.parametrize("accept", ["*/*", "application/*", "text/html, application/x-ndjson", "application/x-ndjson"])
def test_lines_are_acceptable_to_who_accepts_them(client, accept):
    assert len(lines_of(send(client, {"hand": LOG}, accept=accept))) == 1


def test_a_batch_in_json_is_not_answered_by_lines(client):
    response = client.post("/v1/rulings/batch", json={"hands": [LOG]}, headers={"accept": LINES})
    assert "application/json" in check(response, 406, "not-acceptable")["detail"]


def test_what_media_types_there_are_is_said_where_there_are_lines_and_where_not(client):
    batch = client.post("/v1/rulings/batch", content=b"x", headers={"content-type": "text/csv"})
    assert LINES in check(batch, 415, "unsupported-media-type")["detail"]
    assert LINES in batch.headers["accept"]
    single = client.post("/v1/rulings", content=b"{}", headers={"content-type": LINES})
    assert LINES not in single.headers["accept"]
    check(single, 415, "unsupported-media-type")
    packed = send(client, {"hand": LOG}, **{"content-encoding": "gzip"})
    assert check(packed, 415, "unsupported-media-type")
    assert packed.headers["accept-encoding"] == "identity"


def test_parameters_are_checked_before_the_first_line(client, store):
    check(send(client, {"hand": LOG}, query="?store=maybe"), 400, "bad-parameter")
    assert store.count() == 0


def test_a_stream_is_one_line_of_the_log_with_counts_and_without_names_and_cards(client):
    with capture_logs() as log:
        send(client, {"hand": LOG}, {"hand": UNFINISHED}, {"hand": SHOWDOWN}, b"Ben")
        ask(client)
    batch, listing = log
    assert (batch["hands"], batch["kept"], batch["problems"], batch["status"]) == (4, 2, 1, 200)
    assert (listing["replays"], listing["route"]) == (2, "/v1/replays")
    assert not any(name in repr(log) for name in ("Ben", "Ana", "Ks"))


def test_streams_ask_for_a_key_as_everything_does(store):
    key = new_key()
    entry = ApiKey("reader", frozenset({"read"}), digest_of(key.encode()))
    client = TestClient(create_app(Resources(store, Gate(Access((entry,))))))
    bearer = {"authorization": f"Bearer {key}"}
    check(send(client, {"hand": LOG}), 401, "unauthenticated")
    check(send(client, {"hand": LOG}, **bearer), 403, "forbidden")
    assert len(lines_of(send(client, {"hand": LOG}, query="?store=false", **bearer))) == 1
    check(ask(client), 401, "unauthenticated")
    assert lines_of(ask(client, **bearer)) == []


def test_lines_are_kept_in_chunks_of_at_most_500(watched):
    client = client_of(watched)
    answers = lines_of(send(client, *islice(bodies(), 1201)))
    assert len({answer["replay"] for answer in answers}) == 1201
    assert max(watched.chunks) <= MOST_LINES == 500
    assert sum(watched.chunks) == watched.count() == 1201


def test_if_the_store_fails_the_lines_that_need_it_get_a_problem_and_the_next_ones_are_kept(watched, monkeypatch):
    monkeypatch.setattr("api.inbox.MOST_LINES", 4)
    watched.failures = [StoreError("The disk that holds the store is full.")]
    client = client_of(watched)
    answers = lines_of(send(client, {"hand": LOG}, b"{", {"hand": UNFINISHED}, {"hand": SHOWDOWN}, {"hand": LOG}))
    first, bad, unfinished, fourth, fifth = answers
    for number, answer in ((1, first), (4, fourth)):
        assert set(answer) == {"engine", "problem"}
        assert (answer["problem"]["type"], answer["problem"]["status"]) == ("/problems/store-unavailable", 503)
        assert answer["problem"]["detail"] == f"Line {number}: The disk that holds the store is full."
    assert bad["problem"]["status"] == 400
    assert unfinished["ruling"]["outcome"] == "unfinished"
    assert fifth["replay"]
    assert watched.count() == 1


def test_a_crash_over_one_line_is_logged_and_answered_and_stops_nothing(client, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("Ben")

    monkeypatch.setattr("api.rulings.judged", fail)
    with capture_logs() as log:
        answers = lines_of(send(client, {"hand": LOG}, b"{", {"hand": LOG}))
    assert [answer["problem"]["status"] for answer in answers] == [500, 400, 500]
    assert [line["event"] for line in log] == ["crash", "crash", "request"]
    assert "Ben" not in repr(log)


def test_every_answer_names_the_engine(client):
    assert {answer["engine"] for answer in lines_of(send(client, {"hand": LOG}, b"{"))} == {VERSION}
    assert conversations.LONGEST_LINE == 1_000_000
