"""The commands that work on a database: export, import and verify."""

import gzip
import json
import os
import pty
import signal
import struct
import subprocess
import sys
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

import pytest
import zstandard
from click.testing import CliRunner
from litestar.testing import TestClient
from sqlite_utils.utils import sqlite3

from api.app import create_app
from api.cli import group, import_, verify
from api.resources import Resources
from engine import VERSION
from replays import verifying
from replays.answers import Answer
from replays.archive import line_of
from replays.canonical import digest
from replays.faults import StoreError
from replays.finding import Filters
from replays.records import Record
from replays.store import Store
from tests.making.vectors import vectors
from tests.replays import independent_form
from tests.store.checking import check_whole
from tests.store.hands import bodies, record
from tests.store.serving import PATIENCE, ROOT

RECORDS = [record(body) for body in islice(bodies(), 30)]
IDS = [each.replay.hex() for each in reversed(RECORDS)]


@cache
def many():
    """Return more records than are kept, or verified, together."""
    return [record(body) for body in islice(bodies(), 1100)]


@pytest.fixture
def database(tmp_path):
    """A database with some replays."""
    return made(tmp_path / "replays.sqlite", RECORDS)


def made(path, records):
    with closing(Store(path)) as store:
        store.keep(records)
    return path


def run(*arguments, database, data=None):
    """Run a command in this process; return its result."""
    result = CliRunner().invoke(group, [*map(str, arguments), "--database", str(database)], input=data)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def done(*arguments, **given):
    result = run(*arguments, **given)
    assert result.exit_code == 0, result.output
    return result


def failed(*arguments, **given):
    result = run(*arguments, **given)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    return result


def content(database):
    """Return everything in a database that an archive is to preserve."""
    with closing(Store(database)) as store:
        return {
            stored.id: (stored.question, {(answer.engine, answer.digest, answer.content) for answer in stored.answers})
            for stored in store.walk(Filters())
        }


def lines_in(database):
    with closing(Store(database)) as store:
        return [line_of(stored) for stored in store.walk(Filters())]


def unpacked(path):
    if path.suffix in {".gz", ".GZ"}:
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
    return path.read_bytes()


def with_answers(kept, *answers):
    return [Record(kept.replay, kept.question, answer, kept.traits) for answer in answers]


def changed(kept, engine=VERSION, **fields):
    """Return an answer to a record in which some fields are others."""
    return Answer(engine, independent_form.answer({**json.loads(kept.answer.content), **fields}))


def spoil(database, *statements):
    with closing(sqlite3.connect(database)) as db, db:
        for statement in statements:
            db.execute(statement)


def damage(database, replay):
    """Change a byte of a stored hand, as a faulty disk would."""
    spoil(
        database,
        "UPDATE hands SET content = CAST(replace(content, 'discard', 'discarD') AS BLOB) "  # noqa: S608 - all text is here
        f"WHERE id = (SELECT hand FROM replays WHERE digest = x'{replay}')",
    )


# Export and import


@pytest.mark.parametrize("name", ["archive.ndjson", "archive.ndjson.gz", "archive.zst", "ARCHIVE.GZ"])
def test_what_is_exported_and_imported_into_an_empty_store_is_the_same(database, tmp_path, name):
    older = [changed(each, "0.0.9", unplayed=1) for each in RECORDS[:5]]
    made(database, [kept for each, answer in zip(RECORDS, older, strict=False) for kept in with_answers(each, answer)])
    archive, other = tmp_path / name, tmp_path / "other.sqlite"
    said = done("export", archive, database=database)
    assert said.stdout == ""
    assert "30" in said.stderr
    assert unpacked(archive) == b"".join(lines_in(database))
    assert "New replays: 30; known ones: 0; lines in error: 0" in done("import", archive, database=other).stderr
    assert content(other) == content(database)
    assert len(check_whole(other)) == 30
    again = tmp_path / f"again-{name}"
    done("export", again, database=other)
    assert sorted(unpacked(again).splitlines()) == sorted(unpacked(archive).splitlines())


