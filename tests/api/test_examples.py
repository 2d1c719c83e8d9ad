"""Worked examples over HTTP: the catalogue, hands that show a scenario, and what distinguishes two rule sets."""

import re

import pytest

from engine.examples.catalogue import SCENARIOS
from engine.presets import PRESETS

SMALL = {
    "county": 1,
    "thirty_one_claim": 2,
    "knocker_alone": 3,
    "knocker_tie": 3,
    "thirty_one_after_knock": 3,
    "knocker_on_31": 4,
    "stock_exhausted": 7,
}
"""Events in which an option can be told apart."""
SUM = re.compile(r"(\d+(?: \+ \d+)+) = (\d+)")


def ask(client, **body):
    response = client.post("/v1/examples", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def judged(client, rules, hand):
    """Return the ruling of a record by itself."""
    response = client.post("/v1/rulings?store=false", json={"rules": rules, "hand": hand})
    assert response.status_code == 200, response.text
    return response.json()["ruling"]


def test_the_catalogue(client):
    scenarios = client.get("/v1/scenarios").json()["scenarios"]
    assert len(scenarios) == len({scenario["id"] for scenario in scenarios}) == len(SCENARIOS) >= 30
    ties = next(scenario for scenario in scenarios if scenario["id"] == "lowest-tie")
    assert ties["form"] == "stock"
    assert ties["players"] == {"usual": 3, "fewest": 3, "most": 16}
    assert ties["needs"] == [{"option": "minimum_knock", "least": 0, "greatest": 30}]
    back = next(scenario for scenario in scenarios if scenario["id"] == "no-throwing-back")
    assert back["needs"] == [{"option": "return_taken_discard", "answers": ["forbidden"]}]


def test_one_scenario(client):
    answer = ask(client, scenario="knocker-ties", rules={"preset": "casual"}, names=["Ben", "Cara", "Ana"])
    (example,) = answer["examples"]
    assert list(example) == ["kind", "scenario", "title", "hand", "rules", "ruling", "narrative"]
    assert example["title"] == "The knocker ties for the lowest hand"
    assert [player["name"] for player in example["hand"]["players"]] == ["Ben", "Cara", "Ana"]
    assert example["ruling"]["outcome"] == "settled"
    assert "Ben knocks with " in example["narrative"]
    assert answer["left_out"] == []


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS])
def test_all_that_can_occur_under_a_preset(client, preset):
    """Each record by itself gets the ruling shown, and every sum in the narrative adds up to a value of it."""
    answer = ask(client, rules={"preset": preset}, seed=7)
    assert len(answer["examples"]) + len(answer["left_out"]) == len(SCENARIOS)
    for example in answer["examples"]:
        assert judged(client, example["rules"], example["hand"]) == example["ruling"]
        for parts, total in SUM.findall(example["narrative"]):
            assert sum(map(int, parts.split(" + "))) == int(total)
        if example["ruling"]["outcome"] == "settled":
            for seat in example["ruling"]["seats"]:
                assert str(seat["value"]).removesuffix(".5") in example["narrative"]
    assert all(missing["why"] and missing["scenario"] for missing in answer["left_out"])


def test_the_same_question_gets_the_same_bytes(client):
    body = {"rules": {"preset": "pagat"}, "seed": 31, "players": 4}
    first, second = [client.post("/v1/examples", json=body).content for _ in range(2)]
    assert first == second
    assert client.post("/v1/examples", json={**body, "seed": 32}).content != first


def test_a_scenario_that_cannot_occur_says_why(client):
    answer = ask(client, scenario="joker-makes-31")
    assert answer["examples"] == []
    assert answer["left_out"] == [
        {
            "why": "Under these rules there is no such situation: There are no jokers in the pack. (`jokers`)",
            "scenario": "joker-makes-31",
        }
    ]
    (missing,) = ask(client, scenario="knock", rules={"changes": {"minimum_knock": 31}})["left_out"]
    why = "No hand is made for it under these rules: A player may knock only with a hand worth at least 31."
    assert missing["why"] == f"{why} (`minimum_knock`)"
    answer = ask(client, scenario="lowest-tie", players=2)
    assert answer["left_out"][0]["why"] == "It needs 3 to 16 players."
    answer = ask(client, scenario="widow-31")
    assert answer["left_out"][0]["why"] == "It belongs to the widow form of the game."


def test_the_table_is_as_large_as_asked_for(client):
    for players in (2, 5, 9):
        (example,) = ask(client, scenario="knock", players=players)["examples"]
        assert len(example["hand"]["players"]) == players


