"""Reruns: a stored question is judged once more, and what of the answer has changed is said."""

import json

import msgspec
import pytest
import rfc8785
from msgspec import UNSET

from engine import VERSION
from engine.presets import PRESETS
from replays.answers import Answer
from replays.canonical import Question
from replays.records import record_of
from replays.rerun import answer_to_compare, drift, hand_of, rerun, rules_of
from schemas.hand import Hand
from schemas.rules import StockRules
from tests.making.vectors import vectors
from tests.replays import independent_form

STANDARD = PRESETS[0].rules
KNOCK = {
    "kind": "log",
    "players": [{"lives": 3}, {"lives": 3}],
    "dealer": 2,
    "deal": {"hands": [["Ks", "9s", "2h"], ["Tc", "8c", "4d"]], "upcard": "5h"},
    "events": [
        {"type": "knock", "seat": 1},
        {"type": "draw_stock", "seat": 2, "card": "9c"},
        {"type": "discard", "seat": 2, "card": "4d"},
    ],
}
OUT_OF_TURN = {**KNOCK, "events": [{"type": "knock", "seat": 2}]}
settled = record_of(msgspec.convert(KNOCK, Hand), STANDARD)
refused = record_of(msgspec.convert(OUT_OF_TURN, Hand), STANDARD)


def changed(stored, engine="0.0.9", **fields):
    """Return an answer of an older engine that differs in some fields."""
    ruling = json.loads(stored.content)
    assert fields.keys() <= ruling.keys()
    return Answer(engine, independent_form.answer({**ruling, **fields}))


def part(stored, field):
    return json.loads(stored.content)[field]


@pytest.mark.parametrize("vector", vectors(), ids=str)
def test_the_same_answer_is_the_same(vector):
    question = json.loads(vector.question)
    stored = Answer(VERSION, vector.answer)
    asked = Question(rfc8785.dumps(question["hand"]), rfc8785.dumps(question["rules"]))
    again = rerun(asked, stored)
    assert again.drift is None
    assert again.now == again.stored == stored


def test_the_same_bytes_of_an_older_engine_are_the_same():
    again = rerun(settled.question, Answer("0.0.9", settled.answer.content))
    assert again.drift is None
    assert (again.stored.engine, again.now.engine) == ("0.0.9", VERSION)


def other_sentence(citation):
    return {**citation, "says": "Said otherwise."}


def other_rule(citation):
    return {**citation, "rule": "end.other"}


@pytest.mark.parametrize(
    "fields",
    [
        {"citations": list(map(other_sentence, part(settled.answer, "citations")))},
        {"citations": list(map(other_rule, part(settled.answer, "citations")))},
        {"citations": []},
        {"rules": {"form": "stock"}},
    ],
    ids=["sentence", "other-rule-cited", "nothing-cited", "rules-without-an-option"],
)
def test_only_the_wording_has_changed(fields):
    stored = changed(settled.answer, **fields)
    again = rerun(settled.question, stored)
    assert again.drift == "wording"
    assert (again.stored, again.now) == (stored, settled.answer)


SEATS = part(settled.answer, "seats")


@pytest.mark.parametrize(
    "fields",
    [
        {"ended_by": "stock_exhausted"},
        {"ended_at": 1, "unplayed": 1},
        {"knocker": None},
        {"next_dealer": 2},
        {"open_claims": [2]},
        {"play_again": True},
        {"seats": [{**SEATS[0], "change": -1, "after": 2}, SEATS[1]]},
        {"seats": [{**SEATS[0], "value": 19.5}, SEATS[1]]},
        {"seats": [{**SEATS[0], "counted": ["Ks"]}, SEATS[1]]},
        {"seats": [SEATS[0], {**SEATS[1], "status": "county"}]},
    ],
    ids=str,
)
def test_the_decision_has_changed(fields):
    assert rerun(settled.question, changed(settled.answer, **fields)).drift == "decision"


def test_a_changed_decision_with_other_words_is_a_changed_decision():
    stored = changed(settled.answer, citations=[], next_dealer=2)
    assert rerun(settled.question, stored).drift == "decision"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"broken": list(map(other_sentence, part(refused.answer, "broken")))}, "wording"),
        ({"citations": [other_sentence(part(refused.answer, "broken")[0])]}, "wording"),
        ({"broken": [{**part(refused.answer, "broken")[0], "option": "first_knock"}]}, "wording"),
        ({"broken": list(map(other_rule, part(refused.answer, "broken")))}, "decision"),
        ({"broken": part(refused.answer, "broken") * 2}, "decision"),
        ({"kind": "illegal"}, "decision"),
        ({"at": None}, "decision"),
        ({"seats": part(refused.answer, "seats")[:1]}, "decision"),
    ],
    ids=["sentence", "citations", "option", "other-rule-broken", "another-rule-broken", "kind", "event", "seats"],
)
def test_of_a_refusal_the_broken_rules_are_the_decision(fields, expected):
    assert rerun(refused.question, changed(refused.answer, **fields)).drift == expected


def test_broken_rules_in_another_order_are_the_same_decision():
    one, other = part(refused.answer, "broken")[0], other_rule(part(refused.answer, "broken")[0])
    assert (
        drift(changed(refused.answer, broken=[one, other]), changed(refused.answer, broken=[other, one])) == "wording"
    )


def test_a_refusal_and_a_settlement_are_different_decisions():
    assert drift(refused.answer, settled.answer) == "decision"
    assert drift(settled.answer, refused.answer) == "decision"


@pytest.mark.parametrize("option", StockRules.__struct_fields__)
def test_an_option_that_a_stored_question_lacks_has_the_standard_answer(option):
    """So questions from before an option was added are judged as before, and differ in the repeated rules only."""
    rules = {name: choice for name, choice in json.loads(settled.question.rules).items() if name != option}
    asked = Question(settled.question.hand, rfc8785.dumps(rules))
    stored = changed(settled.answer, rules=rules)
    assert rules_of(asked) == STANDARD
    assert asked.id != settled.question.id
    again = rerun(asked, stored)
    assert again.drift == "wording"
    assert again.now == settled.answer


@pytest.mark.parametrize(
    "rules", [b'{"form":"stock","lives":11}', b'{"form":"stock","no_such":1}', b'{"form":"third"}']
)
def test_rules_that_this_version_does_not_know_are_not_guessed(rules):
    with pytest.raises(msgspec.ValidationError):
        rerun(Question(settled.question.hand, rules), settled.answer)


def test_a_record_that_this_version_does_not_know_is_not_guessed():
    hand = settled.question.hand.replace(b'"type":"knock"', b'"type":"sing"')
    with pytest.raises(msgspec.ValidationError):
        rerun(Question(hand, settled.question.rules), settled.answer)


def test_the_question_is_read_as_it_stands():
    hand = hand_of(settled.question)
    assert [player.name for player in hand.players] == [UNSET, UNSET]
    assert rules_of(settled.question) == STANDARD


def test_the_answer_to_compare_with():
    """The one of this version, or else the newest."""
    older, newer = Answer("0.0.8", b"{}"), Answer("0.0.9", b"{}")
    own = Answer(VERSION, b"{}")
    assert answer_to_compare((older, newer)) is newer
    assert answer_to_compare((older, own, newer)) is own
