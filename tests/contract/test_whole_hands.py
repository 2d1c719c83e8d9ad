"""Whole hands, which no schema describes, are answered by every operation that takes them, as the document says."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.presets import RuleChoice
from tests.contract.published import DOCUMENT, JSON, PACKED, ask, schema_of
from tests.strategies import examples, games, questions, rule_choices, wild_records

OPEN = schema_of(DOCUMENT)


def operation(method, path):
    return OPEN[path][method]


def post(address, path, body, *, media_type=JSON, **more):
    """Send a body that is as a client would write it; return the answer, which has to be a success."""
    found = operation("POST", path)
    case = found.Case(body=msgspec.to_builtins(body), media_type=media_type, **more)
    answer = ask(case, address)
    assert answer.status_code in {200, 201}, answer.text
    return answer


media_types = st.sampled_from((JSON, *PACKED))


@examples(0.3)
@given(question=st.one_of(questions(), wild_records()), media_type=media_types)
def test_a_hand_is_judged_kept_and_found(address, question, media_type):
    body = {"hand": question.hand, "rules": question.choice}
    first = post(address, "/v1/rulings", body, media_type=media_type)
    post(address, "/v1/rulings/batch", {"hands": [question.hand] * 2, "rules": question.choice}, media_type=media_type)
    if "location" not in first.headers:
        return
    (location,) = first.headers["location"]
    replay = {"replay": location.rpartition("/")[2]}
    again = post(address, "/v1/rulings", body)
    assert again.status_code == 200
    assert again.json()["replay"] == replay["replay"]
    for method in ("GET", "HEAD"):
        assert ask(operation(method, "/v1/replays/{replay}").Case(path_parameters=replay), address).status_code == 200
    reruns = "/v1/replays/{replay}/reruns"
    assert post(address, reruns, {}, path_parameters=replay).json()["result"] == "same"
    post(address, reruns, {"rules": {"preset": "casual"}}, media_type=media_type, path_parameters=replay)
    post(address, "/v1/comparisons", {**replay, "rules": "all-presets"}, media_type=media_type)
    deleted = ask(operation("DELETE", "/v1/replays/{replay}").Case(path_parameters=replay), address)
    assert deleted.status_code == 204


@examples(0.1)
@given(question=questions(), media_type=media_types, data=st.data())
def test_a_hand_is_compared_and_disputed(address, question, media_type, data):
    changes = st.lists(st.integers(-3, 1), min_size=len(question.hand.players), max_size=len(question.hand.players))
    body = {"hand": question.hand, "rules": [question.choice, RuleChoice(), *data.draw(st.lists(rule_choices()))]}
    post(address, "/v1/comparisons", body, media_type=media_type)
    body = {"hand": question.hand, "rules": question.choice, "claims": [{"changes": data.draw(changes)}]}
    post(address, "/v1/disputes", body, media_type=media_type)


@examples(0.2)
@given(game=games(), media_type=media_types)
def test_a_game_is_judged(address, game, media_type):
    opening = game.opening
    rules = msgspec.to_builtins(opening.rules)
    preset = "pagat" if rules.pop("form") == "stock" else "widow"
    body = {
        "players": opening.players,
        "dealer": opening.dealer,
        "hands": game.given,
        "rules": {"preset": preset, "changes": rules},
    }
    if opening.lives is not msgspec.UNSET:
        body["lives"] = opening.lives
    post(address, "/v1/games", body, media_type=media_type)


@pytest.mark.parametrize("path", ["/v1/rule-sheets", "/v1/examples"])
@examples(0.05)
@given(choice=rule_choices(), media_type=media_types)
def test_rules_are_shown(address, path, choice, media_type):
    post(address, path, {"rules": choice}, media_type=media_type)