@pytest.mark.parametrize("vector", vectors(), ids=str)
def test_the_published_questions_go_through_an_archive(vector, tmp_path):
    line = b'{"answers":[{"digest":"%b","engine":"0.1.0","ruling":%b}],"question":%b,"replay":"%b"}\n' % (
        digest(vector.answer).hex().encode(),
        vector.answer,
        vector.question,
        digest(vector.question).hex().encode(),
    )
    done("import", "-", database=tmp_path / "replays.sqlite", data=line)
    assert done("export", "-", database=tmp_path / "replays.sqlite").stdout_bytes == line


def test_standard_input_and_output(database, tmp_path):
    exported = done("export", "-", database=database)
    assert exported.stdout_bytes == b"".join(lines_in(database))
    done("import", "-", database=tmp_path / "other.sqlite", data=exported.stdout_bytes)
    assert content(tmp_path / "other.sqlite") == content(database)


def test_an_archive_is_what_the_service_streams(database):
    with closing(Store(database)) as store, TestClient(create_app(Resources(store))) as client:
        streamed = client.get("/v1/replays", headers={"accept": "application/x-ndjson"}).content
    assert done("export", "-", database=database).stdout_bytes == streamed


def test_the_filters_are_those_of_the_service(database):
    def found(*options):
        return len(done("export", "-", *options, database=database).stdout.splitlines())

    for option in (("--outcome", "settled"), ("--ended-by", "knock"), ("--players", "4"), ("--cites", "end.knock")):
        assert found(*option) == 30
    assert found("--preset", "casual") == 5
    assert found("--preset", "casual", "--outcome", "refused") == 0
    assert found("--until", "2020-01-01T00:00:00Z") == 0
    assert found("--rule-set", RECORDS[0].question.rule_set.hex()) == sum(
        each.question.rule_set == RECORDS[0].question.rule_set for each in RECORDS
    )
    assert found("--since", "2020-01-01T00:00:00Z") == 30


@pytest.mark.parametrize(
    "option", [("--outcome", "unfinished"), ("--players", "x"), ("--since", "yesterday"), ("--preset", "none")]
)
def test_a_filter_that_is_not_understood_is_a_wrong_use(database, tmp_path, option):
    result = run("export", tmp_path / "archive", *option, database=database)
    assert result.exit_code == 2
    assert option[0] in result.stderr
    assert not (tmp_path / "archive").exists()


def test_filters_that_contradict_each_other_are_said(database):
    said = failed("export", "-", "--preset", "casual", "--rule-set", "0" * 64, database=database)
    assert "different rules" in said.stderr


def test_an_export_past_a_damaged_replay_names_it_and_exports_the_rest(database, tmp_path):
    damage(database, IDS[3])
    said = failed("export", tmp_path / "archive", database=database)
    assert IDS[3] in said.stderr
    assert "Damaged replays left out: 1" in said.stderr
    exported = [json.loads(line)["replay"] for line in (tmp_path / "archive").read_bytes().splitlines()]
    assert exported == [each for each in IDS if each != IDS[3]]


@pytest.mark.parametrize("name", ["archive", "archive.gz", "archive.zst"])
@pytest.mark.parametrize("error", [StoreError("The disk that holds the store fails."), KeyboardInterrupt()], ids=type)
def test_an_export_that_fails_leaves_no_half_archive(database, tmp_path, monkeypatch, name, error):
    archive = tmp_path / name
    archive.write_bytes(b"an older one")
    written = iter(range(10))

    def fail(stored):
        if next(written) == 5:
            raise error
        return line_of(stored)

    monkeypatch.setattr("api.cli.export.line_of", fail)
    failed("export", archive, database=database)
    assert archive.read_bytes() == b"an older one"
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob(".*"))


def test_an_export_takes_its_name_when_it_is_complete(database, tmp_path, monkeypatch):
    seen = []

    def look(stored):
        seen.append((tmp_path / "archive").exists())
        return line_of(stored)

    monkeypatch.setattr("api.cli.export.line_of", look)
    done("export", tmp_path / "archive", database=database)
    assert not any(seen)
    assert (tmp_path / "archive").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_export_that_cannot_be_written_is_said(database, tmp_path):
    assert "cannot be written: No such file" in failed("export", tmp_path / "no" / "a", database=database).stderr
    assert "is a directory" in failed("export", tmp_path, database=database).stderr


