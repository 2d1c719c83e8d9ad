"""Every record that the schema admits can be written and read, and comes back as it was."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hand import (
    Declare,
    Discard,
    DrawStock,
    Exchange,
    Hand,
    HandLog,
    Knock,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.notation import Notated, NotationError, event_places, read, rules_places, write
from schemas.notation.mistakes import MOST
from tests import strategies
from tests.corpus import CASES, EXAMPLES, hands
from tests.making.respelling import plain
from tests.making.typing_by_hand import NAMES, typed
from tests.notation import anything


@given(anything.notated())
def test_what_is_written_is_read_as_it_was(notated):
    text = write(notated)
    assert read(text) == notated
    assert write(read(text)) == text


@given(anything.notated())
def test_the_strict_form_has_a_line_for_each_entry(notated):
    text = write(notated)
    assert text.endswith("\n")
    assert all(line and line == line.strip(" ") for line in text[:-1].split("\n"))
    assert not {"\r", "\t"} & set(text)


@pytest.mark.parametrize(
    "case", {pair.case.id: pair.case for pair in (*hands(CASES), *hands(EXAMPLES))}.values(), ids=lambda case: case.id
)
def test_the_hands_of_the_conformance_cases_are_the_same_in_json_again(case):
    hand = msgspec.convert(case.hand, Hand)
    assert plain(read(write(Notated(hand))).hand) == plain(hand)


@given(strategies.questions())
def test_hands_that_are_played_come_back(question):
    assert read(write(Notated(question.hand))) == Notated(question.hand)


@given(anything.hands_of(st.sampled_from(NAMES)), strategies.dice(600))
def test_what_people_type_is_read_as_they_mean_it(hand, dice):
    assert read(typed(dice, hand)) == Notated(hand)


@given(anything.scribbles())
def test_whatever_is_typed_is_a_record_or_a_list_of_places_in_the_text(text):
    try:
        notated = read(text)
    except NotationError as error:
        found = error.mistakes
    else:
        assert anything.is_valid(notated.hand)
        assert read(write(notated)) == notated
        return
    assert 1 <= len(found) <= MOST
    assert list(found) == sorted(found)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for mistake in found:
        assert 1 <= mistake.column <= mistake.column + mistake.length <= len(lines[mistake.line - 1]) + 1


@given(anything.hands_of(st.sampled_from(NAMES)), strategies.dice(600))
def test_every_event_has_a_place_in_what_people_type(hand, dice):
    text = typed(dice, hand)
    events = hand.events if isinstance(hand, HandLog) else ()
    places = event_places(text)
    assert len(places) == len(events)
    assert list(places) == sorted(set(places))
    for event, place in zip(events, places, strict=True):
        assert re.match(_BEGINS[type(event)], text[place:], re.IGNORECASE), text[place : place + 10]


@given(anything.notated(), st.sampled_from(["", "\ufeff", "# nothing\r\n"]), st.booleans())
def test_every_rule_set_has_its_place_in_a_text(notated, before, has_dashes):
    text = before + (write(notated).replace("_", "-") if has_dashes else write(notated))
    places = rules_places(text)
    assert [set(each) for each in places] == [{"rules", *each.changes} for each in notated.rules]
    for each in places:
        assert text[slice(*each.pop("rules"))] == "rules"
        for option, (begin, end) in each.items():
            assert re.fullmatch(rf"{option}=\S+", text[begin:end].replace("-", "_"))


_BEGINS = {
    Declare: "31|declare",
    Discard: "[-\u2010-\u2015\u2212]",
    DrawStock: r"\+",
    Exchange: "swap|exchange",
    Knock: "knock",
    Reshuffle: "reshuffle",
    Stand: "stand",
    TakeDiscard: r"\^",
}
