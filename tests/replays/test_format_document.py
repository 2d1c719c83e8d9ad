"""What `docs/replay-format.md` says is so: its example, its tables, and where it points to."""

import json
import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from replays.canonical import FORMAT, canonical_hand, question_of
from replays.records import record_of
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS
from tests.making.respelling import plain
from tests.making.vectors import Request
from tests.replays import independent_form

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "replay-format.md").read_text(encoding="utf-8")


def chapter(title):
    """Return a chapter of the document."""
    return re.split(r"^## ", DOCUMENT.partition(f"\n## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


EXAMPLE = re.findall(r"^```(?:json|text)\n(.*?)\n```$", chapter("An example"), flags=re.MULTILINE | re.DOTALL)


def test_the_example_is_right():
    body, question, replay, rule_set, answer, digest = EXAMPLE
    request = msgspec.json.decode(body, type=Request)
    record = record_of(request.hand, request.complete_rules())
    assert record.question.content.decode() == question
    assert record.question.id == replay == sha256(question.encode()).hexdigest()
    assert record.question.rule_set.hex() == rule_set
    assert record.answer.content.decode() == answer
    assert record.answer.digest.hex() == digest == sha256(answer.encode()).hexdigest()


def test_the_example_is_right_by_the_document_alone():
    body, question, replay, rule_set, *_ = EXAMPLE
    hand, rules = json.loads(body)["hand"], plain(msgspec.json.decode(body, type=Request).complete_rules())
    assert independent_form.question(hand, rules).decode() == question
    assert independent_form.replay_id(hand, rules) == replay
    assert independent_form.rule_set_id(rules) == rule_set
    part = question[question.index('{"county"') : -1]
    assert sha256(part.encode()).hexdigest() == rule_set


def test_the_example_shows_what_differs():
    """The request has what a question leaves out, so that the example is worth reading."""
    body, question, *_ = EXAMPLE
    hand = json.loads(body)["hand"]
    request = msgspec.json.decode(body, type=Request)
    form = question_of(canonical_hand(request.hand), request.complete_rules())
    assert '"name"' in body
    assert '"name"' not in question
    assert [event for event in hand["events"] if event.get("card")] != [
        event for event in json.loads(form.hand)["events"] if event.get("card")
    ]


@pytest.mark.parametrize(("form", "options"), [("stock", STOCK_OPTIONS), ("widow", WIDOW_OPTIONS)])
def test_the_tables_have_every_option_and_answer(form, options):
    """If an option is added, format 1 stays as it is and a new format says what is new."""
    table = chapter("Rules").partition(f'With `"form":"{form}"`:')[2].partition("\n\n\n")[0].strip().split("\n\n")[0]
    rows = [re.findall(r"`([^`]*)`", row) for row in table.splitlines()[2:]]
    assert [name for name, *_ in rows] == list(options)
    for row, (name, standard, *others) in zip(table.splitlines()[2:], rows, strict=True):
        answers = [json.loads(answer) for answer in (standard, *others)]
        declared = [answer.answer for answer in options[name].answers]
        assert answers[0] == declared[0]
        if " to " in row:
            assert set(declared) == set(range(answers[1], answers[2] + 1)) | {answers[0]}
        else:
            assert answers == declared


def test_the_document_describes_the_format_that_is_written():
    assert f"**format {FORMAT}**" in DOCUMENT
    assert f'"format":{FORMAT},' in chapter("A question")


def test_what_the_document_points_to_is_there():
    for path in re.findall(r"`((?:tests|docs)/[^`]*)`", DOCUMENT):
        assert (ROOT / path).exists(), path