def test_a_device_is_written_to_and_not_replaced(database):
    done("export", "/dev/null", database=database)
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("command", [("export", "-"), ("verify",)], ids=["export", "verify"])
def test_a_database_that_is_not_there_is_not_made(tmp_path, command):
    said = failed(*command, database=tmp_path / "none.sqlite")
    assert said.stderr == f"thirtyone: There is no database at {tmp_path / 'none.sqlite'}.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("export", "-"), ("verify",), ("import", "-")], ids=["export", "verify", "import"])
def test_a_file_that_is_no_store_is_left_alone(tmp_path, command):
    spoil(tmp_path / "other.sqlite", "CREATE TABLE visitors (name)")
    before = (tmp_path / "other.sqlite").read_bytes()
    said = failed(*command, database=tmp_path / "other.sqlite", data=lines_in(made(tmp_path / "a", RECORDS[:1]))[0])
    assert "not a store of replays" in said.stderr
    (tmp_path / "text").write_text("no database at all" * 100)
    failed(*command, database=tmp_path / "text", data=b"{}")
    assert (tmp_path / "other.sqlite").read_bytes() == before


def test_the_database_is_the_one_of_the_environment(database):
    result = CliRunner().invoke(group, ["export", "-"], env={"THIRTYONE_DATABASE": str(database)})
    assert len(result.stdout.splitlines()) == 30


def test_bad_lines_are_reported_with_their_numbers_and_the_others_imported(database, tmp_path):
    lines = lines_in(database)
    lines[4:4] = [b"{\n", b"\n", lines[9].replace(IDS[9].encode(), IDS[10].encode())]
    lines.append(b'{"problem":{"title":"A stored replay is damaged"},"replay":"x"}')
    said = failed("import", "-", database=tmp_path / "other.sqlite", data=b"".join(lines))
    *complaints, sum_ = said.stderr.splitlines()
    assert [line.partition(":")[2].partition(":")[0] for line in complaints] == [" Line 5", " Line 7", " Line 34"]
    assert "New replays: 30; known ones: 0; lines in error: 3" in sum_
    assert content(tmp_path / "other.sqlite") == content(database)


def test_an_import_can_be_run_again_and_finds_what_is_known(database, tmp_path):
    archive = tmp_path / "archive.zst"
    done("export", archive, database=database)
    half = made(tmp_path / "half.sqlite", RECORDS[:10])
    assert "New replays: 20; known ones: 10" in done("import", archive, database=half).stderr
    assert "New replays: 0; known ones: 30" in done("import", archive, database=half).stderr
    assert content(half) == content(database)


def test_answers_of_other_versions_are_added_to_known_replays(database, tmp_path):
    other = made(tmp_path / "other.sqlite", with_answers(RECORDS[0], changed(RECORDS[0], "0.0.9", unplayed=1)))
    said = done("import", "-", database=other, data=b"".join(lines_in(database)))
    assert "New replays: 29; known ones: 1" in said.stderr
    with closing(Store(other)) as store:
        assert [answer.engine for answer in store.get(RECORDS[0].replay).answers] == ["0.0.9", VERSION]


def test_another_answer_of_the_same_version_is_said_and_not_written_over(database, tmp_path):
    other = made(tmp_path / "other.sqlite", with_answers(RECORDS[-1], changed(RECORDS[-1], unplayed=1)))
    before = content(other)[IDS[0]]
    said = failed("import", "-", database=other, data=b"".join(lines_in(database)))
    assert f"Line 1: The store has another answer of {VERSION} to replay {IDS[0]}" in said.stderr
    assert content(other)[IDS[0]] == before
    assert len(content(other)) == 30


