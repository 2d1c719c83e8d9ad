"""Comparisons and disputes over HTTP: the classic arguments, and requests that cannot be answered."""

import msgspec
import pytest
from msgspec.structs import asdict

from engine.presets import PRESET_BY_ID, PRESETS
from schemas.rules import form_of
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed


def compared(client, **body):
    response = client.post("/v1/comparisons", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def disputed(client, **body):
    response = client.post("/v1/disputes", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def rules(**changes):
    return {"preset": "pagat", "changes": changes}


def showdown(ended_by, *players, dealer=1):
    return {
        "kind": "showdown",
        "players": [{"lives": lives, "cards": cards.split()} for lives, cards in players],
        "dealer": dealer,
        "ended_by": ended_by,
    }


def decisive(answer):
    return {(each["option"], each["answer"]): each for each in answer["decisive"]}


def test_all_presets_on_the_worked_example(client):
    answer = compared(client, hand=LOG, rules="all-presets")
    presets = [each["preset"] for each in answer["rule_sets"]]
    assert presets == [preset.id for preset in PRESETS if form_of(preset.rules) == "stock"]
    assert answer["left_out"] == [preset.id for preset in PRESETS if form_of(preset.rules) == "widow"]
    assert sorted(position for group in answer["groups"] for position in group) == list(range(len(presets)))
    assert len(answer["summary"]) == len(answer["groups"]) == len(answer["differences"]) + 1
    assert answer["summary"][0].startswith("Ana loses 1 life: pagat")
    ends = [[(seat["change"], seat["status"]) for seat in ruling["seats"]] for ruling in answer["rulings"]]
    for group in answer["groups"]:
        assert all(ends[position] == ends[group[0]] for position in group)
    for difference in answer["differences"]:
        put = {each["option"]: each["other"] for each in difference["options"]}
        group = answer["groups"][difference["group"]]
        (ruling,) = compared(client, hand=LOG, rules=[rules(**put)])["rulings"]
        assert [(seat["change"], seat["status"]) for seat in ruling["seats"]] == ends[group[0]]
        theirs = asdict(PRESET_BY_ID[presets[group[0]]].rules)
        ours = asdict(PRESET_BY_ID["pagat"].rules)
        assert all(theirs[name] == other and ours[name] != other for name, other in put.items())


def test_rulings_come_in_the_order_asked_whatever_their_outcome(client):
    choices = [rules(), rules(minimum_knock=21), rules(), rules(knocker_tie="double")]
    answer = compared(client, hand=LOG, rules=choices)
    assert [ruling["outcome"] for ruling in answer["rulings"]] == ["settled", "refused", "settled", "settled"]
    assert answer["groups"] == [[0, 2], [1], [3]]
    assert "21" in answer["rulings"][1]["broken"][0]["says"]
    assert "Ben has 19 and needs 21" in answer["summary"][1]
    parted = [each["options"] for each in answer["differences"]]
    assert parted == [
        [{"option": "minimum_knock", "first": 0, "other": 21}],
        [{"option": "knocker_tie", "first": "safe", "other": "double"}],
    ]


def test_rules_of_the_other_form_are_told_apart(client):
    answer = compared(client, hand=LOG, rules=[rules(), {"preset": "widow"}])
    assert answer["groups"] == [[0], [1]]
    assert answer["differences"][0]["options"] == []
    assert "different forms" in answer["differences"][0]["says"]


def test_a_dispute_says_what_decides(client):
    answer = disputed(client, hand=LOG, claims=[{"changes": [0, 0, 0, -1]}, {"changes": [-1, 0, 0, -1], "by": 4}])
    assert answer["ruling"]["outcome"] == "settled"
    found = decisive(answer)
    assert found["knocker_tie", "shares"]["changes"] == [-1, 0, 0, -1]
    assert found["knocker_tie", "shares"]["says"] == "Under `knocker_tie: shares`, Ben loses 1 life."
    minimum = found["minimum_knock", 20]
    assert (minimum["least"], minimum["greatest"], minimum["outcome"]) == (20, 31, "refused")
    assert minimum["changes"] is None
    held, other = answer["claims"]
    assert (held["holds"], held["supported"], held["nearest"]) == (True, True, [])
    assert (other["holds"], other["supported"]) == (False, True)
    assert other["claim"] == {"changes": [-1, 0, 0, -1], "by": 4}
    assert [each["changes"] for each in other["nearest"]] == [{"knocker_tie": "shares"}]
    assert "casual" in other["presets"]
    assert answer["complete"]
    assert answer["tried"] > 10


@pytest.mark.parametrize(
    ("hand", "option", "answer", "changes"),
    [
        pytest.param(LOG, "first_knock", "ends_hand", [0, -1, -1, 0], id="out of the gate"),
        pytest.param(
            showdown({"type": "knock", "seat": 1}, (3, "Ks 9s 2h"), (3, "Ad 8d 6c"), (3, "Tc 8c 7c")),
            "knocker_tie",
            "shares",
            [-1, -1, 0],
            id="tied knocker",
        ),
        pytest.param(
            showdown({"type": "knock", "seat": 1}, (3, "Ks 2h 3d"), (3, "Ad 8d 6c")),
            "knocker_alone",
            1,
            [-1, 0],
            id="knocker alone at the bottom",
        ),
        pytest.param(
            showdown(
                {"type": "declare", "seats": [2], "knocker": 1}, (3, "Ks 9s 2h"), (3, "Ad Kd Qd"), (3, "Tc 8c 7c")
            ),
            "thirty_one_after_knock",
            "top_hand",
            [-2, 0, 0],
            id="31 after a knock",
        ),
        pytest.param(
            showdown({"type": "knock", "seat": 1}, (3, "Ks 9s 2h"), (3, "Ad Kd Qd")),
            "thirty_one_claim",
            "automatic",
            [-1, 0],
            id="a silent 31",
        ),
        pytest.param(
            showdown({"type": "knock", "seat": 1}, (3, "Ks 9s 2h"), (3, "5d 5c 5h")),
            "three_of_a_kind",
            "30",
            [-2, 0],
            id="three of a kind",
        ),
        pytest.param(
            showdown({"type": "stock"}, (3, "Ks 9s 2h"), (3, "Ad 7d 6c")),
            "stock_exhausted",
            "no_loser",
            [0, 0],
            id="the empty stock",
        ),
    ],
)
def test_the_classic_arguments(client, hand, option, answer, changes):
    found = decisive(disputed(client, hand=hand))
    assert found[option, answer]["changes"] == changes
    assert f"`{option}: {answer}`" in found[option, answer]["says"]


def test_the_last_two_on_the_county(client):
    hand = showdown({"type": "stock"}, (0, "Ks 9s 2h"), (0, "Ad 8d 6c"))
    answer = disputed(client, hand=hand)
    assert answer["ruling"]["play_again"]
    found = decisive(answer)
    assert "share the game" in found["everyone_out", "shared_win"]["says"]
    assert found["everyone_out", "no_winner"]["outcome"] == "settled"


def test_a_stored_replay_is_disputed_under_its_own_rules(client):
    asked = {"hand": LOG, "rules": rules(knocker_tie="double")}
    replay = client.post("/v1/rulings", json=asked).json()["replay"]
    answer = disputed(client, replay=replay)
    assert answer["ruling"]["rules"]["knocker_tie"] == "double"
    assert "Seat 1" in decisive(answer)["knocker_tie", "safe"]["says"]
    assert disputed(client, replay=replay, rules=rules())["ruling"]["rules"]["knocker_tie"] == "safe"
    assert compared(client, replay=replay, rules="all-presets")["groups"]


def test_nothing_is_kept(client, store):
    before = store.count()
    compared(client, hand=SHOWDOWN, rules="all-presets")
    disputed(client, hand=SHOWDOWN)
    assert store.count() == before


def test_messagepack(client):
    body = msgspec.msgpack.encode({"hand": LOG, "claims": [{"changes": [-1, 0, 0, -1]}]})
    headers = {"Content-Type": "application/x-msgpack", "Accept": "application/x-msgpack"}
    answer = msgspec.msgpack.decode(client.post("/v1/disputes", content=body, headers=headers).content)
    assert answer["claims"][0]["nearest"][0]["changes"] == {"knocker_tie": "shares"}


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("comparisons", {"rules": [{}]}, ""),
        ("comparisons", {"hand": LOG, "replay": "0" * 64, "rules": [{}]}, ""),
        ("comparisons", {"hand": LOG}, "/rules"),
        ("comparisons", {"hand": LOG, "rules": []}, "/rules"),
        ("comparisons", {"hand": LOG, "rules": [{}] * 65}, "/rules"),
        ("comparisons", {"hand": LOG, "rules": "some-presets"}, "/rules"),
        ("comparisons", {"replay": "0" * 63, "rules": [{}]}, "/replay"),
        ("disputes", {"hand": LOG, "claims": [{"changes": [0, 0, 0, -1]}, {"changes": [0]}]}, "/claims/1/changes"),
        ("disputes", {"hand": LOG, "claims": [{"changes": [0, 0, 0, -1], "by": 5}]}, "/claims/0/by"),
        ("disputes", {"hand": LOG, "claims": [{"changes": [0, 0, 0, 2]}]}, "/claims/0/changes/3"),
        ("disputes", {"hand": LOG, "claims": [{"changes": [0] * 4}] * 17}, "/claims"),
    ],
)
def test_what_does_not_fit_is_pointed_at(client, path, body, pointer):
    problem = check(client.post(f"/v1/{path}", json=body), 422, "invalid")
    assert problem["errors"][0]["pointer"] == pointer


