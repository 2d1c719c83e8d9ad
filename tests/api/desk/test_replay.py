"""Replaying a hand at the desk, without scripts: read in every form, stepped through, entered, refused and linked."""

import json
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from engine.positions import position
from engine.presets import PRESET_BY_ID
from replays.canonical import canonical_hand, question_of
from replays.records import record_of
from schemas.notation import Notated, read, write
from schemas.ruling import Refused, Settled, Unfinished
from tests.api.desk.browsing import Visitor, names_in
from tests.strategies import damaged_logs, drawn, examples, legal_logs, unfinished_logs, wild_records

PAGE = "/desk/replay"
HAND = """[rules pagat]
[dealer Ana]
Ben(3): Ks 9s 2h
Cara(3): Tc 8c 4d
Ana(1): Ad 8d 6c
Up: 5h
Ben: +9h -2h
Cara: +Jc -4d
Ana: ^4d -6c
Ben: knock
Cara: +2c -2c {slow}
Ana: +Qs -4d
"""
UNFINISHED = "".join(HAND.splitlines(keepends=True)[:8])


@pytest.fixture
def visitor(client):
    return Visitor(client, PAGE)


def show(client, log, **fields):
    """The page of a log that was pasted."""
    page = Visitor(client, PAGE)
    page.changed |= {"log": [log], **{name: [value] for name, value in fields.items()}}
    return page.press()


def log_on(page):
    return page.page.one("textarea").text


def typed(page):
    """The log as it stands in its field."""
    return "".join(page.page.one("textarea").inside).removeprefix("\n")


def hands(page):
    return [each.text for each in page.page.one("ol", **{"class": "held"}).every("li")]


def moves(page):
    return [value for name, value in page.buttons() if name == "do"]


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


def button(page, name):
    found = page.page.one("button", id=name).attributes
    return found["name"], found["value"]


def step(page, name):
    """Step through a hand, if it has steps."""
    if list(page.page.every("button", id=name)):
        page.press(*button(page, name))


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


def test_only_the_end_of_a_hand_is_settled(client):
    page = show(client, "Ann(3): Ks 9s 2h\nBob(3): 7h 7d 5c\nEnd: knock Bob")
    assert page.says("happens") == "Only the end of this hand is recorded."
    assert page.says("status") == "Bob loses 2 lives."
    assert hands(page)[1].startswith("Bob 3 lives 7 of hearts 7 of diamonds 5 of clubs 7")


REQUEST = {
    "hand": msgspec.to_builtins(read(HAND).hand),
    "rules": {"preset": "casual", "changes": {"lives": 5}},
}
QUESTION = question_of(canonical_hand(read(HAND).hand), PRESET_BY_ID["pub"].rules)
FORMS = {
    "notation": (HAND, "pagat"),
    "hand": (json.dumps(REQUEST["hand"]), "pagat"),
    "request": (json.dumps(REQUEST, indent=1), "casual"),
    "replay": (json.dumps({"replay": QUESTION.id, "question": json.loads(QUESTION.content), "answers": []}), "pub"),
    "archived": (f'{{"question":{QUESTION.content.decode()}}}', "pub"),
    "with other line ends": (HAND.replace("\n", "\r\n"), "pagat"),
}


@pytest.mark.parametrize(("log", "preset"), FORMS.values(), ids=FORMS)
def test_every_notation_is_read(client, log, preset):
    page = show(client, log)
    assert page.page.one("option", selected=None).attributes["value"] == preset
    assert "10 + 10 + 8 = 28" in page.says("beside")
    assert read(HAND).hand.events[0].card in page.page.one("a", id="link").attributes["href"]


@pytest.mark.parametrize(
    ("log", "says"),
    [
        ("what is this", "`what …` is not understood"),
        ("{", "cannot be decoded"),
        ("{}", "hand"),
        ('{"hand": 3}', "/hand"),
        ('{"kind": "log"}', "players"),
        ('{"question": {"hand": {}}}', "/question"),
        ('{"kind":' * 5_000, "nested too deeply"),
        ("[dealer Ben]\nBen(3): Ks 9s 4x\nUp: 5h", "Line 2, column 15: `4x` is not a card"),
        ("Ben(3): Ks 9s 2h\n" * 40, "more than 16 players"),
        ("\0", "not understood"),
    ],
)
def test_what_is_not_understood_is_said_place_by_place_and_stays(client, log, says):
    page = show(client, log)
    assert page.response.status_code == 200
    shown = page.page.one("ul", **{"class": "places"}).text
    assert says.replace("`", "") in " ".join(shown.replace("`", "").split())
    assert "not understood" in page.says("happens")
    assert typed(page) == log.replace("\r", "")
    assert "aria-invalid" in page.page.one("textarea").attributes


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


