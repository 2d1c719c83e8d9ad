"""The archive: a replay is written as one line and read back as what was kept; any other line is refused."""

import json
from contextlib import closing
from hashlib import sha256
from itertools import islice

import pytest
import rfc8785
from hypothesis import assume, given

from engine import VERSION
from replays.answers import Answer
from replays.archive import MOST_BYTES, ArchiveError, line_of, records_in
from replays.faults import DAMAGED, DamagedReplayError, StoreError
from replays.finding import Filters, Stored
from replays.lines import Line
from replays.records import record_of
from replays.store import Store
from replays.walking import PAGE, Gap, walk
from schemas.ruling import Unfinished
from tests.store.hands import bodies, record
from tests.strategies import examples, questions

RECORD = record(next(bodies()))


def stored(kept=RECORD, *answers, sound=True):
    answers = answers or (kept.answer,)
    return Stored(1, kept.replay.hex(), kept.question, 0, answers, sound)


def read(line, number=1):
    return records_in(Line(number, line))


LINE = line_of(stored())


def test_a_line_is_the_stored_bytes_in_canonical_form():
    answers = (Answer("0.0.9", b'{"old":30.5}'), RECORD.answer)
    line = line_of(stored(RECORD, *answers))
    assert line.endswith(b"\n")
    assert line[:-1] == rfc8785.dumps(json.loads(line))
    assert list(json.loads(line)) == ["answers", "question", "replay"]
    assert RECORD.question.content in line
    assert sha256(RECORD.question.content).hexdigest() == json.loads(line)["replay"]
    for answer, written in zip(answers, json.loads(line)["answers"], strict=True):
        assert answer.content in line
        assert written["engine"] == answer.engine
        assert written["digest"] == sha256(answer.content).hexdigest()


@examples(2)
@given(questions())
def test_what_is_read_is_what_was_kept(question):
    assume(not isinstance(question.ruling(), Unfinished))
    kept = record_of(question.hand, question.rules)
    (again,) = read(line_of(stored(kept)))
    assert (again.replay, again.question, again.answer) == (kept.replay, kept.question, kept.answer)
    assert set(again.traits) == set(kept.traits)


def test_answers_of_several_versions_are_read_each_by_itself():
    older = Answer("0.0.9", _changed(RECORD.answer.content, outcome="refused", broken=[{"rule": "log.older"}]))
    first, second = read(line_of(stored(RECORD, older, RECORD.answer)))
    assert first.question == second.question == RECORD.question
    assert (first.answer, second.answer) == (older, RECORD.answer)
    assert {"outcome=refused", "cites=log.older"} <= set(first.traits)
    assert set(second.traits) == set(RECORD.traits)


def test_a_ruling_of_another_version_may_have_other_fields():
    other = Answer("9.0.0", _changed(RECORD.answer.content, news={"of": ["any", "kind"]}))
    (again,) = read(line_of(stored(RECORD, other)))
    assert again.answer == other


def test_a_damaged_replay_is_not_written():
    with pytest.raises(DamagedReplayError, match=RECORD.replay.hex()):
        line_of(stored(sound=False))


def _changed(content, **fields):
    """Return canonical JSON with other fields."""
    return rfc8785.dumps({**json.loads(content), **fields})


def _written(**fields):
    """Return a line in which some fields are others, with an id and digests that fit unless they are given."""
    line = json.loads(LINE) | fields
    if "replay" not in fields:
        line["replay"] = sha256(rfc8785.dumps(line["question"])).hexdigest()
    return rfc8785.dumps(line)


def _answered(**fields):
    (answer,) = json.loads(LINE)["answers"]
    answer |= fields
    if "digest" not in fields:
        answer["digest"] = sha256(rfc8785.dumps(answer["ruling"])).hexdigest()
    return answer


def _asked(**fields):
    return json.loads(LINE)["question"] | fields


def _in_hand(**fields):
    question = _asked()
    return _written(question=question | {"hand": question["hand"] | fields})


RULING = json.loads(LINE)["answers"][0]["ruling"]


