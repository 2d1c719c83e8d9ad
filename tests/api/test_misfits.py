"""A body that can be decoded but does not fit is told place by place."""

import json
from copy import deepcopy

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed
from tests.strategies import examples

JSON = {"content-type": "application/json"}
PACKED = {"content-type": "application/x-msgpack"}


def players(number):
    return {**LOG, "players": [{"lives": 3}] * number}


INVALID = {
    "an array": ([], ""),
    "no hand": ({}, "/hand"),
    "an unknown field": ({"hand": LOG, "hands": 3}, "/hands"),
    "an unknown field with a slash": ({"hand": LOG, "a/b~c": 3}, "/a~1b~0c"),
    "null for rules": ({"hand": LOG, "rules": None}, "/rules"),
    "an unknown preset": ({"hand": LOG, "rules": {"preset": "scat"}}, "/rules/preset"),
    "the form as a change": ({"hand": LOG, "rules": {"changes": {"form": "stock"}}}, "/rules/changes/form"),
    "an unknown answer": (
        {"hand": LOG, "rules": {"changes": {"knocker_tie": "maybe"}}},
        "/rules/changes/knocker_tie",
    ),
    "a word for a number": ({"hand": LOG, "rules": {"changes": {"jokers": "2"}}}, "/rules/changes/jokers"),
    "a number for a word": (
        {"hand": LOG, "rules": {"changes": {"three_of_a_kind": 30}}},
        "/rules/changes/three_of_a_kind",
    ),
    "text for a seat": ({"hand": changed(LOG, "dealer", to="4")}, "/hand/dealer"),
    "a float for a seat": ({"hand": changed(LOG, "dealer", to=4.0)}, "/hand/dealer"),
    "true for a seat": ({"hand": changed(LOG, "dealer", to=True)}, "/hand/dealer"),
    "a huge number": ({"hand": changed(LOG, "dealer", to=10**400)}, "/hand/dealer"),
    "an unknown card": ({"hand": changed(LOG, "events", 1, "card", to="1c")}, "/hand/events/1/card"),
    "null for a card": ({"hand": changed(LOG, "events", 1, "card", to=None)}, "/hand/events/1/card"),
    "an unknown event": ({"hand": changed(LOG, "events", 0, "type", to="fold")}, "/hand/events/0/type"),
    "a name too long": ({"hand": changed(LOG, "players", 0, "name", to="x" * 65)}, "/hand/players/0/name"),
    "an empty name": ({"hand": changed(LOG, "players", 0, "name", to="")}, "/hand/players/0/name"),
    "17 players": ({"hand": players(17)}, "/hand/players"),
    "no players": ({"hand": players(0)}, "/hand/players"),
    "2,001 events": ({"hand": {**LOG, "events": LOG["events"][:1] * 2001}}, "/hand/events"),
    "an unknown kind": ({"hand": changed(LOG, "kind", to="video")}, "/hand/kind"),
    "no ending": ({"hand": {key: SHOWDOWN[key] for key in ("kind", "players")}}, "/hand/ended_by"),
    "nobody declaring": (
        {"hand": changed(SHOWDOWN, "ended_by", to={"type": "declare", "seats": []})},
        "/hand/ended_by/seats",
    ),
}


@pytest.mark.parametrize(("body", "pointer"), INVALID.values(), ids=INVALID)
def test_a_body_that_does_not_fit_the_schema(client, body, pointer):
    for content, headers in ((json.dumps(body).encode(), JSON), (packed(body), PACKED)):
        if content:
            problem = check(client.post("/v1/rulings", content=content, headers=headers), 422, "invalid")
            assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_every_place_that_does_not_fit_is_told(client):
    body = {
        "rules": {"preset": "none of them", "changes": {"lives": "3", "a/b": 1}},
        "hand": {
            "kind": "log",
            "players": [{"lives": "3", "colour": "red"}, {}],
            "dealer": 99,
            "deal": {"hands": [["Zz", "9s"], ["Tc", "8c", "4d"]]},
            "events": [{"type": "knock", "seat": 0}, {"type": "wink"}, {"type": "discard", "seat": 1}],
        },
    }
    expected = [
        "/rules/preset",
        "/rules/changes/lives",
        "/rules/changes/a~1b",
        "/hand/players/0/lives",
        "/hand/players/0/colour",
        "/hand/players/1/lives",
        "/hand/dealer",
        "/hand/deal/hands/0/0",
        "/hand/events/0/seat",
        "/hand/events/1/type",
        "/hand/events/2/card",
    ]
    for content, headers in ((json.dumps(body).encode(), JSON), (packed(body), PACKED)):
        problem = check(client.post("/v1/rulings", content=content, headers=headers), 422, "invalid")
        assert [error["pointer"] for error in problem["errors"]] == expected
        assert all(error["detail"] for error in problem["errors"])
        assert "/rules/preset, and 10 more" in problem["detail"]


def test_a_problem_points_at_no_more_than_fifty_places(client):
    body = {"hand": {**LOG, "events": [{"type": "knock", "seat": 0}] * 2000}}
    problem = check(client.post("/v1/rulings", json=body), 422, "invalid")
    assert [error["pointer"] for error in problem["errors"]] == [f"/hand/events/{at}/seat" for at in range(50)]


