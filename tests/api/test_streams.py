"""Streams: stored replays line by line, and batches of any length, each line answered by itself."""

import asyncio
import json
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from litestar.testing import TestClient
from sqlite_utils import Database
from structlog.testing import capture_logs

from api import conversations, replay_lines
from api.access import Access
from api.app import create_app
from api.conversations import LONGEST_LINE
from api.gate import Gate
from api.inbox import MOST_LINES
from api.keys import ApiKey, digest_of, new_key
from api.resources import Resources
from api.spool import FullSpoolError, Spool
from engine import VERSION
from replays.archive import line_of
from replays.canonical import digest
from replays.faults import StoreError
from replays.finding import Filters
from replays.store import Store
from tests.api.stories import LOG, SHOWDOWN, changed
from tests.api.test_problems import check
from tests.store.hands import bodies, record

LINES = "application/x-ndjson"
DOCUMENT = msgspec.json.decode((Path(__file__).parents[2] / "openapi" / "openapi.json").read_bytes())
UNFINISHED = changed(LOG, "events", to=[])


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "replays.sqlite")) as store:
        store.open()
        yield store


@cache
def application():
    """Return the application, which is made once: it can have another store for every request."""
    return create_app(Resources(Store(Path("never-opened.sqlite"))))


def over(store):
    """Return the application over a store."""
    application().resources = Resources(store)
    return application()


def client_of(store):
    return TestClient(over(store), raise_server_exceptions=False)


@pytest.fixture
def client(store):
    return client_of(store)


def send(client, *lines, end="\n", query="", **headers):
    """Post lines, given as bytes or as values; return the response."""
    content = b"".join(
        [(line if isinstance(line, bytes) else json.dumps(line).encode()) + end.encode() for line in lines]
    )
    return client.post(f"/v1/rulings/batch{query}", content=content, headers={"content-type": LINES, **headers})