def test_answers_that_do_not_go_together_are_pointed_at(client):
    body = {"hand": LOG, "rules": [{}, rules(county="none", loss_beyond_lives="county")]}
    problem = check(client.post("/v1/comparisons", json=body), 422, "incompatible-answers")
    assert {each["pointer"] for each in problem["errors"]} == {
        "/rules/1/changes/county",
        "/rules/1/changes/loss_beyond_lives",
    }


@pytest.mark.parametrize("path", ["comparisons", "disputes"])
def test_a_replay_that_there_is_not(client, store, path):
    store.open()
    body = {"replay": "0" * 64} | ({"rules": [{}]} if path == "comparisons" else {})
    problem = check(client.post(f"/v1/{path}", json=body), 404, "not-found")
    assert problem["errors"][0]["pointer"] == "/replay"


def test_a_log_of_the_greatest_length_is_answered(client):
    events = [{"type": "draw_stock", "seat": 1}] * 2000
    hand = changed(LOG, "events", to=events)
    assert compared(client, hand=hand, rules=[{}] * 64)["groups"] == [list(range(64))]
    assert disputed(client, hand=hand)["ruling"]["outcome"] == "refused"


def test_work_that_is_too_much_ends_in_an_honest_answer(client, monkeypatch):
    monkeypatch.setattr("api.comparisons.MOST_WORK", 150)
    answer = disputed(client, hand=LOG, claims=[{"changes": [0, -1, -1, -1]}, {"changes": [0, 0, 0, -1]}])
    assert not answer["complete"]
    assert answer["ruling"]["outcome"] == "settled"
    assert [(each["holds"], each["supported"]) for each in answer["claims"]] == [(False, None), (True, True)]
    answer = disputed(client, hand=LOG, claims=[{"changes": [-1, 0, 0, -1]}])
    (claim,) = answer["claims"]
    assert (claim["supported"], claim["nearest"]) == (True, [])  # by presets, which are always asked
    assert not answer["complete"]
    monkeypatch.setattr("api.comparisons.MOST_WORK", 40)
    (difference,) = compared(client, hand=LOG, rules=[rules(), rules(knocker_tie="double", lives=5)])["differences"]
    assert not difference["minimal"]
    assert [each["option"] for each in difference["options"]] == ["lives", "knocker_tie"]


