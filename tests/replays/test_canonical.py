"""The canonical form: the same question has the same bytes, a different question has others.

What the form is, `docs/replay-format.md` says; `independent_form` was made from that page alone.
"""

import json
from random import Random

import msgspec
import pytest
import rfc8785
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import PRESETS, resolve
from replays.answers import answer, judge
from replays.canonical import Question, canonical_hand, digest, question_of
from replays.records import record_of
from replays.rerun import hand_of, rules_of
from schemas.hand import Hand
from tests.making.dice import Dice
from tests.making.respelling import NAMES, altered, chosen_otherwise, explicit, plain, respelt, ruled_otherwise, sent
from tests.making.vectors import Request
from tests.questions import cited, without
from tests.replays import independent_form
from tests.strategies import damaged_logs, dice, examples, legal_logs, showdown_records, wild_records
from tests.symmetries import changed, named, said_of

any_question = st.one_of(legal_logs(), damaged_logs(), showdown_records(), wild_records())


def form_of(question) -> Question:
    """Return the canonical form of a question as the tests ask it."""
    return question_of(canonical_hand(question.hand), question.rules)


@examples(1.5)
@given(any_question)
def test_bytes_are_those_of_rfc_8785(question):
    form = form_of(question)
    assert form.content == rfc8785.dumps(json.loads(form.content))
    assert form.content == independent_form.question(plain(question.hand), plain(question.rules))
    assert form.id == independent_form.replay_id(plain(question.hand), plain(question.rules))
    assert form.rule_set.hex() == independent_form.rule_set_id(plain(question.rules))


@examples(1.5)
@given(any_question)
def test_answers_are_those_of_rfc_8785(question):
    """Values that end in .5 and sentences with other than ASCII characters included."""
    hand = canonical_hand(question.hand)
    given_answer = answer(judge(hand, question.rules))
    assert given_answer.content == rfc8785.dumps(json.loads(given_answer.content))
    assert given_answer.content == independent_form.answer(plain(question.ruling()))
    assert given_answer.digest == digest(given_answer.content)
    assert b'"stated"' not in given_answer.content


@examples(2)
@given(any_question, dice(400))
def test_the_same_question_has_the_same_id(question, rolls):
    """However a client writes it, in JSON or MessagePack, and with whatever names, which are kept nowhere."""
    choice = chosen_otherwise(rolls, question.choice) if rolls.chance(50) else question.choice
    asked = {"hand": respelt(rolls, plain(question.hand)), "rules": plain(choice)}
    body, packed = sent(rolls, asked)
    decode = msgspec.msgpack.decode if packed else msgspec.json.decode
    request = decode(body, type=Request)
    record = record_of(request.hand, request.complete_rules())
    assert record.question == form_of(question)
    assert record.question.content == independent_form.question(asked["hand"], plain(question.rules))
    for kept in (record.question.content, record.answer.content):
        assert b'"name"' not in kept
        assert not [name for name in NAMES if name in kept.decode()]


@examples(2)
@given(any_question)
def test_the_canonical_form_says_what_the_request_says(question):
    """So two questions that differ in anything that matters cannot have one form."""
    assert explicit(plain(canonical_hand(question.hand))) == explicit(plain(question.hand))


@examples(2)
@given(any_question)
def test_the_canonical_form_is_its_own(question):
    """The canonical hand of a canonical hand is itself, and bytes that are read are written alike."""
    hand = canonical_hand(question.hand)
    assert canonical_hand(hand) == hand
    form = form_of(question)
    read = question_of(canonical_hand(hand_of(form)), rules_of(form))
    assert (read, read.content) == (form, form.content)


@examples(2)
@given(any_question, dice(10))
def test_another_question_has_another_id(question, rolls):
    """With a change in one place the id is another, unless the change happens to say the same."""
    hand = altered(rolls, plain(question.hand))
    other = form_of(question._replace(hand=msgspec.convert(hand, Hand, strict=True)))
    says_the_same = explicit(hand) == explicit(plain(question.hand))
    assert (other.id == form_of(question).id) == says_the_same


@examples(1)
@given(any_question, dice(10))
def test_other_rules_are_another_question(question, rolls):
    other = question._replace(choice=ruled_otherwise(rolls, question.choice))
    assume(other.rules != question.rules)
    form, seen = form_of(question), form_of(other)
    assert (seen.hand, seen.format) == (form.hand, form.format)
    assert seen.rule_set != form.rule_set
    assert seen.id != form.id


