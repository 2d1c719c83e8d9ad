"""Replaying a hand at the desk, without scripts: stepped through, refused, and whatever a form holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.positions import position
from schemas.notation import Notated, write
from schemas.ruling import Refused, Settled, Unfinished
from tests.api.desk.browsing import Visitor
from tests.api.desk.replaying import HAND, PAGE, UNFINISHED, button, hands, moves, rules_in, show, step, typed
from tests.strategies import damaged_logs, drawn, examples, legal_logs, wild_records


@pytest.fixture
def visitor(client):
    return Visitor(client, PAGE)


def test_a_hand_is_stepped_through_forwards_and_back(client):
    page = show(client, HAND)
    assert page.says("happens") == "Ana deals, and Ben plays first."
    assert "Stock: 42" in page.says("playing")
    told = []
    for _ in range(11):
        page.press(*button(page, "go-on"))
        told.append(page.says("happens"))
    assert told == [
        "Ben draws 9♥ from the stock.",
        "Ben discards 2♥ : 10 + 9 = 19.",
        "Cara draws J♣ from the stock.",
        "Cara discards 4♦ : 10 + 10 + 8 = 28.",
        "Ana takes 4♦ from the discard pile.",
        "Ana discards 6♣ : 11 + 8 + 4 = 23.",
        "Ben knocks with K♠ 9♠ 9♥ , which is 19.",
        "Cara draws 2♣ from the stock.",
        "Cara discards 2♣ .",
        "Ana draws Q♠ from the stock.",
        "Ana discards 4♦ : 11 + 8 = 19.",
    ]
    assert page.says("status") == "Ana loses 1 life and is on the county."
    for sentence in (*reversed(told[:-1]), "Ana deals, and Ben plays first."):
        assert page.press(*button(page, "go-back")).says("happens") == sentence
    assert page.press(*button(page, "go-last")).says("happens") == told[-1]
    assert page.press(*button(page, "go-first")).says("happens") == "Ana deals, and Ben plays first."


def test_at_each_step_the_table_is_drawn(client):
    page = show(client, HAND, at="3")
    assert hands(page) == [
        "Ben 3 lives king of spades 9 of spades 9 of hearts 19",
        "Cara 3 lives to play 4 of diamonds jack of clubs 10 of clubs 8 of clubs \N{EN DASH}",
        "Ana 1 life dealer ace of diamonds 8 of diamonds 6 of clubs 19",
    ]
    lit = {
        svg.attributes["aria-label"]
        for svg in page.page.one("ol", **{"class": "held"}).every("svg")
        if "faded" not in svg.attributes["class"]
    }
    assert {"9 of hearts", "6 of clubs"}.isdisjoint(lit)
    assert {"king of spades", "4 of diamonds", "ace of diamonds"} <= lit
    new = [svg for svg in page.page.every("svg") if svg.attributes["class"].endswith("new")]
    assert [svg.attributes["aria-label"] for svg in new] == ["jack of clubs"]
    assert page.page.one("details", id="pile").text == "All 2 discards 2 of hearts 5 of hearts"
    assert "knocked" in hands(show(client, HAND, at="7"))[0]


def test_a_turn_of_the_list_is_jumped_to(client):
    page = show(client, HAND)
    assert ("go", "6") in list(page.buttons())
    page.press("go", "6")
    here = page.page.one("li", **{"class": "here"})
    assert here.text == "Ana takes 4♦ from the discard pile and discards 6♣ : 11 + 8 + 4 = 23."
    assert "slow" in page.says("beside")


def test_the_event_in_dispute_is_where_it_begins(client):
    page = show(client, HAND.replace("-4d\n", "-4d ?\n", 1))
    assert page.says("happens") == "Cara discards 4♦ : 10 + 10 + 8 = 28."
    assert "in dispute" in page.page.one("li", **{"class": "here"}).text


def test_a_refusal_is_shown_at_its_event_with_every_broken_rule(client):
    page = show(client, UNFINISHED.replace("Cara: +Jc -4d", "Cara: +Jc -4d; Cara: +Jc; Ben: knock"))
    assert page.says("happens") == "Now Cara tries to draw J♣ from the stock."
    broken = [each.text for each in page.page.one("section", **{"class": "refusal"}).every("li")]
    assert len(broken) == 2
    assert "not Cara's turn" in broken[0] or "Ana" in broken[0]
    assert "Events after that, which are not judged: 1." in page.says("beside")
    assert "refused" in page.says("status")
    page.press(*button(page, "go-back"))
    assert not list(page.page.every("section", **{"class": "refusal"}))


def test_a_deal_that_cannot_be_has_no_steps(client):
    page = show(client, HAND.replace("Tc 8c 4d", "Ks 8c 4d"))
    assert page.says("happens") == "The record itself cannot stand."
    assert "K♠" in page.page.one("section", **{"class": "refusal"}).text
    assert page.response.status_code == 200


def test_what_comes_after_a_deal_that_ends_the_hand_is_said_not_to_be_judged(client):
    deal = HAND.partition("Ben: +9h")[0].replace("rules pagat", "rules four-lives-online").replace("9s 2h", "As Qs")
    page = show(client, f"{deal}Ben: knock\nCara: +2c -2c\n")
    assert "Cara loses 1 life" in page.says("status")
    assert "Events after that, which are not judged: 3." in page.says("beside")


def test_only_the_end_of_a_hand_is_settled(client):
    page = show(client, "Ann(3): Ks 9s 2h\nBob(3): 7h 7d 5c\nEnd: knock Bob")
    assert page.says("happens") == "Only the end of this hand is recorded."
    assert page.says("status") == "Bob loses 2 lives."
    assert hands(page)[1].startswith("Bob 3 lives 7 of hearts 7 of diamonds 5 of clubs 7")


@pytest.mark.parametrize("path", [PAGE, f"{PAGE}?log={'x' * 900}", "/desk/score"])
def test_nothing_of_a_page_is_kept_by_caches_and_all_of_it_is_from_here(client, path):
    response = client.get(path)
    assert response.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "style=" not in response.text
    assert "http://" not in response.text
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("replay", ["", "xyz", "0" * 63, "G" * 64, "0" * 5000])
def test_what_is_no_id_asks_for_nothing(client, replay):
    page = Visitor(client, f"{PAGE}?replay={replay}")
    assert page.response.status_code == 200
    assert page.says("playing").startswith("Step through a hand")


def test_another_hand_begins_with_nothing(client):
    page = show(client, HAND).press("new", "1")
    assert typed(page) == ""
    assert ("deal", "1") in list(page.buttons())


def test_the_example_is_a_whole_hand(visitor):
    visitor.press("example", "1")
    visitor.press(*button(visitor, "go-last"))
    assert "loses" in visitor.says("status")


def test_names_and_comments_are_shown_as_they_are(client):
    page = show(client, HAND.replace("Ben", '"<b>&"').replace("slow", "<i>&'x"))
    assert "<b>" not in page.response.text
    assert "<i>" not in page.response.text
    assert "<b>&" in hands(page)[0]


def test_no_name_and_no_comment_turns_around_what_stands_beside_it(client):
    turned = "\N{RIGHT-TO-LEFT OVERRIDE}"
    log = HAND.replace("Ben", f"B{turned}en").replace("Cara", turned).replace("slow", f"{turned}slow")
    page = show(client, log, at="11")
    assert page.says("status") == "Ana loses 1 life and is on the county."
    assert [each.split()[0] for each in hands(page)] == ["Ben", "Seat", "Ana"]
    assert typed(page) == log
    assert turned not in page.response.text.replace(log, "").partition("<main")[2].partition('id="link"')[0]
    page = show(client, log.replace("9s", f"{turned}9x"))
    assert turned not in page.says("playing")


@pytest.mark.parametrize("question", drawn(st.one_of(legal_logs(), damaged_logs(), wild_records()), 40), ids=range(40))
def test_any_hand_can_be_stepped_through(client, question):
    text = write(Notated(question.hand))
    ruling = question.ruling()
    rules = dict(rules_in(question))
    page = show(client, text, **rules)
    assert page.response.status_code == 200
    step(page, "go-last")
    if isinstance(ruling, Refused):
        shown = page.page.one("section", **{"class": "refusal"})
        assert len(list(shown.every("li"))) == len(ruling.broken)
    if isinstance(ruling, Settled | Refused):
        assert page.says("ruling")
    if isinstance(ruling, Unfinished):
        known = position(question.hand, question.rules, len(question.hand.events)).moves
        assert len(moves(page)) == len(known)
    step(page, "go-back")
    assert page.response.status_code == 200


VALUES = st.one_of(
    st.text(max_size=30),
    st.integers(-10, 10**6).map(str),
    st.sampled_from([HAND, UNFINISHED, "{}", "knock", "draw_stock:Ah", "0" * 64, "casual", "bicycle", "lives:5"]),
)
FIELDS = ["log", "at", "go", "do", "cut", "new", "deal", "example", "opened", "replay", "rules", "was", "set", "unset"]
FIELDS += ["seats", "n1", "h1", "l1", "up", "d", "table", "o.lives"]


@pytest.mark.usefixtures("kept")
@examples(2)
@given(st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), min_size=1, max_size=20))
def test_whatever_a_form_holds_gets_a_page(client, sent):
    data = {}
    for name, value in sent:
        data.setdefault(name, []).append(value)
    response = client.post(PAGE, data=data)
    assert response.status_code in {200, 404}, response.text
    assert response.headers["content-type"].startswith("text/html")


def test_a_long_hand_is_replayed_around_where_one_looks(client):
    question = max(drawn(legal_logs(), 150), key=lambda each: len(each.hand.events))
    assert len(question.hand.events) > 120
    page = show(client, write(Notated(question.hand)), **dict(rules_in(question)))
    step(page, "go-last")
    assert 0 < len(list(page.page.one("section", **{"class": "turns"}).every("li"))) <= 61
