"""The strict form: what exactly is written."""

import re

import msgspec
import pytest

from api.examples import NOTATED, TIED_KNOCKER
from schemas.hand import Hand
from schemas.notation import Comment, Notated, NotatedRules, read, write
from tests.documents.blocks import ROOT

PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
EVENTS = re.findall(
    r'^\| `(\{"type": [^|]*seat[^|]*\}|\{"type": "reshuffle"[^|]*)` \| `([^|]+?)` \| .* \|$', PAGE, re.MULTILINE
)
ENDS = re.findall(r'^\| `(\{"type": [^|]*\})` \| `(End: [^|]+?)`(?: and `([^|]+)`)? \|$', PAGE, re.MULTILINE)
THREE = ["Ks", "9s", "2h"]


def log(*events, names=("Ben", "Cara", "Dan")):
    players = [{"lives": 3} | ({"name": name} if name else {}) for name in names]
    record = {"kind": "log", "players": players, "dealer": len(names), "deal": {"hands": []}, "events": events}
    return msgspec.convert(record, Hand)


def event(kind, seat, **cards):
    return {"type": kind, "seat": seat, **cards}


def turns(*events, names=("Ben", "Cara", "Dan")):
    """Return the lines that the turns are written in."""
    return write(Notated(log(*events, names=names))).splitlines()[len(names) + 1 :]


def test_a_whole_hand():
    hand = msgspec.convert(TIED_KNOCKER, Hand)
    assert write(Notated(hand, (NotatedRules("pagat", {"knocker_tie": "double"}),))) == NOTATED


def test_all_that_a_log_can_have():
    players = [{"lives": 0, "redeemed": True}, {"lives": 99, "name": "Up"}, {"lives": 1, "name": 'A "B"\n\u2028'}]
    deal = {"hands": [THREE, THREE], "upcard": "Td", "widow": ["X1", "X2", "Ac"], "stock": []}
    record = {"kind": "log", "players": players, "dealer": 16, "deal": deal}
    events = [{"type": "reshuffle", "stock": []}, event("exchange", 2, give=[], take=["2c", "3c"]), event("knock", 3)]
    said = Notated(
        msgspec.convert(record | {"events": events}, Hand),
        (NotatedRules(changes={"lives": 4, "county": "none"}), NotatedRules("pub"), NotatedRules()),
        (1,),
        (Comment(None, "late at night"), Comment(1, "so"), Comment(1, "says Dan")),
    )
    assert (
        write(said)
        == """{late at night}
[rules county=none lives=4]
[rules pub]
[rules]
[dealer Seat 16]
Seat 1(0, redeemed): Ks 9s 2h
"Up"(99): Ks 9s 2h
"A \\"B\\"\\u000a\\u2028"(1): nothing
Up: Td
Widow: X1 X2 Ac
Stock: nothing
Reshuffle: nothing
Seat 2: swap nothing for 2c 3c ? {so} {says Dan}
Seat 3: knock
"""
    )
    assert read(write(said)) == said


def test_more_hands_than_players():
    record = {"kind": "log", "players": [{"lives": 3}], "dealer": 1, "deal": {"hands": [THREE] * 2}, "events": []}
    text = "[dealer Seat 1]\nSeat 1(3): Ks 9s 2h\nExtra: Ks 9s 2h\n"
    assert write(Notated(msgspec.convert(record, Hand))) == text


def test_all_that_a_record_of_the_end_can_have():
    players = [{"lives": 3, "cards": THREE, "redeemed": True, "unclaimed_31": True}, {"lives": 0, "cards": THREE}]
    ending = {"type": "declare", "seats": [2, 1], "knocker": 9}
    record = {"kind": "showdown", "players": players, "ended_by": ending}
    assert write(Notated(msgspec.convert(record, Hand))) == (
        "Seat 1(3, redeemed, unclaimed): Ks 9s 2h\nSeat 2(0): Ks 9s 2h\nEnd: 31 Seat 2, Seat 1\nKnocker: Seat 9\n"
    )