@examples(2)
@given(any_question, dice(200))
def test_the_canonical_question_has_the_same_ruling(question, rolls):
    """But for names, which sentences have where seats stand in the answer, and `stated`, which it has not."""
    asked = changed(question.hand, lambda hand: named(respelt(rolls, plain(msgspec.convert(hand, Hand))), name_of))
    ruling = adjudicate(asked, question.rules, resolve(question.choice).silent)
    kept = judge(canonical_hand(asked), question.rules)
    assert without(kept, "citations", "broken") == without(ruling, "citations", "broken")
    for stored, seen in zip(cited(kept), cited(ruling), strict=True):
        says = said_of(stored.says, name_of, len(asked.players))
        assert replace(stored, says=says) == replace(seen, stated=UNSET)


def name_of(seat: int) -> str:
    return f"Player {seat:02}"


LOG = {
    "kind": "log",
    "players": [{"lives": 3}, {"lives": 1, "redeemed": True}],
    "dealer": 2,
    "deal": {"hands": [["Ks", "9s", "2h"], ["Ad", "8d", "6c"]], "upcard": "5h", "stock": ["9c", "4d", "Th"]},
    "events": [
        {"type": "draw_stock", "seat": 1},
        {"type": "discard", "seat": 1, "card": "9c"},
        {"type": "take_discard", "seat": 2},
        {"type": "discard", "seat": 2, "card": "6c"},
        {"type": "knock", "seat": 1},
    ],
}
EXCHANGE = {"type": "exchange", "seat": 1, "give": ["Ks", "2h"], "take": ["4c", "3c"]}
RECORD = {
    "kind": "showdown",
    "players": [{"lives": 3, "cards": ["As", "Ks", "Qs"]}, {"lives": 1, "cards": ["Ad", "8d", "6c"]}],
    "dealer": 2,
    "ended_by": {"type": "declare", "seats": [1, 2], "knocker": 2},
}


def put(hand, path, value=None):
    """Return a hand with another value in one place, or without what is there."""
    copy = part = json.loads(json.dumps(hand))
    *way, last = path
    for step in way:
        part = part[step]
    if value is None:
        del part[last]
    elif isinstance(part, list) and last == len(part):
        part.append(value)
    else:
        part[last] = value
    return copy


def id_of(hand, rules=PRESETS[0].rules):
    return question_of(canonical_hand(msgspec.convert(hand, Hand)), rules).id


@pytest.mark.parametrize(
    ("hand", "path", "value"),
    [
        (LOG, ("players", 0, "lives"), 2),
        (LOG, ("players", 1, "redeemed"), False),
        (LOG, ("players", 2), {"lives": 3}),
        (LOG, ("dealer",), 1),
        (LOG, ("deal", "hands", 0, 2), "3h"),
        (LOG, ("deal", "hands"), [["Ad", "8d", "6c"], ["Ks", "9s", "2h"]]),
        (LOG, ("deal", "upcard"), "6h"),
        (LOG, ("deal", "upcard"), None),
        (LOG, ("deal", "widow"), ["2c", "3c", "4c"]),
        (LOG, ("deal", "stock"), ["9c", "Th", "4d"]),
        (LOG, ("deal", "stock"), []),
        (LOG, ("deal", "stock"), None),
        (LOG, ("events", 0, "card"), "4d"),
        (LOG, ("events", 2, "card"), "5h"),
        (LOG, ("events", 1, "card"), "Ks"),
        (LOG, ("events", 3, "seat"), 1),
        (LOG, ("events", 4, "type"), "stand"),
        (LOG, ("events", 4), None),
        (LOG, ("events", 5), {"type": "knock", "seat": 1}),
        (LOG, ("events", 5), {"type": "reshuffle"}),
        (LOG, ("events"), [*LOG["events"][2:4], *LOG["events"][:2], LOG["events"][4]]),
        (put(LOG, ("events", 5), {"type": "reshuffle"}), ("events", 5, "stock"), []),
        (put(LOG, ("events", 5), {"type": "reshuffle", "stock": ["5h", "9c"]}), ("events", 5, "stock"), ["9c", "5h"]),
        (put(LOG, ("events", 5), EXCHANGE), ("events", 5, "give"), ["Ks"]),
        (put(LOG, ("events", 5), EXCHANGE), ("events", 5, "take"), ["4c", "5c"]),
        (RECORD, ("players", 0, "unclaimed_31"), True),
        (RECORD, ("players", 0, "cards", 1), "Js"),
        (RECORD, ("dealer",), None),
        (RECORD, ("ended_by", "seats"), [1]),
        (RECORD, ("ended_by", "knocker"), 1),
        (RECORD, ("ended_by", "knocker"), None),
        (RECORD, ("ended_by",), {"type": "stock"}),
        (put(RECORD, ("ended_by",), {"type": "knock", "seat": 1}), ("ended_by", "type"), "first_knock"),
    ],
    ids=lambda part: None if isinstance(part, dict) else str(part),
)
def test_a_change_of_what_matters_is_another_question(hand, path, value):
    path = (path,) if isinstance(path, str) else path
    assert id_of(put(hand, path, value)) != id_of(hand)


