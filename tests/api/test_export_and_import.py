"""Export and import: what leaves a store comes into another one as it was, and what cannot is said."""

import gzip
import json
import os
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner
from litestar.testing import TestClient

from api.app import create_app
from api.cli import group, import_
from api.resources import Resources
from engine import VERSION
from replays.archive import line_of
from replays.canonical import digest
from replays.faults import StoreError
from replays.store import Store
from tests.api.commanding import (
    IDS,
    RECORDS,
    changed,
    content,
    damage,
    done,
    failed,
    lines_in,
    made,
    many,
    run,
    spoil,
    unpacked,
    with_answers,
)
from tests.making.vectors import vectors
from tests.store.checking import check_whole


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
@pytest.mark.parametrize(
    ("error", "status"),
    [(StoreError("The disk that holds the store fails."), 1), (KeyboardInterrupt(), 130)],
    ids=["fails", "is broken off"],
)
def test_an_export_that_does_not_end_leaves_no_half_archive(database, tmp_path, monkeypatch, name, error, status):
    archive = tmp_path / name
    archive.write_bytes(b"an older one")
    written = iter(range(10))

    def fail(stored):
        if next(written) == 5:
            raise error
        return line_of(stored)

    monkeypatch.setattr("api.cli.export.line_of", fail)
    result = run("export", archive, database=database)
    assert (result.exit_code, "Traceback" in result.output) == (status, False)
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


def test_a_filter_that_is_no_text_is_refused_in_words(tmp_path):
    result = run("export", tmp_path / "x", "--outcome", "\udcff", database=made(tmp_path / "replays.sqlite", RECORDS))
    assert (result.exit_code, "`outcome` cannot be `?`: it is one of" in result.stderr) == (2, True)


def test_an_export_that_is_interrupted_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.export.walk", interrupted)
    database = made(tmp_path / "replays.sqlite", RECORDS)
    (tmp_path / "out").mkdir()
    result = run("export", tmp_path / "out" / "x.zst", database=database)
    assert (result.exit_code, result.stderr) == (130, "thirtyone: Broken off.\n")
    assert not list((tmp_path / "out").iterdir())
