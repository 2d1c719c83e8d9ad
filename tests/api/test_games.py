"""Whole games: hand after hand to a winner, refused where a hand does not follow, kept as replays."""

import msgspec
import pytest
from structlog.testing import capture_logs

from tests.api.stories import changed
from tests.game_stories import DEALERS, FAULTS, SEATS, SHEET, TO_A_WINNER, hands_of, logged, shown, with_players

PACKED = "application/x-msgpack"


def judged(client, game, query="?store=false"):
    response = client.post(f"/v1/games{query}", json=game)
    assert response.status_code == 200, response.text
    return response.json()


def two_with_one_life(*hands, **changes):
    rules = {"preset": "casual", "changes": {"lives": 1, **changes}}
    return {"rules": rules, "players": [{}, {}], "dealer": 2, "hands": list(hands)}


def test_a_whole_game_to_a_winner(client):
    game = judged(client, TO_A_WINNER)
    assert (game["outcome"], game["winners"], game["next_dealer"]) == ("over", [1], None)
    assert [hand["lives"] for hand in game["hands"]] == SHEET
    assert [hand["dealer"] for hand in game["hands"]] == DEALERS
    assert [hand["seats"] for hand in game["hands"]] == SEATS
    assert game["out"] == [{"seat": 2, "hand": 2}, {"seat": 4, "hand": 4}, {"seat": 3, "hand": 7}]
    assert (game["unjudged"], game["refusal"], game["replays"]) == (0, None, [])
    assert game["hands"][1]["status"] == ["in", "county", "in", "in"]
    assert game["hands"][6]["status"] == ["in", "out", "county", "out"]
    assert game["rules"]["lives"] == 3


def test_rulings_speak_of_the_players_and_of_the_seats_of_their_hand(client):
    last = judged(client, TO_A_WINNER)["hands"][-1]["ruling"]
    assert last["seats"][1]["seat"] == 2
    assert "Cara lost on the county and is out." in [citation["says"] for citation in last["citations"]]


def test_what_the_game_carries_may_be_given_if_it_agrees(client):
    hands = list(TO_A_WINNER["hands"])
    hands[4] = {**with_players(hands[4], lives=[3, 3, 1], name=["Ana", "Cara", "Dan"], redeemed=[False] * 3)}
    hands[6] = {**with_players(hands[6], lives=[3, 1], name=["Ana", "Cara"]), "dealer": 2}
    assert judged(client, {**TO_A_WINNER, "hands": hands}) == judged(client, TO_A_WINNER)


def test_a_name_first_given_in_a_hand_is_carried(client):
    first = with_players(shown(2, 2, knocker=1), name=[None, "Ben"])
    game = {"players": [{"name": "Ana"}, {}], "dealer": 2, "hands": [first, shown(2, 2, knocker=1)]}
    says = [citation["says"] for citation in judged(client, game)["hands"][1]["ruling"]["citations"]]
    assert says[1] == "Ben has the lowest hand, 9, and loses 1 life."
    swapped = {**game, "hands": [first, with_players(shown(2, 2, knocker=1), name=[None, "Dan"])]}
    assert judged(client, swapped)["refusal"]["broken"][0]["says"] == "Seat 2 of the game is Ben, not Dan."


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_hand_that_does_not_follow(client, fault):
    game = judged(client, fault.game)
    assert game["outcome"] == "refused"
    assert game["refusal"]["hand"] == fault.hand
    found = [(cited["rule"], cited["seats"], cited["says"]) for cited in game["refusal"]["broken"]]
    assert found == fault.broken
    assert len(game["hands"]) + game["unjudged"] == len(fault.game["hands"])
    for rule, _, _ in found:
        assert client.get(f"/v1/rulebook/{rule}").json()["kind"] == "impossible"


def test_a_refused_game_tells_what_was_judged_and_who_deals(client):
    game = judged(client, FAULTS["lives"].game)
    assert [hand["lives"] for hand in game["hands"]] == [[3, 3, 2]]
    assert (game["next_dealer"], game["unjudged"]) == (1, 2)
    after_the_end = judged(client, FAULTS["a hand after the end"].game)
    assert (after_the_end["winners"], after_the_end["next_dealer"]) == ([1], None)
    assert len(after_the_end["hands"]) == 8


def test_a_hand_that_is_refused_by_itself_is_judged_and_costs_nothing(client):
    game = judged(client, FAULTS["a hand that is refused itself"].game)
    assert [hand["ruling"]["outcome"] for hand in game["hands"]] == ["settled", "refused"]
    assert game["hands"][1]["lives"] == game["hands"][0]["lives"]
    assert (game["unjudged"], game["next_dealer"]) == (1, 1)


