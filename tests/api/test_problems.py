"""Bad input of every kind gets a clear problem with the right status, and never a 500."""

import json
from copy import deepcopy

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from api.problems import PROBLEM_TYPES
from tests.api.stories import LOG, SHOWDOWN, changed
from tests.strategies import examples

JSON = {"content-type": "application/json"}
PACKED = {"content-type": "application/x-msgpack"}
HAND = json.dumps(LOG)

UNDECODABLE = {
    "empty": b"",
    "truncated": HAND.encode()[:200],
    "truncated after a wrong type": b'{"rules": 5, "hand": {',
    "not JSON": b"hello",
    "NaN": b'{"hand": {"kind": "log", "players": [{"lives": NaN}]}}',
    "Infinity": b'{"hand": {"kind": "log", "players": [{"lives": Infinity}]}}',
    "a trailing comma": b'{"hand": {},}',
    "two values": b'{"hand": {}} {}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": HAND.encode("utf-16"),
    "not UTF-8": b'{"hand": {"kind": "log", "players": [{"lives": 3, "name": "\xff"}]}}',
    "a lone surrogate": b'{"hand": {"kind": "log", "players": [{"lives": 3, "name": "\\ud800"}]}}',
    "100,000 open brackets": b"[" * 100_000,
    "100,000 nested brackets": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"hand":' * 100_000,
    "nested brackets in a field": b'{"hand": {"kind": "log", "players": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
    "an object of the wrong shape, cut short": b'{"z": [1, 2',
    "a leading zero": b'{"hand": {"kind": "log", "players": [{"lives": 03}]}}',
}


@pytest.mark.parametrize("body", UNDECODABLE.values(), ids=UNDECODABLE)
@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/rulings/batch", "/v1/games", "/v1/cuts", "/v1/valuations"])
def test_a_body_that_cannot_be_decoded(client, path, body):
    check(client.post(path, content=body, headers=JSON), 400, "not-decodable")


NAMED = msgspec.msgpack.encode({"hand": changed(LOG, "players", 0, "name", to="name")})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x81\xa4hand",
        b"\x91" * 100_000,
        NAMED[:-1],
        NAMED.replace(b"\xa4name\xa4name", b"\xa4name\xa4\xff\xff\xff\xff"),
    ],
)
def test_messagepack_that_cannot_be_decoded(client, body):
    check(client.post("/v1/rulings", content=body, headers=PACKED), 400, "not-decodable")


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


@pytest.mark.parametrize("content_type", ["text/csv", "application/xml", "application/jsonp", "json", ""])
def test_a_media_type_that_bodies_are_not_read_in(client, content_type):
    response = client.post("/v1/rulings", content=b"{}", headers={"content-type": content_type})
    check(response, 415, "unsupported-media-type")
    assert "application/json" in response.headers["accept"]


def test_a_body_without_a_media_type_or_with_an_encoding(client):
    check(client.post("/v1/rulings", content=b"{}"), 415, "unsupported-media-type")
    encoded = client.post("/v1/rulings", content=b"{}", headers={**JSON, "content-encoding": "gzip"})
    check(encoded, 415, "unsupported-media-type")
    assert encoded.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/cuts", "/v1/valuations"])
def test_a_body_of_more_than_a_megabyte(client, path):
    check(client.post(path, content=b" " * 1_000_001, headers=JSON), 413, "too-large")
    chunks = (b" " * 100_000 for _ in range(11))
    check(client.post(path, content=chunks, headers=JSON), 413, "too-large")
    check(client.post(path, content=b" " * 1_000_000, headers=JSON), 400, "not-decodable")


