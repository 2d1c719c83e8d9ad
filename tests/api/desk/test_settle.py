"""Settling a hand at the desk, without scripts: what is tapped and typed, and what the page says of it."""

from urllib.parse import unquote, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.testing import TestClient

from api.access import Access
from api.app import create_app
from api.gate import Gate
from api.keys import ApiKey, digest_of, new_key
from api.resources import Resources
from engine.presets import PRESETS
from replays.store import Store
from schemas.cards import Card
from schemas.rules import form_of
from tests.api.desk.browsing import Visitor, names_in
from tests.strategies import examples

STOCK = [preset.id for preset in PRESETS if form_of(preset.rules) == "stock"]
HANDS = ("ks 9s 2h", "7h 7d 5c", "10♠ Qc 3D")


@pytest.fixture
def visitor(client):
    return Visitor(client)


@pytest.fixture
def settled(visitor):
    visitor.press("table", "fewer")
    visitor.put(n1="Ann", n2="Bob", n3="Cleo", l2="1", **{f"h{seat}": hand for seat, hand in enumerate(HANDS, 1)})
    return visitor.put(how="knock").press().put(k="2").press()


def test_a_hand_is_settled_from_what_was_typed(settled):
    assert settled.says("status") == "Bob loses 2 lives and is out."
    assert [row.text for row in settled.page.one(id="ruling").every("tr")] == [
        "Name Points Before After",
        "Ann 19 3 lives 3 lives",
        "Bob 7 1 life no lives out",
        "Cleo 10 3 lives 3 lives",
    ]
    reasons = settled.page.one("ol", **{"class": "why"}).text
    assert "Bob knocked and alone has the lowest hand, 7, so loses 2 lives. rule: knocker_alone" in reasons


def test_the_same_hand_is_settled_by_taps_alone(visitor):
    visitor.press("table", "fewer")
    for card in ("Ks", "9s", "2h", "7h", "7d", "5c", "Ts", "Qc", "3d"):
        visitor.press("put", card)
    assert visitor.says("status") == "Still missing: how it ended."
    visitor.put(how="knock").press()
    assert visitor.says("status") == "Still missing: who knocked."
    visitor.put(k="2").press()
    assert visitor.says("status") == "Seat 2 loses 2 lives."
    assert ("put", "Ks") not in list(visitor.buttons())


def test_cards_are_given_to_whom_was_chosen_and_taken_back(visitor):
    visitor.press("to", "3").press("put", "As")
    assert "ace of spades" in visitor.page.one("button", id="drop-As").text
    assert visitor.page.one("input", name="h3").attributes["value"] == "As"
    visitor.press("drop", "As")
    assert visitor.page.one("input", name="h3").attributes["value"] == ""
    assert ("put", "As") in list(visitor.buttons())


def test_counted_cards_are_lit(settled):
    hands = [list(seat.every("svg")) for seat in settled.page.one("ol", **{"class": "seats"}).every("li")]
    lit = [[svg.attributes["aria-label"] for svg in hand if "faded" not in svg.attributes["class"]] for hand in hands]
    assert lit == [["king of spades", "9 of spades"], ["7 of hearts"], ["10 of spades"]]


def test_which_rule_books_agree_and_on_what_the_others_part(settled):
    groups = list(settled.page.one("ul", **{"class": "agree"}).every("li"))
    named = " ".join(group.text for group in groups)
    assert all(preset.name in named for preset in PRESETS if preset.id in STOCK)
    assert groups[0].text.startswith("Bob loses 2 lives and is out. your rules , Scat (31)")
    assert "A knocker alone with the lowest hand loses 1 life, like anyone else." in groups[1].text


def test_another_rule_is_one_tap_and_is_taken_back_by_one(settled):
    assert ("set", "knocker_alone:1") in list(settled.buttons())
    settled.press("set", "knocker_alone:1")
    assert settled.says("status") == "Bob loses 1 life and is on the county."
    assert "A knocker alone with the lowest hand loses 1 life" in settled.says("book")
    settled.press("unset", "knocker_alone")
    assert settled.says("status") == "Bob loses 2 lives and is out."


def test_the_rules_of_a_group_are_one_tap(settled):
    settled.press("set", "county:none,knocker_alone:1")
    assert settled.says("status") == "Bob loses 1 life and is out."