LAST_TWO = showdown({"type": "stock"}, (0, "2c 3d 4h"), (0, "2d 3h 4s"))


def test_the_pot_parts_rule_sets_of_the_widow_form(client):
    hand = showdown({"type": "knock", "seat": 1}, (3, "Kc 9c 4h"), (3, "5d 5h 5s"))
    triples = [{"preset": "widow", "changes": {"three_of_a_kind": answer}} for answer in ("none", "30", "30.5")]
    answer = compared(client, hand=hand, rules=triples)
    assert answer["groups"] == [[0], [1, 2]]
    assert answer["summary"][1] == (
        "The pot goes to Seat 2: widow with `three_of_a_kind: 30`, widow with `three_of_a_kind: 30.5`."
    )
    assert [each["option"] for each in answer["differences"][0]["options"]] == ["three_of_a_kind"]


def test_what_a_group_does_not_share_is_said_of_each(client):
    answer = compared(client, hand=LAST_TWO, rules=[rules(lowest_tie="nobody"), rules()])
    assert answer["groups"] == [[0, 1]]
    assert answer["summary"] == [
        "Nobody loses a life: pagat with `lowest_tie: nobody`; the hand is played again: pagat."
    ]


def test_rules_of_the_same_form_speak_for_a_group(client):
    widow_hand = {
        "kind": "log",
        "players": [{"lives": 3}, {"lives": 3}],
        "dealer": 2,
        "deal": {"hands": [["Kc", "9c", "4h"], ["5d", "5h", "5s"]], "widow": ["2c", "3c", "4c"]},
        "events": [{"type": "knock", "seat": 1}],
    }
    choices = [{"preset": "widow"}, rules(), {"preset": "widow", "changes": {"minimum_knock": 25}}]
    answer = compared(client, hand=widow_hand, rules=choices)
    assert answer["groups"] == [[0], [1, 2]]
    assert [each["option"] for each in answer["differences"][0]["options"]] == ["minimum_knock"]
    assert "25 to knock" in answer["summary"][1]
    assert "does not belong to the stock form" in answer["summary"][1]