@pytest.mark.parametrize(
    ("hand", "path", "value"),
    [
        (LOG, ("players", 0, "name"), "Zo\u00eb"),
        (LOG, ("players", 0, "redeemed"), False),
        (LOG, ("deal", "hands", 0), ["2h", "9s", "Ks"]),
        (LOG, ("deal", "upcard"), "5\u2665\ufe0f"),
        (LOG, ("deal", "stock"), ["9C", "4\u2666", "10h"]),
        (LOG, ("events", 0, "card"), "9c"),
        (LOG, ("events", 2, "card"), "9\u2663"),
        (put(LOG, ("events", 5), EXCHANGE), ("events", 5, "give"), ["2h", "Ks"]),
        (put(LOG, ("deal", "widow"), ["2c", "3c", "4c"]), ("deal", "widow"), ["4c", "2c", "3c"]),
        (RECORD, ("players", 0, "unclaimed_31"), False),
        (RECORD, ("players", 0, "cards"), ["qs", "as", "ks"]),
        (RECORD, ("ended_by", "seats"), [2, 1, 2]),
    ],
    ids=lambda part: None if isinstance(part, dict) else str(part),
)
def test_another_way_to_say_it_is_the_same_question(hand, path, value):
    assert id_of(put(hand, path, value)) == id_of(hand)


def test_a_card_that_contradicts_its_pile_takes_the_top_card_with_it():
    draws = [{"type": "draw_stock", "seat": 1, "card": card} for card in ("Th", "4d", "Th", "2c")]
    takes = [{"type": "take_discard", "seat": 1, "card": card} for card in ("9c", "9c")]
    events = [{"type": "discard", "seat": 1, "card": "9c"}, *takes, *draws]
    form = question_of(canonical_hand(msgspec.convert({**LOG, "events": events}, Hand)), PRESETS[0].rules)
    kept = [event.get("card") for event in json.loads(form.hand)["events"]]
    assert kept == ["9c", None, "9c", "Th", None, None, "2c"]


def test_after_a_reshuffle_only_its_own_order_implies_a_card():
    draw = {"type": "draw_stock", "seat": 1, "card": "9c"}
    for reshuffle, card in (
        ({"type": "reshuffle"}, "9c"),
        ({"type": "reshuffle", "stock": ["9c"]}, None),
        ({"type": "reshuffle", "stock": ["4d", "9c"]}, "9c"),
    ):
        hand = canonical_hand(msgspec.convert({**LOG, "events": [reshuffle, draw]}, Hand))
        assert plain(hand)["events"][1].get("card") == card


def test_after_a_reshuffle_the_top_discard_is_still_there():
    take = {"type": "take_discard", "seat": 1, "card": "9c"}
    events = [{"type": "discard", "seat": 1, "card": "9c"}, {"type": "reshuffle", "stock": ["5h"]}, take, take]
    hand = canonical_hand(msgspec.convert({**LOG, "events": events}, Hand))
    assert [event.get("card") for event in plain(hand)["events"]] == ["9c", None, None, "9c"]


def test_preset_names_are_no_part_of_a_question():
    """`family` and `pagat` differ in what their sources say, not in an answer."""
    choices = {preset.id: id_of(LOG, preset.rules) for preset in PRESETS}
    assert choices["family"] == choices["pagat"]
    assert len(set(choices.values())) == len({preset.rules for preset in PRESETS})


def test_respelling_tries_what_clients_may_do():
    """The property tests above are only as good as this: every way to say the same is used."""
    log = plain(msgspec.convert(LOG, Hand))
    texts = [json.dumps(respelt(Dice(Random(seed).randbytes(400)), log)) for seed in range(60)]
    for part in ('"name"', '"redeemed": false', "10", "9\\u2663", "\\ufe0f", '"card": "9c", "seat": 1', '["2h", '):
        assert 0 < len([text for text in texts if part in text]) < len(texts), part
