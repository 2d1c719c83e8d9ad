"""Opening a hand at the desk, without scripts: pasted in any form, by a link, or from the store."""

import json
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
import pytest
from msgspec.structs import replace

from engine.presets import PRESET_BY_ID
from replays.canonical import canonical_hand, question_of
from schemas.cards import Card
from schemas.hand import Discard, DrawStock
from schemas.notation import Notated, read, write
from tests.api.desk.browsing import Visitor, names_in
from tests.api.desk.replaying import HAND, PAGE, UNFINISHED, button, show, step, typed

NAME = "\N{CYRILLIC CAPITAL LETTER YA}" * 40

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
    "hand of a file with a mark": ("\ufeff" + json.dumps(REQUEST["hand"]), "pagat"),
    "notation that begins with a comment": ('{"Late", says Ben}\n' + HAND, "pagat"),
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


def test_a_comment_on_the_hand_stays_at_its_head(client):
    page = show(client, "{Friday}\n" + UNFINISHED)
    step(page, "go-last")
    page.press("do", "knock").press("do", "draw_stock:2c")
    assert typed(page).startswith("{Friday}\n")
    assert typed(page).endswith("Ana: knock\nBen: +2c\n")


@pytest.mark.parametrize("begun", [HAND, HAND.partition("Ben: +9h")[0]], ids=["settled", "refused"])
def test_a_log_that_is_too_long_has_no_link(client, begun):
    page = show(client, begun + "Ben: knock\n" * 1980, at="0")
    page.press(*button(page, "go-last"))
    assert page.response.status_code == 200
    assert not list(page.page.every("a", id="link"))
    assert not list(page.page.every("button", **{"data-copy": "link"}))
    assert "too long for a link" in page.says("beside")


def test_a_hand_of_as_many_events_as_there_can_be_is_replayed_in_any_form(client):
    turns = [event for at in range(1000) for event in (DrawStock(1 + at % 3), Discard(1 + at % 3, Card("2s")))]
    hand = replace(read(HAND).hand, events=tuple(turns))
    named = replace(hand, players=tuple([replace(player, name=NAME) for player in hand.players]))
    for text in (msgspec.json.encode(hand).decode(), write(Notated(named))):
        page = show(client, text, at="0")
        assert page.says("happens").endswith("plays first.")
        assert page.press(*button(page, "go-last")).response.status_code == 200


def test_a_log_that_is_longer_than_any_is_not_read_in_part(client):
    page = show(client, HAND + "#" * 100_000)
    assert page.says("playing").startswith("Not understood The log is longer than 100,000 characters.")
    assert typed(page).startswith(HAND)


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
    page = show(client, "0" * 64)
    assert page.response.status_code == 404
    assert typed(page) == "0" * 64


def test_a_damaged_replay_is_a_problem(client, store, kept, monkeypatch):
    damaged = replace(store.get(bytes.fromhex(kept)), sound=False)
    monkeypatch.setattr(store, "get", lambda _: damaged)
    response = client.get(f"{PAGE}?replay={kept}")
    assert (response.status_code, response.json()["type"]) == (503, "/problems/replay-damaged")