@pytest.mark.parametrize(
    ("hand", "base", "option", "answer", "says"),
    [
        (LAST_TWO, {"everyone_out": "shared_win"}, "everyone_out", "no_winner", "nobody wins the game"),
        (LAST_TWO, {}, "lowest_tie", "nobody", "the hand is not played again"),
        (
            LAST_TWO,
            {"everyone_out": "shared_win"},
            "lowest_tie",
            "nobody",
            "Seat 1 loses nothing instead of 1 life and is on the county",
        ),
        (
            showdown({"type": "knock", "seat": 2}, (0, "5d 5h 5s"), (3, "Kc 9c 4h")),
            {"redemption": "best_hand"},
            "three_of_a_kind",
            "30",
            "Seat 1 wins back 1 life instead of losing 1 life and is still in",
        ),
        (
            showdown({"type": "knock", "seat": 2}, (1, "Ks Qs 5s"), (1, "2d 3h 4s")),
            {"county": "none"},
            "knocker_alone",
            1,
            "Seat 2 loses 1 life instead of 2 lives.",
        ),
        (LOG, {}, "minimum_knock", 20, "Under `minimum_knock: 20`, and so up to 31, the record is refused: Ben has 19"),
    ],
)
def test_sentences_that_a_player_would_accept(client, hand, base, option, answer, says):
    assert says in decisive(disputed(client, hand=hand, rules=rules(**base)))[option, answer]["says"]


def test_one_other_way_is_one(client):
    (answer,) = disputed(client, hand=LAST_TWO, claims=[{"changes": [-1, -1]}])["claims"]
    assert len(answer["nearest"]) == 2
    assert "There is 1 other way with as few changes." in answer["says"]
