"""A file that cannot be used: what needs the store is refused in a sentence, and all else goes on."""

import os
import subprocess
from contextlib import closing
from itertools import islice

import pytest
from sqlite_utils import Database

from replays.connection import PAGE, open_to_read, open_to_write
from replays.faults import NotAStoreError
from replays.store import Store
from tests.store.checking import check_whole
from tests.store.hands import bodies, records
from tests.store.soaking import dice, either

HAND = next(bodies())
REPLAY = records(1)[0].replay.hex()


def check_refused(service, *words):
    """Fail unless the store is refused, in these words and without a path, while everything else works."""
    refusals = [
        service.store(HAND),
        service.ask("GET", "/v1/replays"),
        service.ask("GET", f"/v1/replays/{REPLAY}"),
        service.ask("DELETE", f"/v1/replays/{REPLAY}"),
        service.ask("POST", f"/v1/replays/{REPLAY}/reruns", b"{}"),
        service.ask("GET", "/health/ready"),
    ]
    for refusal in refusals:
        check_problem(refusal)
        assert any(word in refusal.value["detail"] for word in words)
    check_goes_on(service)


def check_problem(refusal):
    assert (refusal.status, refusal.value["type"]) == (503, "/problems/store-unavailable")
    assert int(refusal.header("retry-after")) > 0
    assert "/tmp" not in refusal.value["detail"]  # noqa: S108 - nothing is written there
    assert "sqlite" not in refusal.value["detail"].lower()


def check_goes_on(service):
    assert service.ask("GET", "/health/live").status == 200
    ruling = service.ask("POST", "/v1/rulings?store=false", HAND)
    assert (ruling.status, ruling.value["replay"]) == (200, None)


def populated(path, count=30):
    """Make a store with replays, closed and without a log beside it."""
    with closing(Store(path)) as store:
        store.keep(records(count))
    assert not path.with_name(f"{path.name}-wal").exists()
    return path.read_bytes()


def test_a_directory_that_is_missing_can_be_made_later(service, path, opened):
    there = path.parent / "missing" / "replays.sqlite"
    service.use(opened(there))
    check_refused(service, "cannot be opened")
    there.parent.mkdir()
    assert service.store(HAND).status == 201
    assert service.ask("GET", "/health/ready").status == 200
    assert service.ask("GET", f"/v1/replays/{REPLAY}").status == 200


def test_a_directory_in_place_of_the_file(service, path):
    path.mkdir()
    check_refused(service, "cannot be opened", "fails")


@pytest.mark.parametrize("content", [b"x" * 5000, b"SQLite format 3\0" + b"x" * 5000, b"short"], ids=len)
def test_a_file_that_is_no_database_is_left_alone(service, path, content):
    path.write_bytes(content)
    check_refused(service, "not a database", "damaged")
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_left_alone(service, path):
    with closing(Database(path)) as db:
        db["hands"].insert({"id": 1})
    check_left_alone(service, path, "The file is a database, but not a store of replays.")


@pytest.mark.parametrize("what", ["application_id = 1", "application_id = -5"])
def test_an_empty_database_that_something_else_has_marked_is_left_alone(service, path, what):
    with closing(Database(path)) as db:
        db.execute(f"PRAGMA {what}")
    check_left_alone(service, path, "The file is a database, but not a store of replays.")


def test_a_store_of_a_newer_version_is_left_alone(service, path):
    populated(path)
    with closing(Database(path)) as db:
        db["_sqlite_migrations"].insert({"migration_set": "replays", "name": "tags", "applied_at": "2030-01-01"})
    check_left_alone(service, path, "The store was made by a newer version, which also has: tags.")


def check_left_alone(service, path, sentence):
    before = path.read_bytes()
    for start in (open_to_write, lambda path: Store(path).open(), lambda path: Store(path).get(bytes(32))):
        with pytest.raises(NotAStoreError) as caught:
            start(path)
        assert str(caught.value) == sentence
    check_refused(service, sentence)
    assert path.read_bytes() == before


def test_a_store_that_does_not_say_which_version_made_it_is_damaged(service, path):
    populated(path)
    with closing(Database(path)) as db:
        db.execute("DELETE FROM _sqlite_migrations")
    check_refused(service, "The store's file is damaged.")


def test_an_empty_file_becomes_a_store(service, path):
    path.touch()
    assert service.store(HAND).status == 201
    assert check_whole(path) == {REPLAY}


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_must_not_be_written_to(service, path, what):
    populated(path)
    closed = path if what == "file" else path.parent
    mode = closed.stat().st_mode
    closed.chmod(mode & 0o555)
    try:
        if os.access(closed, os.W_OK):
            pytest.skip("this user may write whatever the mode says")
        refused = service.store(HAND)
        check_problem(refused)
        assert what == "folder" or "read-only" in refused.value["detail"]
        check_problem(service.ask("GET", "/health/ready"))
        check_goes_on(service)
    finally:
        for file in (closed, *path.parent.iterdir()):
            file.chmod(mode)
    assert service.store(HAND).status == 200
    assert service.ask("GET", "/health/ready").status == 200