def test_a_known_replay_that_is_damaged_is_said(database):
    archive = b"".join(lines_in(database))
    damage(database, IDS[2])
    said = failed("import", "-", database=database, data=archive)
    assert f"Line 3: The store's own copy of replay {IDS[2]} is damaged; it stays" in said.stderr


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("part", [0, 0.6, 0.999])
def test_an_archive_that_is_cut_short_is_said_and_what_was_kept_stays(tmp_path, monkeypatch, suffix, part):
    monkeypatch.setattr(import_, "TOGETHER", 7)
    monkeypatch.setattr("api.cli.archives._PIECE", 1000)
    database = made(tmp_path / "replays.sqlite", RECORDS)
    archive = tmp_path / f"archive{suffix}"
    done("export", archive, database=database)
    whole = archive.read_bytes()
    archive.write_bytes(whole[: int(len(whole) * part)])
    said = failed("import", archive, database=tmp_path / "other.sqlite")
    assert f"{archive} has been cut short" in said.stderr
    assert "lines in error: 0" in said.stderr
    if (tmp_path / "other.sqlite").exists():
        kept = content(tmp_path / "other.sqlite")
        assert kept.items() <= content(database).items()
    archive.write_bytes(whole)
    done("import", archive, database=tmp_path / "other.sqlite")
    assert content(tmp_path / "other.sqlite") == content(database)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_an_archive_that_is_damaged_or_something_else_is_said(database, tmp_path, suffix):
    archive = tmp_path / f"archive{suffix}"
    archive.write_bytes(b"".join(lines_in(database)))
    said = failed("import", archive, database=tmp_path / "other.sqlite")
    assert "damaged, or no" in said.stderr
    done("export", archive, database=database)
    spoiled = bytearray(archive.read_bytes())
    spoiled[len(spoiled) // 2] ^= 0xFF
    archive.write_bytes(spoiled)
    failed("import", archive, database=tmp_path / "other.sqlite")


def test_compressed_parts_may_follow_each_other(database, tmp_path):
    lines = lines_in(database)
    for suffix, pack in ((".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)):
        archive = tmp_path / f"archive{suffix}"
        archive.write_bytes(pack(b"".join(lines[:10])) + pack(b"".join(lines[10:])))
        other = tmp_path / f"other{suffix}.sqlite"
        done("import", archive, database=other)
        assert content(other) == content(database)


def test_an_archive_that_is_not_there_makes_no_database(tmp_path):
    said = failed("import", tmp_path / "none.zst", database=tmp_path / "other.sqlite")
    assert "none.zst cannot be read: No such file or directory." in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_lines_are_kept_in_chunks_of_at_most_500(tmp_path, monkeypatch):
    chunks = []
    keep = Store.keep

    def noted(store, records):
        chunks.append(len(records))
        return keep(store, records)

    lines = lines_in(made(tmp_path / "replays.sqlite", many()))
    monkeypatch.setattr(Store, "keep", noted)
    done("import", "-", database=tmp_path / "other.sqlite", data=b"".join(lines))
    assert chunks == [500, 500, 100]


# Verify


def test_a_store_that_is_all_the_same_is_verified(database):
    said = done("verify", database=database)
    first, second = said.stdout.splitlines()
    assert "30. Same: 30; drifted: 0; damaged: 0; cannot be judged: 0." in first
    assert second == f"Answers of {VERSION}: same: 30; drifted in wording: 0; in decision: 0."
    assert said.stderr == ""


def test_an_empty_store_is_verified(tmp_path):
    assert "engine" in done("verify", database=made(tmp_path / "replays.sqlite", [])).stdout


@pytest.fixture(params=[1000, 7], ids=["one process", "several processes"])
def together(request, monkeypatch):
    monkeypatch.setattr(verify, "TOGETHER", request.param)


@pytest.mark.usefixtures("together")
def test_every_replay_that_has_drifted_or_is_damaged_is_named(tmp_path):
    decided, worded, damaged, newer, older, odd, *rest = RECORDS
    database = made(
        tmp_path / "replays.sqlite",
        [
            *with_answers(decided, changed(decided, next_dealer=16)),
            *with_answers(worded, changed(worded, citations=[])),
            damaged,
            # An old answer that the newest does not repeat is what an upgrade is for.
            *with_answers(newer, changed(newer, "0.0.9", unplayed=9), newer.answer),
            # Where there is none of this version, the newest has to be repeated.
            *with_answers(older, changed(older, "0.0.8"), changed(older, "0.0.9", unplayed=9)),
            odd,
            *rest,
        ],
    )
    damage(database, damaged.replay.hex())
    spoil(database, "DELETE FROM answers WHERE replay = 6")
    said = failed("verify", database=database)
    *named, summary, _, _, _, _ = said.stdout.splitlines()
    assert sorted(named) == sorted(
        [
            f"Replay {decided.replay.hex()} has drifted from its answer of {VERSION} in decision.",
            f"Replay {worded.replay.hex()} has drifted from its answer of {VERSION} in wording.",
            f"Replay {damaged.replay.hex()} is damaged: its question does not match its id.",
            f"Replay {older.replay.hex()} has drifted from its answer of 0.0.9 in decision.",
            f"Replay {odd.replay.hex()} is damaged: it has no answer.",
        ]
    )
    assert "30. Same: 25; drifted: 3; damaged: 2; cannot be judged: 0." in summary
    assert said.stdout.splitlines()[-4:] == [
        "Answers of 0.0.9: same: 0; drifted in wording: 0; in decision: 1.",
        f"Answers of {VERSION}: same: 25; drifted in wording: 1; in decision: 1.",
        "Beside newer ones, answers of 0.0.8: same: 1; drifted in wording: 0; in decision: 0.",
        "Beside newer ones, answers of 0.0.9: same: 0; drifted in wording: 0; in decision: 1.",
    ]


def test_an_answer_that_does_not_match_its_digest_is_damage(database):
    spoil(database, "UPDATE answers SET content = CAST(replace(content, 'Seat', 'Seal') AS BLOB) WHERE replay = 4")
    said = failed("verify", database=database)
    assert f"Replay {RECORDS[3].replay.hex()} is damaged: an answer does not match its digest" in said.stdout


def test_a_replay_that_this_version_cannot_judge_is_named(database, monkeypatch):
    def fail(question):
        if question == RECORDS[2].question:
            raise ValueError("Expected less.")
        return judge(question)

    judge = verifying.answer_now
    monkeypatch.setattr(verifying, "answer_now", fail)
    said = failed("verify", database=database)
    assert f"Replay {RECORDS[2].replay.hex()} cannot be judged by this version: Expected less." in said.stdout
    assert "cannot be judged: 1." in said.stdout


def test_a_file_whose_index_is_damaged_is_said(database):
    with closing(sqlite3.connect(database)) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'replays_by_hand'").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size + 3)  # the number of entries in a leaf of an index
        (entries,) = struct.unpack(">H", file.read(2))
        assert entries == 30
        file.seek(-2, os.SEEK_CUR)
        file.write(struct.pack(">H", entries - 1))
    said = failed("verify", database=database)
    assert "The file is damaged: " in said.stdout
    assert "replays_by_hand" in said.stdout
    assert "30. Same: 30" in said.stdout


# As processes


def launch(*arguments, database, **streams):
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", "from api.cli import main; main()", *map(str, arguments), "--database", str(database)],
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - a child of a test has no other threads to fear
        **streams,
    )


def hear_interrupts():
    """Undo what a shell does to programs in the background: the tests interrupt them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(condition):
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        sleep(0.02)


def is_over(process):
    """Return whether a process has left no other behind."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_import_that_is_interrupted_has_kept_whole_chunks(tmp_path):
    lines = lines_in(made(tmp_path / "replays.sqlite", many()[:600]))
    other = tmp_path / "other.sqlite"
    process = launch("import", "-", database=other, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"".join(lines))
    process.stdin.flush()
    until(lambda: other.exists() and _count(other) == 500)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors.decode() == (
        "thirtyone: Broken off.\nthirtyone: New replays: 500; known ones: 0; lines in error: 0.\n"
    )
    assert len(check_whole(other)) == 500


def _count(database):
    try:
        with closing(Store(database)) as store:
            return store.count()
    except StoreError:
        return 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_verification_shows_its_progress_and_can_be_interrupted(tmp_path, number):
    database = made(tmp_path / "replays.sqlite", many())
    terminal, end = pty.openpty()
    process = launch("verify", database=database, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    shown = b""
    while b"%" not in shown:
        shown += os.read(terminal, 1000)
    assert b"Verifying" in shown
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    output, _ = process.communicate(timeout=PATIENCE)
    shown += os.read(terminal, 10_000)
    os.close(terminal)
    assert process.returncode == 1
    assert b"Broken off." in shown
    assert b"Traceback" not in shown + output
    until(lambda: is_over(process))


def test_a_reader_who_has_seen_enough_ends_an_export_quietly(database):
    process = launch("export", "-", database=database, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(PATIENCE) in (0, 1)
    assert b"Traceback" not in errors