def test_the_link_opens_the_same_ruling_and_names_are_not_sent(client, settled):
    link = urlsplit(settled.page.one("a", id="link").attributes["href"])
    assert names_in(link) == ["Ann", "Bob", "Cleo"]
    assert "Ann" not in unquote(link.query)
    again = Visitor(client, f"{link.path}?{link.query}")
    assert again.says("status") == "Seat 2 loses 2 lives and is out."
    assert urlsplit(again.page.one("a", id="link").attributes["href"]).query == link.query


def test_a_shown_31_and_a_late_one(visitor):
    visitor.press("table", "fewer").put(h1="as ks qs", h2="ah kh qh", h3="2c 3c 4c", how="declare").press()
    assert visitor.says("status") == "Still missing: who showed 31."
    visitor.put(s=["1"]).press()
    assert visitor.says("status") == "Seat 2 loses 1 life and Seat 3 loses 1 life."
    visitor.put(s=["1", "2"]).press()
    assert visitor.says("status") == "Seat 3 loses 1 life."
    visitor.put(s=["3"]).press()
    assert "refused" in visitor.says("status")
    assert "does not hold a 31" in visitor.says("ruling")


def test_the_stock_ran_out(visitor):
    visitor.press("table", "fewer").put(h1="as ks qs", h2="ah kh 2h", h3="2c 3c 4c", how="stock").press()
    assert visitor.says("status") == "Seat 3 loses 1 life."
    visitor.put(rules="wikipedia").press()
    assert visitor.says("status") == "Nobody loses a life."


def test_what_is_wrong_is_said_where_it_is(visitor):
    visitor.put(h1="ks 9s zz", h2="ks 2d 3d", h3="2c 3c 4c 5c").press()
    seats = visitor.says("seats")
    assert "Not a card: zz" in seats
    assert "king of spades is in two places" in seats
    assert "A hand has three cards" in seats
    assert visitor.page.one("input", name="h1").attributes["value"] == "Ks 9s zz"


def test_a_rule_that_cannot_be_is_complained_of(client):
    page = Visitor(client, "/?rules=pagat&o.knocker_tie=maybe&o.nothing=1")
    assert "knocker_tie" in page.says("book")
    assert "nothing" in page.says("book")
    assert page.response.status_code == 200


def test_another_book_drops_the_house_rules_of_the_one_before(settled):
    settled.press("set", "knocker_alone:1").put(rules="pub").press()
    assert "With house rules" not in settled.says("book")


def test_a_name_is_shown_as_it_is(visitor):
    name = "<b>&\"'{{x}}`Ks`"
    visitor.put(n1=name).press()
    assert visitor.page.one("input", name="n1").attributes["value"] == name
    assert "<b>" not in visitor.response.text
    assert visitor.page.one("button", id="to-1").attributes["aria-label"] == f"Give cards to {name}"


@pytest.mark.parametrize("widow", [preset.id for preset in PRESETS if preset.id not in STOCK])
def test_a_pot_is_taken(visitor, widow):
    visitor.press("table", "fewer").put(h1="ks 9s 2h", h2="7h 7d 5c", h3="Ts Qc 3d", how="knock", rules=widow).press()
    visitor.put(k="2").press()
    assert "takes the pot" in visitor.says("ruling")
    assert "Before" not in visitor.says("ruling")


fields = st.sampled_from(
    [
        "seats",
        "to",
        "how",
        "k",
        "s",
        "u",
        "r",
        "d",
        "rules",
        "was",
        "set",
        "unset",
        "put",
        "drop",
        "table",
        "o.lives",
        "key",
    ]
    + [f"{letter}{seat}" for letter in "nlh" for seat in (1, 2, 9)]
)
values = st.one_of(
    st.text(max_size=30),
    st.integers(-10, 10**6).map(str),
    st.sampled_from(
        [*STOCK, "knock", "declare", "stock", "first_knock", "more", "fewer", "clear", "Ks", "knocker_tie:shares"]
    ),
    st.lists(st.sampled_from(list(Card)), max_size=4).map("".join),
)


@examples(2)
@given(st.lists(st.tuples(fields, values), min_size=1, max_size=25))
def test_whatever_a_form_holds_gets_a_page(client, sent):
    data = {}
    for name, value in sent:
        data.setdefault(name, []).append(value)
    response = client.post("/", data=data)
    assert response.status_code == 200, response.text