def lines_of(response):
    """Return the decoded lines of a stream, each of the documented shape."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == LINES
    assert response.headers["vary"] == "Accept"
    assert response.content.endswith(b"\n") or not response.content
    lines = [json.loads(line) for line in response.content.splitlines()]
    path, method = response.request.url.path, response.request.method.lower()
    content = DOCUMENT["paths"][path][method]["responses"]["200"]["content"]
    validator = Draft202012Validator({**content[LINES]["schema"], "components": DOCUMENT["components"]})
    for line in lines[:20]:  # checking takes longer than all else
        assert not [error.message for error in validator.iter_errors(line)]
    return lines


def ask(client, query="", **headers):
    return client.get(f"/v1/replays{query}", headers={"accept": LINES, **headers})


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


class Watched(Store):
    """A store that notes what it is asked to keep, and fails when it is told to."""

    def __init__(self, path, *failures):
        super().__init__(path)
        self.chunks = []
        self.pages = 0
        self.failures = list(failures)

    async def keep_soon(self, records):
        self.chunks.append(len(records))
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        return await super().keep_soon(records)

    def find(self, filters, before, limit):
        self.pages += 1
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        return super().find(filters, before, limit)


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr(replay_lines, "PAGE", 10)


@pytest.fixture
def watched(tmp_path):
    with closing(Watched(tmp_path / "watched.sqlite")) as store:
        store.open()
        yield store


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


def keep(store, count):
    """Keep so many replays; return their ids, the newest first."""
    records = [record(body) for body in islice(bodies(), count)]
    store.keep(records)
    return [each.replay.hex() for each in reversed(records)]


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


class Connection:
    """A connection to the application, without a server between."""

    def __init__(self, app, method, path, body=(), **headers):
        self.app = app
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        self.body = list(body)
        self.sent = []
        self.gone = asyncio.Event()

    async def receive(self):
        if self.body:
            part = self.body.pop(0)
            if part is None:
                self.gone.set()
            else:
                return {"type": "http.request", "body": part, "more_body": bool(self.body)}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message)

    async def run(self):
        await self.app(self.scope, self.receive, self.send)

    @property
    def is_whole(self):
        return not self.sent[-1].get("more_body", True)

    @property
    def content(self):
        return b"".join([message["body"] for message in self.sent[1:]])


async def until(condition):
    while not condition():  # noqa: ASYNC110 - it is of what the application has done
        await asyncio.sleep(0.01)


@pytest.mark.usefixtures("small_pages")
def test_a_client_who_goes_away_ends_the_reading(watched):
    keep(watched, 20 * replay_lines.PAGE)

    class Leaving(Connection):
        async def send(self, message):
            await super().send(message)
            if len(self.sent) == 3:  # the start and two pages
                self.gone.set()
                await asyncio.sleep(0)

    async def run():
        connection = Leaving(over(watched), "GET", "/v1/replays", accept=LINES)
        await connection.run()

    with capture_logs() as log:
        asyncio.run(run())
    assert watched.pages <= 4
    (line,) = log
    assert line["gone"] is True
    assert line["replays"] <= 3 * replay_lines.PAGE


@pytest.mark.usefixtures("small_pages")
def test_no_more_is_read_than_the_client_takes(watched):
    keep(watched, 20 * replay_lines.PAGE)

    class Slow(Connection):
        async def send(self, message):
            await super().send(message)
            if len(self.sent) == 3:
                await asyncio.sleep(0.3)
                self.pages = watched.pages

    async def run():
        connection = Slow(over(watched), "GET", "/v1/replays", accept=LINES)
        await connection.run()
        return connection

    connection = asyncio.run(run())
    assert connection.pages <= 3
    assert connection.content.count(b"\n") == 20 * replay_lines.PAGE
    assert connection.is_whole


def test_a_client_who_goes_away_leaves_what_was_kept_and_nothing_half(watched):
    whole = [json.dumps({"hand": LOG}).encode() + b"\n", json.dumps({"hand": SHOWDOWN}).encode()]

    async def run():
        app = over(watched)
        connection = Connection(app, "POST", "/v1/rulings/batch", whole, content_type=LINES)
        original = connection.receive

        async def receive():
            message = await original()
            if not connection.body:  # the last line has come, but not its end
                message["more_body"] = True
                await until(lambda: connection.content)  # the first line is answered
                connection.gone.set()
            return message

        connection.receive = receive
        await connection.run()
        return connection

    with capture_logs() as log:
        connection = asyncio.run(run())
    assert watched.count() == 1
    assert len(connection.content.splitlines()) == 1
    (line,) = log
    assert (line["status"], line["hands"], line["kept"], line["gone"]) == (200, 1, 1, True)


def test_an_answer_that_cannot_be_put_aside_cuts_the_response_off(watched, monkeypatch):
    async def full(_self, content):
        if len(kept) == 1:
            raise FullSpoolError
        kept.append(content)
        await put(_self, content)

    kept, put = [], Spool.put
    monkeypatch.setattr(Spool, "put", full)
    monkeypatch.setattr("api.inbox.MOST_LINES", 1)

    async def run():
        app = over(watched)
        lines = [line + b"\n" for line in islice(bodies(), 3)]
        connection = Connection(app, "POST", "/v1/rulings/batch", lines, content_type=LINES)

        original = connection.receive

        async def receive():
            await until(lambda: connection.sent or len(connection.body) == 3)
            return await original()

        connection.receive = receive
        await connection.run()
        return connection

    with capture_logs() as log:
        connection = asyncio.run(run())
    assert len(connection.content.splitlines()) == 1
    assert not connection.is_whole
    assert [line["exception"] for line in log] == ["FullSpoolError"]


def test_every_answer_names_the_engine(client):
    assert {answer["engine"] for answer in lines_of(send(client, {"hand": LOG}, b"{"))} == {VERSION}
    assert conversations.LONGEST_LINE == 1_000_000
