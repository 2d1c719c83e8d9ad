"""The test vectors: requests whose canonical bytes, ids and answers are files, for implementations in any language."""

from hashlib import sha256
from typing import get_args

import pytest

from replays.canonical import canonical_hand, question_of
from replays.records import record_of
from schemas.hand import (
    Deal,
    DeclareEnding,
    Discard,
    Ending,
    Event,
    Exchange,
    HandLog,
    Player,
    Reshuffle,
    ShowdownRecord,
    ShownPlayer,
)
from tests.making.respelling import plain
from tests.making.vectors import vectors
from tests.replays import independent_form

VECTORS = {str(vector): vector for vector in vectors()}
SAME = [{"names-and-symbols", "message-pack"}, {"preset-with-changes", "another-preset"}]
every_vector = pytest.mark.parametrize("vector", VECTORS.values(), ids=str)


@every_vector
def test_the_service_writes_the_question_so(vector):
    request = vector.request()
    form = question_of(canonical_hand(request.hand), request.complete_rules())
    assert form.content == vector.question
    assert (form.id, form.rule_set.hex()) == (vector.ids["replay"], vector.ids["rule_set"])


@every_vector
def test_the_independent_form_writes_the_question_so(vector):
    hand, rules = vector.body()["hand"], plain(vector.request().complete_rules())
    assert independent_form.question(hand, rules) == vector.question
    assert independent_form.replay_id(hand, rules) == vector.ids["replay"]
    assert independent_form.rule_set_id(rules) == vector.ids["rule_set"]


@every_vector
def test_the_engine_answers_so(vector):
    """If this fails, and `test_golden` does not: `python -m tests.making.vectors`."""
    request = vector.request()
    given = record_of(request.hand, request.complete_rules()).answer
    assert given.content == vector.answer
    assert given.digest.hex() == vector.ids["answer"]


@every_vector
def test_ids_are_hashes_of_the_files(vector):
    assert vector.ids["replay"] == sha256(vector.question).hexdigest()
    assert vector.ids["answer"] == sha256(vector.answer).hexdigest()
    assert [path.name for path in vector.folder.iterdir() if path.read_bytes().endswith(b"\n")] == []


def test_vectors_have_one_id_where_they_ask_the_same():
    by_id = {}
    for name, vector in VECTORS.items():
        by_id.setdefault(vector.ids["replay"], set()).add(name)
    assert sorted(map(sorted, filter(lambda names: len(names) > 1, by_id.values()))) == sorted(map(sorted, SAME))


def test_vectors_show_everything_there_is():
    """Every key of the canonical form, every type of event and ending, and values that end in .5."""
    assert len(VECTORS) > 12
    text = b"".join(vector.question for vector in VECTORS.values()).decode()
    parts = (HandLog, Player, Deal, ShowdownRecord, ShownPlayer, DeclareEnding, Discard, Exchange, Reshuffle)
    keys = {key for part in parts for key in part.__struct_fields__} - {"name"}
    tags = {part.__struct_config__.tag for part in (*get_args(Event), *get_args(Ending))}
    assert [key for key in keys if f'"{key}":' not in text] == []
    assert [tag for tag in tags if f'"type":"{tag}"' not in text] == []
    assert any(b'"value":30.5' in vector.answer for vector in VECTORS.values())
