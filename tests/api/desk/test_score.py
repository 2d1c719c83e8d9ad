"""Keeping score at the desk, without scripts: taps, what they cost, undoing them, and what a browser brings back."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.presets import PRESETS
from schemas.rules import form_of
from tests.api.desk.browsing import Visitor, names_in
from tests.strategies import examples

ANN, BOB, CLEO = "1", "2", "3"


@pytest.fixture
def beginning(client):
    return Visitor(client, "/desk/score").press("table", "fewer").put(n1="Ann", n2="Bob", n3="Cleo")


@pytest.fixture
def game(beginning):
    return beginning.press("start", "1")


def play(game, *seats):
    """Note who lost in a hand, and go on to the next."""
    for seat in seats:
        game.press("lost", seat)
    return game.press("next", "1")


def players(game):
    """What can be read of each player, without what the button is for."""
    taps = game.page.every("button", **{"class": "tap"})
    return [each.text.removesuffix(" loses a life").replace("\N{MINUS SIGN}", "-") for each in taps]


def sheet(game):
    return [row.text.replace("\N{MINUS SIGN}", "-") for row in game.page.one("table").every("tr")]


def kept(game):
    """The score as the browser keeps it."""
    return game.page.one("input", name="game").attributes["value"]


def opened(client, score):
    """The page that a browser is shown which has kept this."""
    page = Visitor(client, "/desk/score")
    page.changed["game"] = [score]
    return page.press()


def test_a_game_begins(game):
    assert game.says("status") == "Hand 1. Cleo deals. Tap who loses a life, twice for two."
    assert players(game) == ["Ann 3 lives", "Bob 3 lives", "Cleo deals 3 lives"]
    assert ("undo", "1") not in list(game.buttons())


def test_one_tap_is_a_life_two_are_two_and_three_are_none(game):
    game.press("lost", BOB)
    assert game.says("status") == "Bob loses 1 life."
    assert players(game)[1] == "Bob 2 lives -1"
    assert game.press("lost", BOB).says("status") == "Bob loses 2 lives."
    assert players(game.press("lost", BOB))[1] == "Bob 3 lives"
    assert sheet(game)[1] == "Start 3 3 3"


def test_hand_after_hand_to_the_winner(game):
    play(game, BOB, BOB)
    play(game)
    play(game, BOB, BOB)
    assert players(game) == ["Ann 3 lives", "Bob no lives out", "Cleo deals 3 lives"]
    assert ("lost", BOB) not in list(game.buttons())
    for _ in range(3):
        play(game, CLEO)
    assert players(game)[2] == "Cleo no lives on the county"
    play(game, CLEO)
    assert game.says("status") == "Cleo loses 1 life and is out and Ann wins the game."
    assert players(game)[0] == "Ann wins 3 lives"
    assert {name for name, _ in game.buttons()} == {None, "undo", "again"}
    assert sheet(game) == [
        "Hand Ann Bob Cleo",
        "Start 3 3 3",
        "1 3 1 -2 3",
        "2 3 1 3",
        "3 3 out -2 3",
        "4 3 2 -1",
        "5 3 1 -1",
        "6 3 county -1",
        "7 3 out -1",
        "Hands lost 0 2 4",
        "Left 3 out out",
    ]


def test_what_the_rules_make_of_a_loss_is_said_and_who_deals_follows(game):
    play(game, ANN, ANN)
    assert game.says("status").startswith("Hand 2. Ann deals.")
    game.press("lost", ANN).press("lost", ANN)
    assert game.says("reasons") == "Ann must lose 2 lives with 1 life left, and is out."
    play(game)
    assert game.says("status").startswith("Hand 3. Bob deals.")


def test_a_hand_that_would_put_out_everyone_is_played_again(beginning):
    game = beginning.put(lives="1").press("start", "1")
    play(game, ANN, BOB, CLEO)
    game.press("lost", ANN).press("lost", BOB).press("lost", CLEO)
    assert "The hand would put out everyone still in" in game.says("reasons")
    play(game)
    assert game.says("status").startswith("Hand 3. Ann deals.")
    assert [row for row in sheet(game) if row.startswith("2")] == ["2 county county county"]


def test_undo_takes_back_tap_after_tap_to_the_beginning(game):
    states = [kept(game)]
    game.press("lost", BOB)
    states.append(kept(game))
    game.press("next", "1")
    states.append(kept(game))
    game.press("lost", CLEO).press("lost", ANN).press("undo", "1")
    for state in reversed(states):
        assert kept(game) == state
        if ("undo", "1") in list(game.buttons()):
            game.press("undo", "1")
    assert ("undo", "1") not in list(game.buttons())


def test_the_end_of_a_game_can_be_undone(beginning):
    game = beginning.put(lives="1", rules="casual").press("start", "1")
    play(game, ANN, BOB)
    assert "Cleo wins the game" in game.says("status")
    game.press("undo", "1")
    assert game.says("status") == "Ann loses 1 life and is out, Bob loses 1 life and is out and Cleo wins the game."
    assert ("next", "1") in list(game.buttons())


def test_what_a_browser_has_kept_goes_on_as_it_was(client, game):
    play(game, BOB)
    game.press("lost", CLEO)
    again = opened(client, kept(game))
    assert again.page.one(id="playing").text == game.page.one(id="playing").text
    assert sheet(again) == sheet(game)


def test_a_life_is_won_back_where_the_rules_know_that(beginning):
    game = beginning.put(rules="redemption", lives="1").press("start", "1")
    assert "won" in {name for name, _ in game.buttons()}
    game.press("won", ANN).press("next", "1")
    assert game.says("status").startswith("Hand 2")
    assert not [row for row in sheet(game) if row.startswith("1") and "+1" not in row]
    assert ("won", ANN) not in list(game.buttons())
    assert ("won", BOB) in list(game.buttons())


def test_a_31_that_costs_everything_is_as_many_taps(beginning):
    game = beginning.put(lives="3").press()
    game.changed["set"] = ["thirty_one_cost:all"]
    game.press("start", "1")
    for _ in range(3):
        game.press("lost", BOB)
    assert game.says("status") == "Bob loses 3 lives and is on the county."


def test_a_hand_is_settled_by_its_cards_with_what_is_left(client, beginning):
    beginning.changed["set"] = ["knocker_alone:1"]
    game = beginning.press("start", "1")
    play(game, ANN, ANN)
    play(game, ANN, ANN)
    play(game, CLEO)
    link = urlsplit(game.page.one("a", **{"class": "button"}).attributes["href"])
    assert names_in(link) == ["Bob", "Cleo"]
    asked = parse_qs(link.query)
    assert (asked["seats"], asked["l1"], asked["l2"], asked["d"]) == (["2"], ["3"], ["2"], ["2"])
    assert asked["o.knocker_alone"] == ["1"]
    page = Visitor(client, f"{link.path}?{link.query}")
    assert page.page.one("input", name="l2").attributes["value"] == "2"


def test_the_same_players_play_again(game):
    play(game, BOB)
    game.press("again", "names")
    assert kept(game) == ""
    assert game.page.one("input", name="n2").attributes["value"] == "Bob"
    assert game.press("start", "1").says("status").startswith("Hand 1. Ann deals.")
    game.press("again", "nobody")
    assert game.page.one("input", name="n2").attributes["value"] == ""


def test_another_rule_book_has_its_own_lives(beginning):
    assert beginning.page.one("input", name="lives").attributes["value"] == "3"
    beginning.put(rules="four-lives-online").press()
    assert beginning.page.one("input", name="lives").attributes["value"] == "4"
    beginning.put(lives="2").press()
    assert beginning.page.one("input", name="lives").attributes["value"] == "2"


@pytest.mark.parametrize("widow", [preset.id for preset in PRESETS if form_of(preset.rules) == "widow"])
def test_where_no_lives_are_lost_there_is_no_score(client, widow):
    page = Visitor(client, f"/desk/score?rules={widow}&start=1")
    assert "so there is no score to keep" in page.says("status")
    assert widow not in [option.attributes["value"] for option in page.page.one("select", name="rules").every("option")]


def test_a_name_is_shown_as_it_is(client):
    name = "<b>&\"'{{x}}`Ks`"
    page = Visitor(client, "/desk/score").put(n1=name).press("start", "1").press("lost", "1")
    assert "<b>" not in page.response.text
    assert players(page)[0].startswith(name)
    assert json.loads(kept(page))[3][0] == name


def test_no_name_turns_around_what_stands_beside_it(client):
    page = opened(client, '[1,"pagat",{},["\\u202eAnn","\\u200b"],3,1,[],[[1,1]]]')
    assert page.says("status") == "Ann loses 1 life and Seat 2 loses 1 life."
    assert players(page) == ["Ann deals 2 lives -1", "Seat 2 2 lives -1"]


BROKEN = [
    "x",
    "[]",
    "null",
    "[2]",
    "{}",
    "[" * 20_000,
    "9" * 30_000,
    '[1,"pagat",{},["Ann"],3,1,[],[[0]]]',
    '[1,"pagat",{},["Ann","Bob"],3,3,[],[[0,0]]]',
    '[1,"pagat",{},["Ann","Bob"],0,1,[],[[0,0]]]',
    '[1,"pagat",{},["Ann","Bob"],3,1,[],[[0,0,0]]]',
    '[1,"pagat",{},["Ann","Bob"],3,1,[[[99,0]]],[[0,0]]]',
    '[1,"pagat",{},["Ann","Bob"],3,1,[[[0,0],[3]]],[[0,0]]]',
    '[1,"bicycle",{},["Ann","Bob"],3,1,[],[[0,0]]]',
    '[1,"nothing",{},["Ann","Bob"],3,1,[],[[0,0]]]',
    '[1,"pagat",{"lives":%s},["Ann","Bob"],3,1,[],[[0,0]]]' % ("9" * 10_000),
    '[1,"pagat",{},["Ann","Bob"],3,1,[],[[0,0]],7]',
    '[1,"pagat",{},["%s","Bob"],3,1,[],[[0,0]]]' % ("x" * 41),
]


@pytest.mark.parametrize("score", BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_score_begins_a_new_game_and_says_so(client, score):
    page = opened(client, score)
    assert page.response.status_code == 200
    assert "cannot be read" in page.says("status")
    assert kept(page) == ""


@pytest.mark.parametrize(
    "answers", ['{"lives":"no"}', '{"nothing":1}', '{"loss_beyond_lives":"county","county":"none"}']
)
def test_house_rules_that_cannot_be_are_left_out(client, answers):
    page = opened(client, f'[1,"pagat",{answers},["Ann","Bob"],3,1,[],[[0,0]]]')
    assert page.says("status").startswith("Hand 1")


def test_a_game_of_too_many_hands_stays_as_it_is_and_says_so(client):
    hands = ",".join(["[[0,0]]"] * 499)
    page = opened(client, f'[1,"pagat",{{}},["Ann","Bob"],3,1,[{hands}],[[0,0]]]').press("next", "1")
    assert page.says("status") == "No more than 500 hands of a game can be kept."
    assert {"next", "lost"}.isdisjoint(name for name, _ in page.buttons())
    before = kept(page)
    page.changed["next"] = ["1"]
    assert kept(page.press()) == before
    assert "cannot be read" in opened(client, before.replace("3,1,[", "3,1,[[[0,0]],", 1)).says("status")


@examples(1)
@given(
    st.lists(
        st.sampled_from(["lost 1", "lost 2", "lost 3", "lost 4", "won 1", "won 4", "next 1", "undo 1"]), max_size=20
    )
)
def test_whatever_is_tapped_the_score_can_be_kept(client, taps):
    page = opened(client, '[1,"redemption",{},["Ann","","Cleo","Dan"],2,4,[],[[0,0,0,0]]]')
    for tap in taps:
        name, value = tap.split()
        if (name, value) in list(page.buttons()):
            page.press(name, value)
        else:
            page.changed[name] = [value]
            page.press()
        assert page.response.status_code == 200
        assert page.says("playing") == opened(client, kept(page)).says("playing")


@examples(2)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["game", "seats", "lives", "d", "n1", "rules", "was", "start", "lost", "won", "undo", "again", "next"]
            ),
            st.one_of(st.text(max_size=20), st.integers(-3, 10**7).map(str), st.sampled_from([*BROKEN[:5], BROKEN[7]])),
        ),
        min_size=1,
    )
)
def test_whatever_a_form_holds_gets_a_page(client, sent):
    data = {}
    for name, value in sent:
        data.setdefault(name, []).append(value)
    assert client.post("/desk/score", data=data).status_code == 200
