"""Stored replays line by line."""

from contextlib import closing

import msgspec
import pytest
from sqlite_utils import Database

from api import replay_lines
from replays.archive import line_of
from replays.canonical import digest
from replays.faults import StoreError
from replays.finding import Filters
from tests.api.problems import check
from tests.api.stories import SHOWDOWN
from tests.api.streams.streaming import LINES, ask, client_of, keep, lines_of


def test_all_replays_are_streamed_as_the_lines_of_an_archive(client, store):
    ids = keep(store, 2 * replay_lines.PAGE + 7)
    response = ask(client)
    assert [line["replay"] for line in lines_of(response)] == ids
    assert response.content == b"".join(map(line_of, store.walk(Filters())))
    assert response.headers["cache-control"] == "no-cache"
    for line in response.content.splitlines()[:5]:
        raw = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        assert digest(bytes(raw["question"])).hex() == msgspec.json.decode(raw["replay"])


def test_filters_and_cursor_are_those_of_the_pages(client, store):
    ids = keep(store, 30)
    client.post("/v1/rulings", json={"hand": SHOWDOWN})
    assert len(lines_of(ask(client, "?players=2"))) == 1
    assert lines_of(ask(client, "?outcome=refused")) == []
    page = client.get("/v1/replays?limit=11&players=4").json()
    rest = ask(client, f"?players=4&limit=1&cursor={page['next']}")
    assert [line["replay"] for line in lines_of(rest)] == ids[11:]
    check(ask(client, "?cursor=x"), 400, "bad-parameter")
    check(ask(client, "?preset=none"), 400, "bad-parameter")


def test_json_is_what_is_liked_best_by_who_does_not_care(client):
    for accept in ("*/*", "application/*", "application/json, application/x-ndjson;q=0.5"):
        assert client.get("/v1/replays", headers={"accept": accept}).headers["content-type"] == "application/json"
    preferred = ask(client, accept="application/json;q=0.5, application/x-ndjson")
    assert preferred.headers["content-type"] == LINES
    assert LINES in check(client.get("/v1/replays", headers={"accept": "text/html"}), 406, "not-acceptable")["detail"]


def test_head_has_the_headers_and_no_lines(client, store):
    keep(store, 3)
    response = client.head("/v1/replays", headers={"accept": LINES})
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"] == LINES


def test_a_damaged_replay_is_a_problem_in_its_place(client, store, tmp_path):
    ids = keep(store, 5)
    with closing(Database(tmp_path / "replays.sqlite", execute_plugins=False)) as db, db.conn:
        db.execute("UPDATE hands SET content = CAST(replace(content, 'discard', 'discarD') AS BLOB) WHERE id = 3")
    lines = lines_of(ask(client))
    assert [line["replay"] for line in lines] == ids
    assert [line["replay"] for line in lines if "problem" in line] == [ids[2]]
    problem = lines[2]["problem"]
    assert (problem["type"], problem["status"]) == ("/problems/replay-damaged", 503)
    assert set(lines[2]) == {"problem", "replay"}


def test_a_store_that_cannot_be_read_is_a_problem_instead_of_lines(watched):
    watched.failures = [StoreError("The store is busy with another program's work.")]
    client = client_of(watched)
    check(ask(client), 503, "store-unavailable")


@pytest.mark.usefixtures("small_pages")
def test_a_store_that_fails_on_the_way_is_a_problem_after_the_lines(watched):
    keep(watched, 2 * replay_lines.PAGE)
    watched.failures = [None, StoreError("The disk that holds the store fails.")]
    client = client_of(watched)
    *lines, last = lines_of(ask(client))
    assert len(lines) == replay_lines.PAGE
    assert all("question" in line for line in lines)
    assert set(last) == {"problem"}
    assert last["problem"]["type"] == "/problems/store-unavailable"
