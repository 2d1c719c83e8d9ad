"""Stores of past releases are opened, brought up to date, and judged to the same bytes as then."""

import shutil
from contextlib import closing

import pytest
from sqlite_utils import Database

from engine import VERSION
from replays.finding import Filters
from replays.migrations import migrations
from replays.rerun import rerun
from replays.store import Store
from tests.store.checking import check_whole
from tests.store.released.__main__ import COUNT, FOLDER, make

RELEASED = sorted(FOLDER.glob("*.sqlite"))
DRIFTED = frozenset()
"""Replays that a later release judges otherwise, as its entry in the changelog says."""


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_a_store_of_a_past_release_goes_on(released, path):
    shutil.copy(released, path)
    with closing(Store(path)) as store:
        store.open()
        replays = list(store.walk(Filters()))
        assert len(replays) == COUNT
        for stored in replays:
            assert stored.sound
            assert [answer.engine for answer in stored.answers] == [released.stem]
            for answer in stored.answers:
                assert (rerun(stored.question, answer).drift is None) == (stored.id not in DRIFTED)
    assert len(check_whole(path)) == COUNT


def test_this_release_has_left_a_store():
    assert VERSION in [path.stem for path in RELEASED]


def test_a_store_of_a_past_release_gets_the_schema_of_today(folder, path):
    fresh = folder / "fresh.sqlite"
    with closing(Database(fresh)) as db:
        migrations.apply(db)
        expected = schema(db)
    for released in RELEASED:
        shutil.copy(released, path)
        with closing(Store(path)) as store:
            store.open()
        with closing(Database(path)) as db:
            assert schema(db) == expected


def schema(db):
    return set(db.execute("SELECT type, name, sql FROM sqlite_master").fetchall())


def test_a_store_of_this_release_can_be_made(path):
    make(path)
    assert len(check_whole(path)) == COUNT