@examples(1)
@given(st.data())
def test_whatever_is_tapped_the_link_leads_to_the_same_page(client, data):
    visitor = Visitor(client)
    for _ in range(6):
        button = data.draw(st.sampled_from([each for each in visitor.buttons() if each[0]]))
        visitor.press(*button)
    visitor.put(how=data.draw(st.sampled_from(["knock", "stock", "declare"]))).press()
    assert visitor.response.status_code == 200


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"{}", "application/json", 415),
        (b"a=1&" * 300, "application/x-www-form-urlencoded", 400),
        (b"n1=%ff", "application/x-www-form-urlencoded", 400),
        (b"n1=" + b"x" * 1_000_000, "application/x-www-form-urlencoded", 413),
    ],
)
def test_what_is_no_form_of_the_desk_gets_a_problem(client, content, content_type, status):
    response = client.post("/", content=content, headers={"content-type": content_type})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_nothing_of_a_page_is_kept_by_caches_and_all_of_it_is_from_here(client):
    for path in ("/", "/desk/rules"):
        response = client.get(path)
        assert response.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        assert "http://" not in response.text.replace("http://www.w3.org", "")
        assert client.head(path).status_code == 200


@pytest.fixture
def locked(tmp_path):
    key = new_key()
    store = Store(tmp_path / "replays.sqlite")
    gate = Gate(Access((ApiKey("visitor", frozenset({"read"}), digest_of(key.encode())),)))
    with TestClient(create_app(Resources(store, gate)), raise_server_exceptions=False) as client:
        yield client, key


def test_where_keys_are_set_the_empty_page_is_shown_and_nothing_is_judged_without_one(locked):
    client, key = locked
    assert "Key" in Visitor(client).form.text
    asked = {"seats": "2", "h1": "ks9s2h", "h2": "7h7d5c", "how": "knock", "k": "2"}
    for wrong in ({}, {"key": "31-wrong"}, {"key": "\u00e9"}):
        response = client.post("/", data=asked | wrong)
        assert response.status_code == 401
        assert "Why" not in response.text
        assert 'value="Ks 9s 2h"' in response.text
    assert "Why" in client.post("/", data=asked | {"key": key}).text
    assert client.get("/", params=asked | {"key": key}).status_code == 401
    sheet = client.post("/desk/rules/sheet.pdf", data={"rules": "pub"})
    assert (sheet.status_code, sheet.headers["content-type"]) == (401, "application/problem+json")


@pytest.mark.parametrize("hand", ["\u212as", "K\u212as", "K\u017f", "Ks\ufe0f", "10s\ufe0e", "ks" * 500, "1" * 500])
def test_a_text_that_is_nearly_cards(client, hand):
    response = client.post("/", data={"seats": "9"} | {f"h{seat}": hand for seat in range(1, 10)})
    assert response.status_code == 200
    assert len(response.content) < 150_000


def test_who_has_left_the_table_has_not_knocked_or_dealt(client):
    asked = {"seats": "5", "h1": "Ks9s2h", "h2": "Tc9c8c", "h3": "Ad8d6c", "h4": "2s3d4c", "h5": "AhKd5c"}
    page = Visitor(client, f"/?{urlencode(asked | {'how': 'knock', 'k': '5', 'd': '5'})}")
    assert page.says("status") == "Seat 4 loses 1 life."
    page.press("table", "fewer")
    assert page.says("status") == "Still missing: who knocked."
    assert Visitor(client, f"/?{urlencode(asked | {'how': 'knock', 'k': '9'})}").says("status") == page.says("status")


def test_many_complaints_are_a_few(client):
    response = client.post("/", data={"set": ",".join(f"{number}:" for number in range(10_000))})
    assert response.status_code == 200
    assert len(response.content) < 150_000


def test_lives_may_be_as_many_as_a_record_allows(visitor):
    visitor.put(l1="50").press()
    assert visitor.page.one("input", name="l1").attributes["value"] == "50"


def test_characters_that_are_not_seen_are_left_out_of_names(visitor):
    visitor.put(n1="A\x00n\u202en\t a").press()
    assert visitor.page.one("input", name="n1").attributes["value"] == "Ann a"
