"""Putting a hand in at the desk, without scripts: by its legal moves, back and forth, under other rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.notation import Notated, read, write
from tests.api.desk.browsing import Visitor
from tests.api.desk.replaying import HAND, PAGE, UNFINISHED, moves, rules_in, show, step, typed
from tests.strategies import examples, unfinished_logs


@pytest.fixture
def visitor(client):
    return Visitor(client, PAGE)


def test_a_hand_is_put_in_by_legal_moves_alone(visitor):
    visitor.press("table", "fewer").press("table", "fewer")
    assert visitor.press("deal", "1").says("happens").startswith("Still missing: cards of Seat 1 and Seat 2.")
    visitor.put(n1="Ann", n2="Bob", h1="ks 9s 2h", h2="7h 7d 5c", up="5h").press()
    assert visitor.says("happens") == ""
    visitor.press("deal", "1")
    assert visitor.says("happens") == "Bob deals, and Ann plays first."
    assert [move for move in moves(visitor) if not move.startswith("draw")] == ["take_discard", "knock"]
    assert len(moves(visitor)) == 47
    visitor.press("do", "take_discard")
    assert moves(visitor) == ["discard:Ks", "discard:9s", "discard:2h"]
    visitor.press("do", "discard:2h")
    visitor.press("do", "draw_stock:As").press("do", "discard:As")
    visitor.press("do", "knock").press("do", "draw_stock:Ah").press("do", "discard:5c")
    assert visitor.says("status") == "Bob loses 1 life."
    assert moves(visitor) == []
    assert typed(visitor).splitlines() == [
        "[dealer Bob]",
        "Ann(3): Ks 9s 2h",
        "Bob(3): 7h 7d 5c",
        "Up: 5h",
        "Ann: ^ -2h",
        "Bob: +As -As",
        "Ann: knock",
        "Bob: +Ah -5c",
    ]


def test_a_widow_hand_is_put_in(visitor):
    visitor.put(rules="bicycle").press()
    assert "The widow" in visitor.says("playing")
    visitor.press("table", "fewer").press("table", "fewer")
    visitor.put(h1="ks 9s 2h", h2="7h 7d 5c", up="th 4c").press()
    assert "three cards of the widow" in visitor.says("happens")
    visitor.put(up="th 4c 8d").press("deal", "1")
    assert "exchange:2h:Th" in moves(visitor)
    visitor.press("do", "exchange:2h:Th")
    assert visitor.says("happens").startswith("Seat 1 gives the widow 2♥ and takes 10♥")
    assert "knock" in moves(visitor)


def test_a_hand_is_dealt_by_taps(visitor):
    visitor.press("table", "fewer").press("table", "fewer")
    dealt = ["Ks", "9s", "2h", "7h", "7d", "5c", "5h"]
    told = []
    for card in dealt:
        told.append(visitor.page.one(id="pack").one("p").text)
        assert ("put", card) in visitor.buttons()
        visitor.press("put", card)
        assert ("put", card) not in visitor.buttons()
    assert told == [
        *["Tap a card to give it to Seat 1."] * 3,
        *["Tap a card to give it to Seat 2."] * 3,
        "Tap the upcard.",
    ]
    assert visitor.page.one(id="pack").one("p").text == "All is dealt."
    assert "put" not in dict(visitor.buttons())
    visitor.press("drop", "5h").press("put", "6h")
    visitor.press("drop", "9s").press("put", "8s")
    visitor.press("deal", "1")
    assert typed(visitor).splitlines()[1:] == ["Seat 1(3): Ks 2h 8s", "Seat 2(3): 7h 7d 5c", "Up: 6h"]


def test_a_widow_is_dealt_by_taps_and_jokers_are_in_the_pack_that_has_them(visitor):
    visitor.put(rules="bicycle").press()
    visitor.press("table", "fewer").press("table", "fewer")
    visitor.put(h1="ks 9s 2h", h2="7h 7d 5c").press()
    assert visitor.page.one(id="pack").one("p").text == "Tap the three cards of the widow."
    assert ("put", "X1") not in visitor.buttons()
    for card in ("Th", "4c", "8d"):
        visitor.press("put", card)
    assert visitor.page.one(id="pack").one("p").text == "All is dealt."
    visitor.press("deal", "1")
    assert "exchange:2h:Th" in moves(visitor)


def test_a_31_is_shown_and_after_the_end_too(client):
    page = show(client, "[dealer 2]\nAnn(3): As Ks Qs\nBob(3): 7h 7d 5c\nUp: 5h")
    assert "declare:1" in moves(page)
    page.press("do", "declare:1")
    assert page.says("status") == "Bob loses 1 life."
    late = "[dealer 2]\nAnn(3): Ks 9s 2h\nBob(3): Kh Th 5c\nUp: 5h\nknock\n+Ah -5c"
    page = show(client, late, at="3")
    assert moves(page) == ["declare:2"]
    assert "unless a 31 is shown now" in page.says("playing")
    page.press("do", "declare:2")
    assert "Bob: +Ah -5c 31" in typed(page)


def test_events_are_taken_back_and_a_hand_is_played_on_from_anywhere(client):
    page = show(client, HAND, at="11")
    page.press("cut", "10")
    assert page.says("happens") == "Ana draws Q♠ from the stock."
    assert "discard:4d" in moves(page)
    page.press("go", "4")
    assert moves(page) == []
    page.press("cut", "4")
    assert "draw_stock:2c" in moves(page)
    assert "Cara: +Jc -4d" in typed(page)
    assert "knock" not in typed(page)
    assert "slow" not in typed(page)


def test_a_move_that_is_not_legal_is_not_made(client):
    page = show(client, UNFINISHED)
    before = typed(page)
    for move in ("draw_stock:Ks", "discard:Ad", "stand", "declare:1", "nothing", "exchange::"):
        page.changed |= {"do": [move], "at": ["4"]}
        page.press()
        assert typed(page) == before


def test_other_rules_judge_the_same_log_and_are_named_in_it(client):
    page = show(client, HAND, at="11")
    page.put(rules="casual").press()
    assert page.says("status") != "Ana loses 1 life and is on the county."
    assert "[rules casual]" in typed(page)
    page.changed["set"] = ["lives:5"]
    page.press()
    assert "[rules casual lives=5]" in typed(page)
    page.press("unset", "lives")
    assert "[rules casual]" in typed(page)


def test_rules_of_the_form_are_those_of_a_log_that_names_none(client):
    page = show(client, HAND.removeprefix("[rules pagat]\n"), at="11")
    page.put(rules="casual").press()
    assert "[rules" not in typed(page)
    assert "Ben" in page.says("status")


@examples(0.5)
@given(unfinished_logs(), st.data())
def test_a_tapped_move_is_in_the_log(client, question, data):
    page = show(client, write(Notated(question.hand)), **dict(rules_in(question)))
    step(page, "go-last")
    offered = moves(page)
    if offered:
        page.press("do", data.draw(st.sampled_from(offered)))
        hand = read(typed(page)).hand
        assert hand.events[:-1] == question.hand.events
        assert "refused" not in [each.attributes.get("class") for each in page.page.every("section")]