@examples(2)
@given(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(["x` - at `$.foo", "` - at `$", "a/b~c", "$.x[0]", "`", " - at `key` in `$.hand`", ""]),
    ).filter(lambda name: name not in ("hand", "rules")),
    st.sampled_from([(), ("hand",), ("hand", "players", 1), ("hand", "events", 0)]),
)
def test_whatever_a_field_is_called_the_pointer_leads_to_it(client, name, where):
    body = {"hand": deepcopy(LOG), "rules": {"preset": "pagat"}}
    place = body
    for step in where:
        place = place[step]
    assume(name not in place and name not in ("name", "redeemed", "card", "widow"))
    place[name] = 1
    problem = check(client.post("/v1/rulings", json=body), 422, "invalid")
    (error,) = problem["errors"]
    steps = [step.replace("~1", "/").replace("~0", "~") for step in error["pointer"].split("/")[1:]]
    assert steps == [*map(str, where), name]
    assert error["detail"] == f"Object contains unknown field `{name}`."


def test_of_a_large_body_the_first_misfit_is_told(client):
    body = {"hand": {**LOG, "events": [{"type": "knock", "seat": 0}] * 8000}}
    problem = check(client.post("/v1/rulings", json=body), 422, "invalid")
    assert [error["pointer"] for error in problem["errors"]] == ["/hand/events/0/seat"]


def test_the_misfits_of_a_hand_in_a_batch_begin_at_the_batch(client):
    hand = {**LOG, "dealer": 99, "events": [{"type": "knock", "seat": 0}]}
    answer = client.post("/v1/rulings/batch", json={"hands": [LOG, hand]}).json()["answers"][1]
    assert [error["pointer"] for error in answer["problem"]["errors"]] == ["/hands/1/dealer", "/hands/1/events/0/seat"]


def packed(body):
    """Return the body as MessagePack, or nothing if it cannot be written so."""
    try:
        return msgspec.msgpack.encode(body)
    except OverflowError:
        return b""


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        (
            {"loss_beyond_lives": "county", "county": "none"},
            {"/rules/changes/loss_beyond_lives", "/rules/changes/county"},
        ),
        (
            {"knock_after_stock": "allowed", "stock_exhausted": "no_loser"},
            {"/rules/changes/knock_after_stock", "/rules/changes/stock_exhausted"},
        ),
        ({"exchange": "any"}, {"/rules/changes/exchange"}),
    ],
)
@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("/v1/rulings", {"hand": LOG}),
        ("/v1/rulings/batch", {"hands": []}),
        ("/v1/games", {"players": [{}, {}], "dealer": 1, "hands": []}),
        ("/v1/valuations", {"hands": []}),
    ],
)
def test_answers_that_do_not_go_together(client, path, rest, changes, pointers):
    problem = check(client.post(path, json={"rules": {"changes": changes}, **rest}), 422, "incompatible-answers")
    assert {error["pointer"] for error in problem["errors"]} == pointers
    assert all(option in problem["detail"] for option in changes)


def test_an_error_points_only_at_what_was_sent(client):
    """The other answer may be the preset's: it is named in words."""
    body = {"hand": LOG, "rules": {"preset": "casual", "changes": {"loss_beyond_lives": "county"}}}
    problem = check(client.post("/v1/rulings", json=body), 422, "incompatible-answers")
    assert [error["pointer"] for error in problem["errors"]] == ["/rules/changes/loss_beyond_lives"]
    assert "`county`" in problem["detail"]


def test_stock_options_are_unknown_in_the_widow_form(client):
    body = {"hand": LOG, "rules": {"preset": "bicycle", "changes": {"lives": 3, "county": "all", "jokers": 1}}}
    problem = check(client.post("/v1/rulings", json=body), 422, "incompatible-answers")
    assert {error["pointer"] for error in problem["errors"]} == {"/rules/changes/lives", "/rules/changes/county"}


@pytest.mark.parametrize(
    ("hands", "pointer"),
    [
        ([["Ks", "Ks", "2h"]], "/hands/0"),
        ([["Ks", "9s", "2h"], ["Ks", "9s"]], "/hands/1"),
        ([["Ks", "9s", "2h", "3h"]], "/hands/0"),
        ([[]], "/hands/0"),
    ],
)
def test_cards_that_are_not_a_hand(client, hands, pointer):
    problem = check(client.post("/v1/valuations", json={"hands": hands}), 422, "invalid")
    assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    "body",
    [
        {"x" * 100_000: 1},
        {"hand": {"kind": "x" * 100_000}},
        {"hand": changed(LOG, "events", 1, "card", to="x" * 100_000)},
        {"hand": LOG, "rules": {"preset": "x" * 100_000}},
    ],
    ids=["field", "kind", "card", "preset"],
)
def test_a_problem_quotes_little_of_the_request(client, body):
    response = client.post("/v1/rulings", json=body)
    check(response, 422, "invalid")
    assert len(response.content) < 1500


def test_a_key_that_is_no_text_is_told_once_where_it_is(client):
    content = msgspec.msgpack.encode({"hand": {1: 2}, b"x": 3, "rules": {"preset": "pagat", "changes": {2.5: 1}}})
    problem = check(client.post("/v1/rulings", content=content, headers=PACKED), 422, "invalid")
    assert [(error["pointer"], error["detail"]) for error in problem["errors"]] == [
        ("/hand", "Expected as a key `str`, got `int`."),
        ("/hand/kind", "Object missing required field `kind`."),
        ("", "Expected as a key `str`, got `bytes`."),
        ("/rules/changes", "Expected as a key `str`, got `float`."),
    ]


def test_a_field_that_looks_like_a_message_is_pointed_at(client):
    problem = check(client.post("/v1/rulings", json={"hand": {"kind": "log", "x` - at `$.zz": 1}}), 422, "invalid")
    assert problem["errors"][0]["pointer"] == "/hand/x` - at `$.zz"