@pytest.mark.parametrize(
    ("other", "options"),
    [
        ("wikipedia", ["thirty_one_after_knock", "stock_exhausted"]),
        ("pub", ["county", "thirty_one_claim", "stock_exhausted"]),
        ("casual", ["county", "knocker_alone", "knocker_tie"]),
        ("quick-knock", ["knocker_tie", "knocker_on_31"]),
    ],
)
def test_what_distinguishes_the_standard_game_from_a_preset(client, other, options):
    answer = ask(client, distinguish=[{"preset": "pagat"}, {"preset": other}])
    assert [example["option"] for example in answer["examples"]] == options
    assert answer["left_out"] == []
    assert answer["tried"] > 0
    for example in answer["examples"]:
        one, changed = example["rules"]
        assert one == {"preset": "pagat"}
        assert len(example["hand"]["events"]) <= SMALL[example["option"]]
        assert changed["changes"] == {example["option"]: example["answers"][1]}
        rulings = [judged(client, rules, example["hand"]) for rules in example["rules"]]
        assert rulings == example["rulings"]
        ends = [[(seat.get("change"), seat.get("status")) for seat in ruling["seats"]] for ruling in rulings]
        assert ends[0] != ends[1]
        assert example["says"].startswith(f"With `{example['option']}: {example['answers'][1]}` rather than")


def test_rule_sets_that_never_differ_say_so(client):
    answer = ask(client, distinguish=[{"preset": "pagat"}, {"preset": "cadillac"}])
    assert answer["examples"] == []
    tried = f"{answer['tried']} hands were tried"
    assert answer["says"] == f"No hand was found that tells the two rule sets apart: {tried}."
    (missing,) = answer["left_out"]
    assert missing["option"] == "lives"
    assert missing["why"] == f"No hand was found on which it decides: {answer['tried']} were tried."
    same = ask(client, distinguish=[{"preset": "pagat"}, {"preset": "pagat"}])
    assert (same["examples"], same["left_out"], same["tried"]) == ([], [], 0)
    assert same["says"] == "The two rule sets are the same, so no hand can tell them apart."
    forms = ask(client, distinguish=[{"preset": "pagat"}, {"preset": "bicycle"}])
    assert forms["left_out"][0]["option"] == "form"


def test_an_answer_that_needs_another_is_shown_beside_it(client):
    """The first rule set cannot take over the answer alone, but the second one can take over the first one's."""
    one = {"preset": "pagat", "changes": {"stock_exhausted": "reshuffle", "knock_after_stock": "allowed"}}
    answer = ask(client, distinguish=[one, {"preset": "pub"}])
    shown = {example["option"]: example["rules"] for example in answer["examples"]}
    assert shown["stock_exhausted"][1] == {"preset": "pub"}
    assert shown["stock_exhausted"][0]["changes"] == {"stock_exhausted": "reshuffle"}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scenario": "nothing"}, "/scenario"),
        ({"seed": -1}, "/seed"),
        ({"seed": 2**53}, "/seed"),
        ({"seed": "1"}, "/seed"),
        ({"players": 0}, "/players"),
        ({"players": 17}, "/players"),
        ({"names": [""]}, "/names/0"),
        ({"names": ["A"] * 17}, "/names"),
        ({"distinguish": [{"preset": "pagat"}]}, "/distinguish"),
        ({"distinguish": [{"preset": "pagat"}, {"preset": "pub"}], "players": 3}, "/players"),
        ({"distinguish": [{"preset": "pagat"}, {"preset": "pub"}], "rules": {}}, "/rules"),
        ({"distinguish": [{}, {"changes": {"exchange": "any"}}]}, "/distinguish/1/changes/exchange"),
        ({"rules": {"changes": {"exchange": "any"}}}, "/rules/changes/exchange"),
        ({"what": 1}, "/what"),
    ],
)
def test_what_cannot_be_asked(client, body, pointer):
    response = client.post("/v1/examples", json=body)
    assert response.status_code == 422
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_a_hostile_name_is_no_markup(client):
    name = "<script>alert(1)</script>*x*"
    (example,) = ask(client, scenario="knock", names=[name])["examples"]
    assert example["hand"]["players"][0]["name"] == name
    assert "<script" not in example["narrative"].replace("\\<", "")


@pytest.mark.parametrize("name", [" ", "\u200b", "\u202e", "\x00", "\u00ad\ufeff"])
def test_a_name_of_which_nothing_is_seen_is_no_name(client, name):
    (example,) = ask(client, scenario="knock", names=[name])["examples"]
    assert "name" not in example["hand"]["players"][0]
    assert "Seat 1 knocks" in example["narrative"]