LINES = {
    "a draw and its discard": ([event("draw_stock", 1), event("discard", 1, card="Td")], ["Ben: +? -Td"]),
    "with a 31": (
        [event("take_discard", 1), event("discard", 1, card="Td"), event("declare", 1), event("declare", 1)],
        ["Ben: ^ -Td 31 31"],
    ),
    "by another": (
        [event("draw_stock", 1), event("discard", 2, card="Td"), event("declare", 3)],
        ["Ben: +?", "Cara: -Td", "Dan: 31"],
    ),
    "two turns of one player": (
        [event("stand", 1), event("draw_stock", 1), event("draw_stock", 1), event("knock", 1)],
        ["Ben: stand", "Ben: +?", "Ben: +?", "Ben: knock"],
    ),
    "a reshuffle between": (
        [event("draw_stock", 1), {"type": "reshuffle"}, event("discard", 1, card="Td")],
        ["Ben: +?", "reshuffle", "Ben: -Td"],
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_a_new_line_for_a_new_turn(case):
    events, lines = LINES[case]
    assert turns(*events) == lines


@pytest.mark.parametrize(
    "name", ["Mary Ann", "Jean-Luc", "O'Neil", "Zo\u00eb", "\u5f20\u4f1f", "31", "knock", "End up", "+Qh?"]
)
def test_a_name_that_needs_no_quotes(name):
    is_number = name == "31"
    lines = write(Notated(log(event("knock", 1), names=(name,)))).splitlines()
    shown = f'"{name}"' if is_number else name
    assert lines[1:] == [f"{shown}(3): nothing", "Seat 1: knock" if is_number else f"{name}: knock"]


@pytest.mark.parametrize(
    "name", ["Up", "RULES", "reshuffle", "seat 2", "Seat2", "7", " Ann", "Ann ", "A  B", *'"#{}[]():;,\\\t\xa0\u202e']
)
def test_a_name_that_would_be_taken_for_something_else(name):
    said = Notated(log(event("knock", 1), names=(name, "Ben")))
    lines = write(said).splitlines()
    assert lines[0] == "[dealer Ben]"
    assert lines[1].startswith('"')
    assert lines[1].isprintable()
    assert lines[3] == "Seat 1: knock"
    assert read(write(said)) == said


def test_players_of_one_name_are_called_by_their_seats():
    assert turns(event("knock", 1), event("knock", 2), event("knock", 3), names=("Al", "al", "Al")) == [
        "Seat 1: knock", "al: knock", "Seat 3: knock",
    ]  # fmt: skip


def test_the_tables_of_the_page_have_every_kind_of_event_and_ending():
    kinds = {msgspec.json.decode(json)["type"] for json, *_ in EVENTS}
    assert kinds == {"draw_stock", "take_discard", "discard", "knock", "declare", "stand", "exchange", "reshuffle"}
    assert {msgspec.json.decode(json)["type"] for json, *_ in ENDS} == {"knock", "declare", "stock", "first_knock"}


@pytest.mark.parametrize(("json", "text"), EVENTS)
def test_an_event_as_the_page_has_it(json, text):
    found = msgspec.json.decode(json)
    (line,) = turns(found)
    assert line == (text if found["type"] == "reshuffle" else f"Cara: {text}")


@pytest.mark.parametrize(("json", "end", "knocker"), ENDS)
def test_an_ending_as_the_page_has_it(json, end, knocker):
    players = [{"lives": 3, "cards": THREE, "name": name} for name in ("Ben", "Cara", "Dan")]
    hand = msgspec.convert({"kind": "showdown", "players": players, "ended_by": msgspec.json.decode(json)}, Hand)
    assert write(Notated(hand)).splitlines()[3:] == [line for line in (end, knocker) if line]
