"""Bits that rot: a replay that is damaged is not shown, and a problem says so. Nothing wrong is ever served."""

from contextlib import closing
from itertools import islice

import pytest
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from replays.finding import Filters
from replays.store import Store
from tests.store.hands import bodies, records
from tests.store.serving import Client, serving
from tests.store.soaking import SOAK, dice, either

COUNT = 12
PAGE = 8192
NEW = next(islice(bodies(), COUNT, None))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the bytes of a store with replays."""
    path = tmp_path_factory.mktemp("whole") / "replays.sqlite"
    with closing(Store(path, now=lambda: 1_800_000_000_000)) as store:
        store.keep(records(COUNT))
    return path.read_bytes()


class Reader:
    """Reads everything there is to read, and compares it with what was there before the damage."""

    def __init__(self, service, path, whole):
        self._service, self._path = service, path
        self._path.write_bytes(whole)
        with closing(Store(path)) as store:
            service.use(store)
            self._replays = {record.replay.hex(): self._shown(record.replay.hex()) for record in records(COUNT)}
            self._summaries = self._listed()[0]
        assert len(self._summaries) == COUNT
        self.outcomes = {"right": 0, "damaged": 0, "refused": 0, "missing": 0, "unlisted": 0}

    def _shown(self, replay):
        answer = self._service.ask("GET", f"/v1/replays/{replay}")
        assert answer.status == 200
        return answer.body

    def _listed(self, query=""):
        """Return the summaries of a listing, and the answer of its last page."""
        summaries, target = {}, f"/v1/replays?limit=5{query}"
        while True:
            answer = self._service.ask("GET", target)
            if answer.status != 200:
                return summaries, answer
            summaries |= {summary["replay"]: summary for summary in answer.value["replays"]}
            assert len(summaries) <= COUNT
            if answer.value["next"] is None:
                return summaries, answer
            target = answer.header("link").removeprefix("<").partition(">")[0]

    def read(self, damaged):
        """Read everything in a damaged file; return whether anything was missing without a word."""
        for ending in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        self._path.write_bytes(damaged)
        before = dict(self.outcomes)
        with closing(Store(self._path)) as store:
            self._service.use(store)
            for replay, shown in self._replays.items():
                self._read_one(replay, shown)
            self._read_list()
            self._read_list("&outcome=settled&players=4")
            self._use()
        return any(self.outcomes[silent] > before[silent] for silent in ("missing", "unlisted"))

    def _read_one(self, replay, shown):
        answer = self._service.ask("GET", f"/v1/replays/{replay}")
        again = self._service.ask("POST", f"/v1/replays/{replay}/reruns", b"{}")
        assert answer.status == again.status
        if answer.status == 200:
            assert answer.body == shown
            assert again.value["result"] == "same"
            self.outcomes["right"] += 1
        elif answer.status == 404:
            self.outcomes["missing"] += 1
        else:
            self._check_problem(answer, replay)

    def _read_list(self, query=""):
        summaries, last = self._listed(query)
        for replay, summary in summaries.items():
            assert self._summaries[replay] == summary
        if last.status != 200:
            self._check_problem(last, "")
        elif len(summaries) < COUNT:
            self.outcomes["unlisted"] += 1

    def _check_problem(self, answer, replay):
        assert answer.status == 503
        kind = answer.value["type"]
        assert kind in {"/problems/replay-damaged", "/problems/store-unavailable"}
        if kind == "/problems/replay-damaged":
            assert replay in answer.value["detail"]
        self.outcomes["damaged" if kind == "/problems/replay-damaged" else "refused"] += 1

    def _use(self):
        """Judge, keep and delete, which may be refused, and no more than that."""
        assert self._service.ask("POST", "/v1/rulings?store=false", NEW).status == 200
        assert self._service.ask("GET", "/health/ready").status in {200, 503}
        assert self._service.store(NEW).status in {201, 503}
        assert self._service.store(next(bodies())).status in {200, 201, 503}
        assert self._service.ask("DELETE", f"/v1/replays/{next(iter(self._replays))}").status in {204, 404, 503}


@pytest.fixture
def reader(service, path, whole):
    return Reader(service, path, whole)


def flipped(whole, chance):
    """Return a file in which one bit is another one."""
    damaged = bytearray(whole)
    damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return damaged


def with_a_page_lost(whole, chance):
    """Return a file in which a page was never written, or is another page of the file."""
    at, other = (chance.randrange(len(whole) // PAGE) * PAGE for _ in range(2))
    page = chance.choice((bytes(PAGE), whole[other : other + PAGE]))
    return whole[:at] + page + whole[at + PAGE :]


@pytest.mark.parametrize("damage", [flipped, with_a_page_lost])
def test_nothing_wrong_is_served_from_a_damaged_file(reader, whole, damage, folder):
    chance = dice()
    for _ in range(either(20, soak=400)):
        damaged = damage(whole, chance)
        if reader.read(damaged):
            assert not is_sound(damaged, folder / "judged.sqlite")  # an index is damaged, as only a search can find
    print(reader.outcomes)  # noqa: T201 - what a run has shown; pytest keeps it unless asked
    assert reader.outcomes["right"] > 0
    assert reader.outcomes["damaged"] + reader.outcomes["refused"] > 0


@pytest.mark.skipif(not SOAK, reason="each start takes a second or two")
def test_the_service_starts_on_a_damaged_file(whole, tmp_path):
    chance = dice()
    for number in range(40):
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(chance.choice((flipped, with_a_page_lost))(whole, chance))
        with serving(path) as server, Client(server.port) as client:
            assert client.ask("POST", "/v1/rulings?store=false", NEW).status == 200
            assert client.ask("GET", "/health/live").status == 200
            assert client.ask("GET", "/health/ready").status in {200, 503}
            assert client.store(NEW).status in {201, 503}
            assert client.ask("GET", "/v1/replays").status in {200, 503}
        assert b"crash" not in path.with_suffix(".log").read_bytes()


def is_sound(content, path):
    """Return whether SQLite finds nothing wrong with a file."""
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as db:
        try:
            return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        except sqlite3.Error:
            return False


WRONG = {
    "hand": "UPDATE hands SET content = CAST(replace(CAST(content AS TEXT), '7', '8') AS BLOB) WHERE id = 1",
    "rules": "UPDATE rule_sets SET content = CAST(CAST(content AS TEXT) || ' ' AS BLOB) WHERE id = 1",
    "format": "UPDATE replays SET format = 2 WHERE id = 1",
    "time": "UPDATE replays SET kept = kept - 1 WHERE id = 1",
    "other hand": "UPDATE replays SET hand = 2 WHERE id = 1",
    "no hand": "UPDATE replays SET hand = 1000 WHERE id = 1",
    "no rules": "UPDATE replays SET rule_set = 1000 WHERE id = 1",
    "ruling": "UPDATE answers SET content = CAST(replace(CAST(content AS TEXT), '1', '2') AS BLOB) WHERE replay = 1",
    "digest": "UPDATE answers SET digest = zeroblob(32) WHERE replay = 1",
    "engine": "UPDATE answers SET engine = '9.9' WHERE replay = 1",
    "other answer": "UPDATE answers SET replay = -replay WHERE replay <= 2",
    "no answer": "DELETE FROM answers WHERE replay = 1",
}


@pytest.mark.parametrize("statement", WRONG.values(), ids=WRONG)
def test_each_part_of_a_replay_is_watched(path, store, service, statement):
    first, second = records(2)
    store.keep([first, second])
    with closing(Database(path)) as db:
        db.execute(statement)
        db.execute("UPDATE answers SET replay = 3 + replay WHERE replay < 0")  # that of one question for the other
    for replay in (first.replay.hex(), second.replay.hex()):
        answer = service.ask("GET", f"/v1/replays/{replay}")
        if replay == second.replay.hex() and "<= 2" not in statement:
            assert answer.status == 200
        else:
            assert (answer.status, answer.value["type"]) == (503, "/problems/replay-damaged")
            assert answer.value["detail"].startswith(f"The stored replay {replay} is damaged")


def test_an_answer_whose_replay_is_gone_is_no_answer_to_another(path, store):
    first, second = records(2)
    store.keep([first, second])
    with closing(Database(path)) as db:
        db.execute("UPDATE answers SET engine = '0.0.1', replay = 2 WHERE replay = 1")
    assert [stored.sound for stored in store.find(Filters(), None, 2)] == [False, False]


COLUMNS = {
    "replays": ("hand", "rule_set", "format", "kept", "digest"),
    "answers": ("engine", "seal", "content", "replay"),
}


@pytest.mark.parametrize("value", ["NULL", "'text'", "x'ff'", "1.5", "7000000000000000", "''"])
@pytest.mark.parametrize(("table", "column"), [(table, column) for table in COLUMNS for column in COLUMNS[table]])
def test_a_value_of_another_type_is_damage(path, store, service, table, column, value):
    first, second = records(2)
    store.keep([second, first])
    targets = ("/v1/replays", "/v1/replays?outcome=settled", f"/v1/replays/{first.replay.hex()}")
    before = [service.ask("GET", target).body for target in targets]
    store.close()
    loosen(path, table)
    with closing(Database(path)) as db:
        db.execute(f"UPDATE {table} SET {column} = {value} WHERE id = 2")  # noqa: S608 - all text is above
    for target, shown in zip(targets, before, strict=True):
        answer = service.ask("GET", target)
        assert answer.status in {404, 503} or (answer.status, answer.body) == (200, shown)
    assert service.ask("GET", f"/v1/replays/{second.replay.hex()}").status == 200
    assert service.store(NEW).status == 201
    assert service.ask("GET", "/v1/replays?limit=1").value["replays"][0]["kept"] < "2100"


def loosen(path, table):
    """Let a table take values of any type, which in a real file only rotten bits could bring about."""
    with closing(Database(path)) as db:
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()
        for word in (" STRICT", " NOT NULL", " CHECK (length(digest) = 32)", " BLOB", " INTEGER", " TEXT"):
            sql = sql.replace(word, "")
        sql = sql.replace("id PRIMARY KEY", "id INTEGER PRIMARY KEY")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", [sql, table])
