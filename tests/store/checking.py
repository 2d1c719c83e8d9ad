"""The check of a whole file: what is in it is complete, sound, and no more than was kept."""

from contextlib import closing
from pathlib import Path

from sqlite_utils.utils import sqlite3

from replays.finding import Filters
from replays.store import Store

_ORPHANS = {
    "hands": "SELECT count(*) FROM hands WHERE id NOT IN (SELECT hand FROM replays)",
    "rule sets": "SELECT count(*) FROM rule_sets WHERE id NOT IN (SELECT rule_set FROM replays)",
    "replays without an answer": "SELECT count(*) FROM replays WHERE id NOT IN (SELECT replay FROM answers)",
    "replays without traits": "SELECT count(*) FROM replays WHERE id NOT IN (SELECT replay FROM replay_traits)",
    "times out of order": """
        SELECT count(*) FROM (SELECT kept, lag(kept) OVER (ORDER BY id) AS before FROM replays) WHERE kept < before
    """,
}


def ids_in(path: Path) -> set[str]:
    """Return the ids in a file that SQLite finds nothing wrong with, after looking through all of it."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        return {replay.hex() for (replay,) in db.execute("SELECT digest FROM replays")}


def check_whole(path: Path) -> set[str]:
    """Return the ids in a file in which every replay is whole and sound, and nothing is left over."""
    found = ids_in(path)
    with closing(sqlite3.connect(path)) as db:
        left_over = {what: db.execute(question).fetchone()[0] for what, question in _ORPHANS.items()}
    assert not any(left_over.values()), left_over
    with closing(Store(path)) as store:
        replays = list(store.walk(Filters()))
        assert all(stored.sound for stored in replays)
        assert {stored.id for stored in replays} == found
        assert len(replays) == len(found) == store.count()
    return found
