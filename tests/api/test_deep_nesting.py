"""Bodies that are nested deeply, wherever they are: a problem each, and the service goes on."""

import json
from itertools import product

import msgspec
import pytest

from tests.api.problems import check
from tests.api.stories import LOG

JSON, PACKED, LINES = "application/json", "application/x-msgpack", "application/x-ndjson"
DEPTHS = (1_000, 100_000)
DEEPEST = 1_000_000
HERE = "HERE"
PLACES = {
    "the body": ("/v1/rulings", HERE),
    "an unknown field": ("/v1/rulings", {"x": HERE, "hand": LOG}),
    "an unknown field behind a hand": ("/v1/rulings", {"hand": LOG, "x": HERE}),
    "the hand": ("/v1/rulings", {"hand": HERE}),
    "players": ("/v1/rulings", {"hand": {**LOG, "players": HERE}}),
    "a name": ("/v1/rulings", {"hand": {**LOG, "players": [{"lives": 3, "name": HERE}]}}),
    "an event": ("/v1/rulings", {"hand": {**LOG, "events": [HERE]}}),
    "an unknown field of an event": (
        "/v1/rulings",
        {"hand": {**LOG, "events": [{"type": "knock", "seat": 1, "x": HERE}]}},
    ),
    "a kind": ("/v1/rulings", {"hand": {"kind": HERE}}),
    "rules": ("/v1/rulings", {"hand": LOG, "rules": HERE}),
    "changes": ("/v1/rulings", {"hand": LOG, "rules": {"changes": HERE}}),
    "an answer": ("/v1/rulings", {"hand": LOG, "rules": {"changes": {"jokers": HERE}}}),
    "rules to compare": ("/v1/comparisons", {"hand": LOG, "rules": [HERE]}),
    "a claim": ("/v1/disputes", {"hand": LOG, "claims": [{"changes": HERE}]}),
    "a game": ("/v1/games", {"players": HERE}),
    "a hand of a game": ("/v1/games", {"players": [{"lives": 3}] * 2, "dealer": 1, "hands": [HERE]}),
    "rules of a batch": ("/v1/rulings/batch", {"hands": [LOG], "rules": HERE}),
    "cards": ("/v1/valuations", {"hands": [[HERE]]}),
    "a cut": ("/v1/cuts", {"rule": HERE, "cards": []}),
    "rules of a sheet": ("/v1/rule-sheets", {"rules": HERE}),
}
SHAPES = {
    "arrays": (b"[", b"]"),
    "objects": (b'{"x":', b"}"),
    "objects in arrays": (b'[{"x":', b"}]"),
}


def depths(place):
    """Return how deep to go; a million only where little else stands around it."""
    return (*DEPTHS, DEEPEST) if place in ("the body", "rules of a batch") else DEPTHS


def nested(shape, depth, *, closed):
    begin, end = SHAPES[shape]
    return begin * depth + (b"1" + end * depth if closed else b"")


@pytest.mark.parametrize("place", PLACES)
def test_json(client, place):
    path, around = PLACES[place]
    for shape, depth, closed in product(SHAPES, depths(place), (True, False)):
        content = written(around).replace(b'"HERE"', nested(shape, depth, closed=closed))
        check_refused(client.post(path, content=content, headers={"content-type": JSON}), len(content), path)
    assert client.get("/health/live").status_code == 200


@pytest.mark.parametrize("place", PLACES)
def test_messagepack(client, place):
    path, around = PLACES[place]
    packed = msgspec.msgpack.encode(around)
    for begin, depth, end in product((b"\x91", b"\x81\xa1x", b"\xdc\x00\x01"), depths(place), (b"\xc0", b"")):
        content = packed.replace(msgspec.msgpack.encode(HERE), begin * depth + end)
        check_refused(client.post(path, content=content, headers={"content-type": PACKED}), len(content), path)
    assert client.get("/health/live").status_code == 200


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_hand_of_a_batch_and_a_line_get_a_problem_of_their_own(client, shape, depth):
    deep = nested(shape, depth, closed=True)
    batch = b'{"hands": [%b, %b, %b]}' % (written(LOG), b'{"kind": "log", "x": %b}' % deep, written(LOG))
    answered = client.post("/v1/rulings/batch?store=false", content=batch, headers={"content-type": JSON})
    if answered.status_code == 200:
        first, second, third = answered.json()["answers"]
        assert second["problem"]["status"] in (400, 422)
        assert first["ruling"] == third["ruling"]
    else:
        check(answered, 400, "not-decodable")
    line = written({"hand": LOG})
    lines = b"\n".join([line, b'{"hand": %b}' % deep, b'{"x": %b' % deep, line])
    answered = client.post("/v1/rulings/batch?store=false", content=lines, headers={"content-type": LINES})
    assert answered.status_code == 200
    first, second, third, fourth = map(json.loads, answered.text.splitlines())
    assert {second["problem"]["status"], third["problem"]["status"]} <= {400, 413}
    assert first["ruling"] == fourth["ruling"]


def check_refused(response, size, path):
    if size > (16_000_000 if path in ("/v1/rulings/batch", "/v1/games") else 1_000_000):
        check(response, 413, "too-large")
    else:
        check(response, 400, "not-decodable")
    assert len(response.content) < 1500


def written(value):
    return json.dumps(value).encode()