def test_the_link_opens_the_same_step_and_names_are_not_sent(client):
    page = show(client, HAND, at="4")
    link = urlsplit(page.page.one("a", id="link").attributes["href"])
    assert names_in(link) == ["Ben", "Cara", "Ana"]
    assert not {"Ben", "Cara", "slow"} & set(unquote(link.query).replace("+", " ").split())
    again = Visitor(client, f"{link.path}?{link.query}")
    assert again.says("happens") == "Seat 2 discards 4♦ : 10 + 10 + 8 = 28."
    assert urlsplit(again.page.one("a", id="link").attributes["href"]).query == link.query
    again.changed |= {"n1": ["Ben"], "n2": ["Cara"], "n3": ["Ana"]}
    again.press()
    assert again.says("happens") == page.says("happens")
    assert "Cara(3): Tc 8c 4d" in typed(again)


def test_a_log_that_is_too_long_has_no_link(client):
    page = show(client, HAND.partition("Ben: +9h")[0] + "Ben: knock\n" * 2000, at="0")
    assert page.response.status_code == 200
    assert not list(page.page.every("a", id="link"))
    assert "too long for a link" in page.says("beside")


@pytest.fixture(scope="session")
def kept(store):
    """The id of a stored replay; with it, the store is there."""
    hand = read(HAND).hand
    record = record_of(hand, PRESET_BY_ID["pub"].rules)
    store.keep([record])
    return record.replay.hex()


def test_a_stored_replay_is_opened_by_its_id(client, kept):
    page = Visitor(client, f"{PAGE}?replay={kept}")
    assert page.says("happens") == "Seat 3 deals, and Seat 1 plays first."
    assert page.page.one("option", selected=None).attributes["value"] == "pub"
    page.press("go", "4")
    link = urlsplit(page.page.one("a", id="link").attributes["href"])
    assert parse_qs(link.query) == {"replay": [kept], "at": ["4"]}
    page.press("cut", "4")
    assert "replay" not in parse_qs(urlsplit(page.page.one("a", id="link").attributes["href"]).query)
    page.changed["log"] = [""]
    assert page.press().says("playing").startswith("Step through a hand")


@pytest.mark.parametrize(
    "pasted", ["{}", " {} \n", "/v1/replays/{}", "http://host:1/desk/replay?replay={}&at=3#Ann,Bob", "x?replay={}"]
)
def test_a_stored_replay_is_opened_by_a_pasted_link(client, kept, pasted):
    page = show(client, pasted.format(kept))
    assert page.says("happens") == "Seat 3 deals, and Seat 1 plays first."
    assert "Seat 1(3): Ks 9s 2h" in typed(page)


@pytest.mark.usefixtures("kept")
def test_a_replay_that_is_not_there_is_said(client):
    page = Visitor(client, f"{PAGE}?replay={'0' * 64}")
    assert page.response.status_code == 404
    assert "There is no replay with this id." in page.says("playing")


def test_a_damaged_replay_is_a_problem(client, store, kept, monkeypatch):
    damaged = replace(store.get(bytes.fromhex(kept)), sound=False)
    monkeypatch.setattr(store, "get", lambda _: damaged)
    response = client.get(f"{PAGE}?replay={kept}")
    assert (response.status_code, response.json()["type"]) == (503, "/problems/replay-damaged")


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


@pytest.mark.parametrize("question", drawn(st.one_of(legal_logs(), damaged_logs(), wild_records()), 40), ids=range(40))
def test_any_hand_can_be_stepped_through(client, question):
    text = write(Notated(question.hand))
    ruling = question.ruling()
    rules = dict(parse_rules(question))
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


def parse_rules(question):
    yield "rules", question.choice.preset
    yield "was", question.choice.preset
    if question.choice.changes is not UNSET:
        for option, answer in msgspec.to_builtins(question.choice.changes).items():
            yield f"o.{option}", str(answer)


@examples(0.5)
@given(unfinished_logs(), st.data())
def test_a_tapped_move_is_in_the_log(client, question, data):
    page = show(client, write(Notated(question.hand)), **dict(parse_rules(question)))
    step(page, "go-last")
    offered = moves(page)
    if offered:
        page.press("do", data.draw(st.sampled_from(offered)))
        hand = read(typed(page)).hand
        assert hand.events[:-1] == question.hand.events
        assert "refused" not in [each.attributes.get("class") for each in page.page.every("section")]


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
    page = show(client, write(Notated(question.hand)), **dict(parse_rules(question)))
    step(page, "go-last")
    assert 0 < len(list(page.page.one("section", **{"class": "turns"}).every("li"))) <= 61