def test_a_game_with_an_unfinished_last_hand_is_under_way(client):
    begun = {**logged(2, 2, dealer=2), "events": []}
    game = judged(client, {"players": [{}, {}], "dealer": 2, "hands": [begun]}, query="")
    assert (game["outcome"], game["next_dealer"], game["refusal"], game["unjudged"]) == ("under_way", None, None, 0)
    assert (game["hands"][0]["replay"], game["replays"]) == (None, [])
    assert game["hands"][0]["ruling"]["to_act"] == 1


def test_a_game_without_hands_has_begun(client):
    game = judged(client, {"players": [{}, {}], "dealer": 2, "hands": []})
    assert (game["outcome"], game["next_dealer"], game["hands"], game["out"]) == ("under_way", 2, [], [])


def test_the_same_dealer_deals_again_when_a_hand_is_played_again(client):
    tie, decided = shown(2, 1, 2, knocker=1), shown(2, 1, knocker=2)
    game = judged(client, two_with_one_life(tie, tie, decided))
    assert [hand["dealer"] for hand in game["hands"]] == [2, 2, 2]
    assert [hand["lives"] for hand in game["hands"]] == [[1, 1], [1, 1], [None, 1]]
    assert game["hands"][0]["ruling"]["play_again"] is True
    assert game["winners"] == [2]


@pytest.mark.parametrize(
    ("everyone_out", "winners", "says"),
    [
        ("shared_win", [1, 2], "The game is over: Seat 1 and Seat 2 have won it."),
        ("no_winner", [], "The game is over: nobody has won it."),
    ],
)
def test_everyone_out_ends_the_game(client, everyone_out, winners, says):
    tie = shown(2, 1, 2, knocker=1)
    game = judged(client, two_with_one_life(tie, tie, everyone_out=everyone_out))
    assert (game["winners"], game["hands"][0]["lives"]) == (winners, [None, None])
    assert game["out"] == [{"seat": 1, "hand": 0}, {"seat": 2, "hand": 0}]
    assert [cited["says"] for cited in game["refusal"]["broken"]] == [says]


def test_a_life_is_won_back_once(client):
    game = {
        "rules": {"preset": "redemption"},
        "lives": 1,
        "players": [{}, {}, {}],
        "dealer": 3,
        "hands": [
            shown(3, 2, knocker=1),  # seat 3 has the only highest hand, and wins a life back
            with_players(shown(2, 2, knocker=1), redeemed=[False, True]),  # seat 3 loses it; seat 1 wins one back
            shown(2, 1, knocker=2),  # seat 3 is on the last life again, but wins none back a second time
        ],
    }
    sheet = judged(client, game)
    assert [hand["lives"] for hand in sheet["hands"]] == [[1, None, 2], [2, None, 1], [1, None, 1]]
    again = changed(game, "hands", 1, "players", 1, "redeemed", to=False)
    assert judged(client, again)["refusal"]["broken"][0]["says"] == "Seat 3 has already won a life back in this game."


def test_the_request_says_how_many_lives_there_are_at_the_start(client):
    game = {"players": [{}, {}], "dealer": 1, "hands": [shown(2, 2, knocker=1)]}
    assert judged(client, game)["hands"][0]["lives"] == [3, 2]
    assert judged(client, {**game, "lives": 9})["hands"][0]["lives"] == [9, 8]
    assert judged(client, {**game, "rules": {"preset": "cadillac"}})["hands"][0]["lives"] == [4, 3]


def test_the_widow_form_has_pots_and_no_end(client):
    hands = [shown(3, 1, 2, knocker=2), shown(3, 3, 2, knocker=1)] * 10
    game = judged(client, {"rules": {"preset": "bicycle"}, "players": [{}] * 3, "dealer": 2, "hands": hands})
    assert (game["outcome"], game["winners"], game["out"]) == ("under_way", [], [])
    assert [hand["ruling"]["pot_winners"] for hand in game["hands"]] == [[3], [1]] * 10
    assert [hand["dealer"] for hand in game["hands"]] == ([2, 3, 1] * 7)[:20]
    assert all(hand["lives"] == [3, 3, 3] for hand in game["hands"])
    assert game["next_dealer"] == 1