def test_a_batch_may_have_sixteen_megabytes(client):
    padding = b" " * 15_000_000
    assert client.post("/v1/rulings/batch", content=b'{"hands": []}' + padding, headers=JSON).status_code == 200
    check(client.post("/v1/rulings/batch", content=b" " * 16_000_001, headers=JSON), 413, "too-large")


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/presets", "/v1/options/lives", "/health/live"])
@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "application/json; q=0.0, text/*"])
def test_nothing_acceptable(client, path, accept):
    call = client.post if path == "/v1/rulings" else client.get
    check(call(path, headers={"accept": accept, **JSON}), 406, "not-acceptable")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/rulings", {"POST", "OPTIONS"}),
        ("DELETE", "/v1/rulings/batch", {"POST", "OPTIONS"}),
        ("POST", "/v1/presets", {"GET", "HEAD", "OPTIONS"}),
        ("PUT", "/v1/options/lives", {"GET", "HEAD", "OPTIONS"}),
        ("POST", "/openapi.json", {"GET", "HEAD", "OPTIONS"}),
        ("BREW", "/v1/valuations", {"POST", "OPTIONS"}),
    ],
)
def test_a_method_that_is_not_allowed(client, method, path, allow):
    response = client.request(method, path)
    check(response, 405, "method-not-allowed")
    assert {name.strip() for name in response.headers["allow"].split(",")} == allow


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/presets", "/openapi.json"])
def test_options_lists_the_methods(client, path):
    response = client.request("OPTIONS", path)
    assert response.status_code == 204
    assert "OPTIONS" in response.headers["allow"]


@pytest.mark.parametrize(
    "path",
    [
        "/desk/nowhere",
        "/v1",
        "/v2/rulings",
        "/v1/rulings/1",
        "/v1/presets/scat",
        "/v1/options/x",
        "/v1/rulebook/x",
        "/%00",
        "/problems/x",
    ],
)
def test_an_address_where_nothing_is(client, path):
    check(client.get(path), 404, "not-found")


@pytest.mark.parametrize(
    "query", ["store=maybe", "store=", "stored=true", "store=true&x=1", "store=TRUE", "store=true&store=true"]
)
def test_a_parameter_that_is_not_understood(client, query):
    problem = check(client.post(f"/v1/rulings?{query}", json={"hand": LOG}), 400, "bad-parameter")
    assert problem["errors"][0]["parameter"] in {"store", "stored", "x"}


def test_parameters_of_get_requests_are_checked_too(client):
    check(client.get("/v1/presets?x=1"), 400, "bad-parameter")
    check(client.get("/v1/options/lives?form=other"), 400, "bad-parameter")


@pytest.mark.parametrize("kind", PROBLEM_TYPES, ids=lambda kind: kind.slug)
def test_every_problem_type_resolves_to_its_explanation(client, kind):
    explanation = client.get(kind.uri).json()
    assert (explanation["type"], explanation["title"], explanation["status"]) == (
        kind.uri,
        kind.title,
        kind.status,
    )
    assert explanation["explanation"]


def test_titles_and_slugs_are_unique():
    assert (
        len({kind.slug for kind in PROBLEM_TYPES}) == len({kind.title for kind in PROBLEM_TYPES}) == len(PROBLEM_TYPES)
    )


def check(response, status, slug):
    """Check that a response is this problem, whole and consistent, and return it."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    kind = next(kind for kind in PROBLEM_TYPES if kind.slug == slug)
    assert problem["type"] == f"/problems/{slug}"
    assert problem["title"] == kind.title
    assert problem["status"] == status == kind.status
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]
    assert set(problem) == {"type", "title", "status", "detail", "errors", "request_id"}
    return problem


@pytest.mark.parametrize(
    "accept", ["*/*;q=1e309", "application/json;q=inf", "application/json;q=-1e999", ";;,;q=", "*" * 9000]
)
def test_a_strange_accept_header_is_answered_or_refused(client, accept):
    for response in (
        client.get("/health/live", headers={"accept": accept}),
        client.post("/v1/rulings?store=false", json={"hand": LOG}, headers={"accept": accept}),
    ):
        assert response.status_code in (200, 406)


def test_several_accept_headers_are_one_list(client):
    headers = [("accept", "text/html"), ("accept", "application/json"), ("accept", "text/csv")]
    assert client.get("/health/live", headers=headers).status_code == 200
    assert client.post("/v1/rulings?store=false", json={"hand": LOG}, headers=headers).status_code == 200


def test_an_endless_content_length_is_too_large(client):
    headers = {**JSON, "content-length": "9" * 5000}
    check(client.post("/v1/rulings", content=b"{}", headers=headers), 413, "too-large")
    assert (
        client.post("/v1/rulings", content=b"{}", headers={**JSON, "content-length": "0" * 5000 + "2"}).status_code
        == 422
    )


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