def _ruled(engine=VERSION, **fields):
    """Return a line whose ruling has other fields, with digests that fit."""
    ruling = json.dumps(RULING | fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return _raw_ruling(ruling, engine)


def _raw_ruling(ruling, engine="9.0.0"):
    """Return a line with this ruling, with digests that fit."""
    answer = b'{"digest":"%b","engine":"%b","ruling":%b}' % (
        sha256(ruling).hexdigest().encode(),
        engine.encode(),
        ruling,
    )
    return b'{"answers":[%b],"question":%b,"replay":"%b"}' % (
        answer,
        RECORD.question.content,
        RECORD.replay.hex().encode(),
    )


OTHER_WAY_ROUND = LINE.replace(
    RECORD.question.content,
    b'{"rules":%b,"hand":%b,"format":1}' % (RECORD.question.rules, RECORD.question.hand),
)
NOT_CANONICAL = {
    "names": _in_hand(players=[{"lives": 1, "name": "Ana", "redeemed": False}] * 4),
    "card order": _in_hand(deal=_asked()["hand"]["deal"] | {"hands": [["2c", "As", "Ks"]] * 4}),
    "a standard left out": _in_hand(players=[{"lives": 1}] * 4),
}
WRONG = {
    "not JSON": (b"{", "not written as a replay"),
    "not UTF-8": (
        LINE.replace(b"Seat", b"S\xe9at", 1),
        "not written as a replay: (Invalid|it holds text that is not) UTF-8",
    ),
    "no text at all": (b"\xff\xfe{", "not written as a replay: it holds text that is not UTF-8."),
    "no object": (b"5", "not written as a replay"),
    "nested": (b'{"question":' + b"[" * 100_000, "nested too deeply"),
    "a field too many": (_written(more=1), "unknown field `more`"),
    "a field too few": (b'{"answers":[]}', "missing required field"),
    "a problem": (b'{"problem":{"title":"A stored replay is damaged","type":"x"},"replay":"y"}', "replay is damaged"),
    "another id": (_written(replay="0" * 64), "id is not the SHA-256 of its question"),
    "id in capitals": (_written(replay=RECORD.replay.hex().upper()), "id is not the SHA-256 of its question"),
    "another question": (LINE.replace(b'"lives":3', b'"lives":4'), "id is not the SHA-256|SHA-256 of its ruling"),
    "another ruling": (LINE.replace(b'"game_over":false', b'"game_over":true'), "SHA-256 of its ruling"),
    "another digest": (_written(answers=[_answered(digest="0" * 64)]), "SHA-256 of its ruling"),
    "spaces in the ruling": (LINE.replace(b'"game_over":', b'"game_over": '), "SHA-256 of its ruling"),
    "spaces in the question": (LINE.replace(b'"format":1', b'"format": 1'), "not in canonical form"),
    "keys in another order": (OTHER_WAY_ROUND, "not in canonical form"),
    "another format": (_written(question=_asked(format=2)), "of format 2"),
    "no hand": (_written(question=_asked(hand={"kind": "none"})), "question cannot be read"),
    "rules left out": (_written(question=_asked(rules={"form": "stock"})), "not in canonical form"),
    "answers that do not go together": (
        _written(question=_asked(rules=_asked()["rules"] | {"county": "none", "loss_beyond_lives": "county"})),
        "needs `county` to be `all`",
    ),
    "no answer": (_written(answers=[]), "no answer"),
    "two answers of a version": (_written(answers=[_answered(), _answered()]), "two answers"),
    "no version": (_written(answers=[_answered(engine="")]), "version of the engine"),
    "a long version": (_written(answers=[_answered(engine="1" * 33)]), "version of the engine"),
    "unfinished": (_written(answers=[_answered(ruling=RULING | {"outcome": "unfinished"})]), "cannot be read"),
    "no ruling": (_written(answers=[_answered(ruling=None)]), "cannot be read"),
    "no seats": (_written(answers=[_answered(ruling={"outcome": "settled", "citations": []})]), "cannot be read"),
    "a version that is no word": (_written(answers=[_answered(engine="1\n")]), "version of the engine"),
    "an ending that there is not": (_ruled(engine="9.0.0", ended_by="boredom"), "cannot be read"),
    "more seats than there are": (_ruled(engine="9.0.0", seats=[1] * 17), "cannot be read"),
    "a number that MessagePack has not": (_ruled(engine="9.0.0", more=2**80), "cannot be read"),
    "a field that this version has not": (_ruled(more=1), "unknown field `more`"),
    "a number too large": (_raw_ruling(b'{"citations":[],"outcome":"settled","seats":[],"x":1e400}'), "cannot be read"),
    "an endless number": (
        _raw_ruling(b'{"citations":[],"outcome":"settled","seats":[],"x":%b}' % (b"9" * 6000)),
        "cannot",
    ),
    **{f"not canonical: {what}": (line, "canonical form") for what, line in NOT_CANONICAL.items()},
}


@pytest.mark.parametrize(("line", "why"), WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_refused_with_its_number_and_the_reason(line, why):
    with pytest.raises(ArchiveError, match=why) as refusal:
        read(line, 7)
    said = str(refusal.value)
    assert said.startswith("Line 7: ")
    assert said.endswith(".")
    assert len(said) < 400


def test_a_ruling_that_is_not_canonical_is_refused_even_with_its_digest():
    ruling = RECORD.answer.content.replace(b'"game_over":', b'"game_over": ')
    line = LINE.replace(RECORD.answer.content, ruling)
    line = line.replace(RECORD.answer.digest.hex().encode(), sha256(ruling).hexdigest().encode())
    with pytest.raises(ArchiveError, match="is not in canonical form"):
        read(line)


def test_a_line_that_is_too_long_is_refused():
    with pytest.raises(ArchiveError, match=f"Line 3: It is longer than {MOST_BYTES:,} bytes"):
        records_in(Line(3, None))


def test_a_line_may_be_spaced_outside_of_what_has_a_digest():
    assert read(LINE.replace(b',"question":', b' , "question" : ')) == read(LINE)
    assert read(LINE.replace(VERSION.encode(), VERSION.replace("0", "\\u0030", 1).encode(), 1)) == read(LINE)


class Faulty:
    """A store in which some rows cannot be read."""

    def __init__(self, store, *rows, error=DAMAGED):
        self.store, self.rows, self.error = store, rows, error

    def find(self, filters, before, limit):
        found = self.store.find(filters, before, limit)
        if any(each.row in self.rows for each in found):
            raise StoreError(self.error)
        return found


COUNT = 3 * PAGE // 2


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with closing(Store(tmp_path_factory.mktemp("store") / "replays.sqlite")) as store:
        store.keep([record(body) for body in islice(bodies(), COUNT)])
        yield store


@pytest.mark.parametrize("rows", [(), (1,), (COUNT,), (70,), (70, 71, 73), (1, 60, 120, COUNT)], ids=str)
def test_a_walk_goes_past_what_cannot_be_read(store, rows):
    found = list(walk(Faulty(store, *rows), Filters(), COUNT + 1))
    read_rows = [each.row for each in found if isinstance(each, Stored)]
    assert read_rows == [row for row in range(COUNT, 0, -1) if row not in rows]
    gaps = {row for each in found if isinstance(each, Gap) for row in range(each.first, each.last + 1)}
    assert gaps == set(rows)
    assert all("cannot be read" in str(each) for each in found if isinstance(each, Gap))


def test_a_walk_stays_in_its_range_and_keeps_to_its_filters(store):
    assert [each.row for each in walk(store, Filters(), 31, 20)] == list(range(30, 19, -1))
    assert list(walk(store, Filters(outcome="refused"), COUNT + 1)) == []
    assert list(walk(store, Filters(), 1)) == []


def test_a_walk_does_not_hide_that_the_store_cannot_be_read(store):
    with pytest.raises(StoreError, match="busy"):
        list(walk(Faulty(store, 5, error="It is busy."), Filters(), COUNT + 1))
