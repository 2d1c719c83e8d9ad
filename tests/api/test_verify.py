"""Verify: everything stored is judged again, and whatever has drifted or is damaged is named."""

import os
import struct
from contextlib import closing

import pytest
from sqlite_utils.utils import sqlite3

from api.cli import verify
from engine import VERSION
from replays import verifying
from tests.api.commanding import RECORDS, changed, damage, done, failed, made, spoil, with_answers


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
