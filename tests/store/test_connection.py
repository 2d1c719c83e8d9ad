"""Connections: how they are set up, and that the schema is what the migrations make."""

import multiprocessing
import re
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from replays import connection
from replays.connection import open_to_read, open_to_write
from replays.faults import NotAStoreError, StoreError
from replays.migrations import APPLICATION, migrations
from replays.store import Store
from tests.store.checking import check_whole
from tests.store.hands import bodies, records
from tests.store.soaking import either
from tests.store.together import add_migration, open_many

SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


def setting(db, name):
    return db.execute(f"PRAGMA {name}").fetchone()[0]


def test_a_connection_that_writes_is_set_up_to_be_safe(path):
    with closing(open_to_write(path)) as db:
        settings = {name: setting(db, name) for name in ("journal_mode", "synchronous", "foreign_keys", "mmap_size")}
        assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "mmap_size": 0}
        assert setting(db, "fullfsync") == 1
        assert setting(db, "trusted_schema") == 0
        assert setting(db, "application_id") == APPLICATION
        assert setting(db, "page_size") == 4096


def test_a_connection_that_reads_does_nothing_else(path):
    with pytest.raises(Exception, match="unable to open"):
        open_to_read(path)
    assert not path.exists()
    open_to_write(path).close()
    with closing(open_to_read(path)) as db:
        assert setting(db, "foreign_keys") == 1
        with pytest.raises(Exception, match="readonly"):
            db.execute("DELETE FROM replays")


def test_tables_are_strict_and_made_by_the_migrations_only(path, folder):
    with closing(Store(path)) as store:
        store.keep(records(3))
        store.delete(records(1)[0].replay)
    fresh = folder / "fresh.sqlite"
    with closing(Database(fresh)) as db:
        migrations.apply(db)
        expected = db.execute(SCHEMA).fetchall()
    with closing(Database(path)) as db:
        assert db.execute(SCHEMA).fetchall() == expected
        tables = db.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").fetchall()
    own = {name: strict for name, strict in tables if not name.startswith(("sqlite_", "_sqlite_"))}
    assert set(own) == {"hands", "rule_sets", "replays", "answers", "traits", "replay_traits", "probes"}
    assert set(own.values()) == {1}


def test_what_is_opened_and_closed_again_leaves_one_file(path):
    with closing(Store(path)) as store:
        store.keep(records(5))
        assert store.count() == 5
    assert list(path.parent.iterdir()) == [path]


def test_a_path_may_hold_any_characters(folder):
    path = folder / "a ?b#c%20d&mode=memory;é" / "file:x.sqlite"
    path.parent.mkdir()
    with closing(Store(path)) as store:
        store.keep(records(1))
        assert store.count() == 1
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", [":memory:", "file::memory:", "file:x?mode=memory"])
def test_no_path_means_memory(folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    with closing(Store(Path(name))) as store:
        store.keep(records(1))
    assert [path.name for path in folder.iterdir()] == [name]


def test_the_file_is_the_same_wherever_the_program_goes(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with closing(Store(Path("replays.sqlite"))) as store:
        (folder / "elsewhere").mkdir()
        monkeypatch.chdir(folder / "elsewhere")
        store.keep(records(1))
        assert store.count() == 1
    assert (folder / "replays.sqlite").exists()


def test_where_there_can_be_no_log_nothing_is_promised(path, monkeypatch):
    """As on some network drives; a database in memory stands for them here."""
    monkeypatch.setattr(Path, "as_uri", lambda _: "file::memory:")
    with pytest.raises(StoreError, match="write-ahead log"):
        open_to_write(path)


def test_names_are_not_in_the_file_or_its_log(path, store, service):
    body = next(bodies())
    names = re.findall(rb'"name": "([^"]+)"', body)
    assert len(names) == 4
    assert service.store(body).status == 201
    files = [path, path.with_name(f"{path.name}-wal")]
    contents = [file.read_bytes() for file in files]
    assert len(contents[1]) > 8192
    store.close()
    for content in (*contents, path.read_bytes()):
        assert not [name for name in names if name in content and len(name) > 3]


@pytest.mark.parametrize("newer", [False, True], ids=["new", "older"])
def test_programs_that_start_together_find_one_store(folder, newer):
    count = either(12, soak=400)
    if newer:
        for number in range(count):
            with closing(Store(folder / f"{number}.sqlite")) as store:
                store.keep(records(1))
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(3, timeout=60)
    arguments = (folder, barrier, count)
    programs = [spawn.Process(target=open_many, args=arguments, kwargs={"newer": newer}) for _ in range(3)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
        assert program.exitcode == 0
    for number in range(count):
        path = folder / f"{number}.sqlite"
        if newer:
            with pytest.raises(NotAStoreError, match="newer version, which also has: tags"):
                open_to_write(path)
            with closing(Database(path)) as db:
                applied = db.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
                assert applied == [("replays",), ("tags",)]
                assert db["replays"].count == 1
        else:
            assert check_whole(path) == set()


def test_an_older_store_is_brought_up_to_date_when_it_is_opened_to_write(path, monkeypatch):
    with closing(Store(path)) as store:
        store.keep(records(3))
    monkeypatch.setattr(migrations, "_migrations", [*migrations._migrations])  # noqa: SLF001 - to be put back
    monkeypatch.setattr(connection, "KNOWN", connection.KNOWN)
    add_migration()
    with pytest.raises(NotAStoreError, match="older version, and has to be opened to write first"):
        open_to_read(path)
    with closing(Store(path)) as store:
        store.open()
        assert store.count() == 3
        assert len(check_whole(path)) == 3


def test_a_migration_that_fails_leaves_the_file_as_it_was(path, monkeypatch):
    with closing(Store(path)) as store:
        store.keep(records(3))
    monkeypatch.setattr(migrations, "_migrations", [*migrations._migrations])  # noqa: SLF001 - to be put back
    monkeypatch.setattr(connection, "KNOWN", connection.KNOWN | {"tags"})

    @migrations()
    def tags(db):
        db.execute("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT")
        db.execute("INSERT INTO no_such_table VALUES (1)")

    with pytest.raises(Exception, match="no such table"):
        open_to_write(path)
    monkeypatch.undo()
    assert len(check_whole(path)) == 3