@pytest.mark.parametrize("missing", [1, PAGE // 2, PAGE - 1, PAGE])
def test_a_file_whose_end_is_missing(service, path, missing):
    """SQLite itself would read zeros where less than a page is missing."""
    whole = populated(path)
    path.write_bytes(whole[:-missing])
    with closing(Store(path)) as store:
        service.use(store)
        check_refused(service, "damaged")


def test_a_file_that_is_cut_short(service, path):
    whole = populated(path)
    chance = dice()
    for _ in range(either(10, soak=300)):
        path.unlink()
        path.write_bytes(whole[: chance.randrange(1, len(whole))])
        with closing(Store(path)) as store:
            service.use(store)
            check_refused(service, "damaged", "not a database")


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_file_that_goes_away_while_it_is_in_use(service, path, how):
    first, second, third = islice(bodies(), 3)
    assert service.store(first).status == 201
    assert service.ask("GET", f"/v1/replays/{REPLAY}").status == 200
    if how == "replaced":
        populated(path.with_name("other.sqlite"), 2)
        path.with_name("other.sqlite").replace(path)
    elif how == "moved":
        path.replace(path.with_name("elsewhere.sqlite"))
    else:
        path.unlink()
    check_problem(service.store(third))  # it was written to a file that nobody finds
    assert service.store(third).status == 201
    assert service.store(second).status == (200 if how == "replaced" else 201)
    assert service.ask("GET", f"/v1/replays/{records(3)[2].replay.hex()}").status == 200
    assert service.ask("GET", "/health/ready").status == 200
    assert len(check_whole(path)) == (3 if how == "replaced" else 2)
    if how == "moved":
        assert REPLAY in check_whole(path.with_name("elsewhere.sqlite"))


def test_a_file_that_is_replaced_is_read_as_it_is_now(service, path, store):
    """Whoever puts a copy in its place must not find it mixed with what was there."""
    _, other = islice(bodies(), 2)
    populated(path.with_name("other.sqlite"), 1)
    assert service.store(other).status == 201
    assert service.ask("GET", f"/v1/replays/{REPLAY}").status == 404
    path.with_name("other.sqlite").replace(path)
    assert service.ask("GET", f"/v1/replays/{REPLAY}").status == 200
    store.close()
    assert check_whole(path) == {REPLAY}


@pytest.fixture
def small_disk(tmp_path):
    """Return a disk of 12 MB, as a folder; skip the test where none can be had."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(  # noqa: S603 - a fixed command
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder],  # noqa: S607 - wherever the system has it
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted: {mounted.stderr.decode()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607 - a fixed command, wherever the system has it


def fill(folder):
    """Leave no byte of a disk free; return what has to be deleted to free some."""
    filling = folder / "filling"
    with filling.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return filling


def test_a_full_disk(service, small_disk, opened):
    path = small_disk / "replays.sqlite"
    service.use(opened(path))
    hands = bodies()
    acknowledged = {service.store(body).value["replay"] for body in islice(hands, 20)}
    filling = fill(small_disk)
    answers = [service.store(body) for body in islice(hands, 30)]
    refused = [answer for answer in answers if answer.status != 201]
    assert refused
    for answer in refused:
        check_problem(answer)
    assert "full" in refused[-1].value["detail"]
    ready = service.ask("GET", "/health/ready")
    check_problem(ready)
    assert "full" in ready.value["detail"]
    check_goes_on(service)
    for replay in acknowledged:
        assert service.ask("GET", f"/v1/replays/{replay}").status == 200
    filling.unlink()
    more = [service.store(body) for body in islice(hands, 20)]
    assert {answer.status for answer in more} == {201}
    assert service.ask("GET", "/health/ready").status == 200
    acknowledged |= {answer.value["replay"] for answer in (*answers, *more) if answer.status == 201}
    assert acknowledged <= check_whole(path)


def test_a_disk_that_fills_up_by_itself(service, small_disk, opened):
    path = small_disk / "replays.sqlite"
    (small_disk / "filling").write_bytes(bytes(3_500_000))  # less is left than a log may have
    service.use(opened(path))
    hands = bodies()
    acknowledged, refused = set(), 0
    while refused < 20:
        answer = service.store(next(hands))
        if answer.status == 201:
            acknowledged.add(answer.value["replay"])
        else:
            check_problem(answer)
            refused += 1
    for replay in acknowledged:
        assert service.ask("GET", f"/v1/replays/{replay}").status == 200
    check_goes_on(service)
    assert acknowledged == ids_read(path)


def ids_read(path):
    """Return the ids that a store on a full disk still finds."""
    with closing(open_to_read(path)) as db:
        return {replay.hex() for (replay,) in db.execute("SELECT digest FROM replays")}


def test_a_disk_that_becomes_read_only(service, small_disk, opened):
    path = small_disk / "replays.sqlite"
    populated(path)
    service.use(opened(path))
    remount(small_disk, "ro")
    check_refused(service, "read-only", "cannot be opened")
    remount(small_disk, "rw")
    assert service.store(HAND).status == 200
    assert service.ask("GET", f"/v1/replays/{REPLAY}").status == 200


def remount(folder, how):
    subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)  # noqa: S603, S607 - a fixed command, wherever the system has it


def test_a_file_that_may_not_grow(service, path, monkeypatch):
    most = 40

    def limited(path):
        db = open_to_write(path)
        db.execute(f"PRAGMA max_page_count = {most}")
        return db

    monkeypatch.setattr("replays.store.open_to_write", limited)
    hands = bodies()
    acknowledged = set()
    for body in hands:
        answer = service.store(body)
        if answer.status != 201:
            break
        acknowledged.add(answer.value["replay"])
    check_problem(answer)
    assert answer.value["detail"] == "The disk that holds the store is full."
    check_goes_on(service)
    most = 1000
    assert service.store(body).status == 201
    assert len(acknowledged) > 10
    assert acknowledged < check_whole(path)