def test_each_hand_is_kept_like_a_ruling_and_without_names(client):
    game = judged(client, TO_A_WINNER, query="")
    ids = [hand["replay"] for hand in game["hands"]]
    assert game["replays"] == ids
    assert len(set(ids)) == 8
    for replay in ids:
        kept = client.get(f"/v1/replays/{replay}")
        assert kept.status_code == 200
        assert not any(player["name"] in kept.text for player in TO_A_WINNER["players"])
    alone = {
        "kind": "showdown",
        "players": [{"lives": lives, "cards": cards} for lives, cards in zip([3, 3, 1], hands_of(3, 3), strict=True)],
        "ended_by": {"type": "knock", "seat": 3},
        "dealer": 3,
    }
    assert client.post("/v1/rulings", json={"hand": alone}).json()["replay"] == ids[4]


def test_a_refused_hand_is_kept_and_an_unjudged_one_is_not(client):
    game = judged(client, FAULTS["a hand that is refused itself"].game, query="")
    assert len(game["replays"]) == 2
    assert judged(client, FAULTS["lives"].game, query="")["replays"] == game["replays"][:1]


def test_what_is_not_to_be_stored_is_not(client):
    before = client.get("/v1/replays?limit=1").json()
    game = {**TO_A_WINNER, "lives": 77}
    assert all(hand["replay"] is None for hand in judged(client, game)["hands"])
    assert client.get("/v1/replays?limit=1").json() == before


def test_the_replays_of_a_game_are_kept_together(client, store, monkeypatch):
    kept = []
    keep_soon = store.keep_soon

    def remember(records):
        kept.append(len(records))
        return keep_soon(records)

    monkeypatch.setattr(type(store), "keep_soon", lambda _, records: remember(records))
    judged(client, TO_A_WINNER, query="")
    assert kept == [8]


def test_the_log_has_no_names_and_no_cards(client):
    with capture_logs() as lines:
        judged(client, FAULTS["everything at once"].game)
    (line,) = lines
    assert (line["route"], line["outcome"], line["hands"]) == ("/v1/games", "refused", 3)
    assert not any(word in repr(line) for word in ("Ana", "Cara", "Ks", "K♠"))


def test_messagepack_both_ways(client):
    packed = client.post(
        "/v1/games?store=false",
        content=msgspec.msgpack.encode(TO_A_WINNER),
        headers={"content-type": PACKED, "accept": PACKED},
    )
    assert msgspec.msgpack.decode(packed.content) == judged(client, TO_A_WINNER)


def test_a_thousand_hands_and_no_more(client):
    hands = [shown(2, 1, knocker=2)] * 1000
    game = {"rules": {"preset": "bicycle"}, "players": [{}, {}], "dealer": 1, "hands": hands}
    assert len(judged(client, game)["hands"]) == 1000
    assert client.post("/v1/games", json={**game, "hands": [*hands, hands[0]]}).status_code == 422


PLAIN = {"players": [{}, {}], "dealer": 1, "hands": [shown(2, 1, knocker=2), shown(2, 1, knocker=2)]}


@pytest.mark.parametrize(
    ("game", "pointer"),
    [
        ({**PLAIN, "dealer": 3}, "/dealer"),
        ({**PLAIN, "dealer": 0}, "/dealer"),
        ({**PLAIN, "players": [{}]}, "/players"),
        ({**PLAIN, "players": [{}] * 17}, "/players"),
        ({**PLAIN, "players": [{}, {"lives": 3}]}, "/players/1/lives"),
        ({**PLAIN, "lives": 0}, "/lives"),
        ({**PLAIN, "lives": "3"}, "/lives"),
        ({"players": [{}, {}], "dealer": 1}, "/hands"),
        (changed(PLAIN, "hands", 1, "players", 0, "cards", 2, to="1c"), "/hands/1/players/0/cards/2"),
        (changed(PLAIN, "hands", 1, "kind", to="video"), "/hands/1/kind"),
        (changed(PLAIN, "hands", 1, to=5), "/hands/1"),
        (changed(PLAIN, "hands", 1, "players", 0, "lives", to=None), "/hands/1/players/0/lives"),
    ],
)
def test_a_game_that_is_not_understood(client, game, pointer):
    response = client.post("/v1/games", json=game)
    assert response.status_code == 422, response.text
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_a_malformed_hand_is_a_problem_also_after_a_refusal(client):
    game = FAULTS["dealer"].game
    response = client.post("/v1/games", json={**game, "hands": [*game["hands"], 5]})
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "/hands/3"


def test_a_game_may_have_sixteen_megabytes(client):
    headers = {"content-type": "application/json"}
    padded = msgspec.json.encode(PLAIN) + b" " * 15_000_000
    assert client.post("/v1/games?store=false", content=padded, headers=headers).status_code == 200
    assert client.post("/v1/games", content=b" " * 16_000_001, headers=headers).status_code == 413
