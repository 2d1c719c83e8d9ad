"""What a release promises to clients, the next ones keep: the document, and the answers to a corpus of requests."""

import copy

import msgspec
import pytest
from litestar.testing import TestClient

from api import examples
from api.app import create_app
from tests.contract import conversation
from tests.contract.compatibility import breaks, skeleton
from tests.contract.conversation import Exchange, exchange, keeps, shape_of
from tests.contract.published import DOCUMENT
from tests.making.golden import FOLDER

BASELINES = sorted(FOLDER.glob("*-openapi.json"))
CONVERSATIONS = sorted(FOLDER.glob("*-http.jsonl"))
NOW = skeleton(DOCUMENT)


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.name)
def test_the_document_keeps_what_a_release_promised(path):
    broken = list(breaks(msgspec.json.decode(path.read_bytes()), NOW))
    if broken:
        shown = "\n".join(broken[:20])
        pytest.fail(
            f"{len(broken)} promises of {path.name} are broken:\n{shown}\n"
            "As long as that version is not released, `python -m tests.golden contract` writes it anew.",
            pytrace=False,
        )


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.name)
def test_clients_of_a_release_are_answered_as_ever(path):
    spoken = [msgspec.json.decode(line, type=Exchange) for line in path.read_bytes().splitlines()]
    assert len(spoken) > 100
    broken = []
    with examples.resources() as resources, TestClient(create_app(resources)) as client:
        for old in spoken:
            new = exchange(client, old.method, old.address, old.headers, bytes(old.body))
            if why := conversation.breaks(old, new):
                broken.append(f"{old.method} {old.address} {bytes(old.body)[:200]!r}: {why}")
    assert broken == []


def test_there_are_baselines():
    assert len(BASELINES) == len(CONVERSATIONS) >= 1


@pytest.mark.parametrize(
    ("old", "new", "is_kept"),
    [
        ({"a": 1}, {"a": 2, "b": 3}, True),
        ({"a": 1, "b": 3}, {"a": 2}, False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": 1}, {"a": None}, False),
        ([{"a": 1}], [{"a": 1, "b": 2}, {"c": 3}], True),
        ([{"a": 1}, {"c": 3}], [{"a": 1}], False),
        ([], [1], True),
    ],
)
def test_shapes_may_grow(old, new, is_kept):
    assert keeps(shape_of(old), shape_of(new)) == is_kept


CARD = {"type": "string", "enum": ["As", "Ks"]}
HAND = {
    "type": "object",
    "required": ["kind", "cards"],
    "properties": {
        "kind": {"enum": ["log"]},
        "cards": {"type": "array", "items": {"$ref": "#/components/schemas/Card"}, "minItems": 1, "maxItems": 3},
        "dealer": {"type": "integer", "minimum": 1, "maximum": 16},
        "name": {"anyOf": [{"type": "string", "maxLength": 64}, {"type": "null"}]},
    },
}
OLD = {
    "paths": {
        "/hands": {
            "post": {
                "operationId": "postHand",
                "parameters": [{"name": "store", "required": False, "schema": {"enum": ["true", "false"]}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Hand"}}}},
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Hand"}}}},
                    "422": {"content": {}},
                },
            }
        }
    },
    "components": {"schemas": {"Card": CARD, "Hand": HAND}},
}
HAND_AT = ("components", "schemas", "Hand")
POST_AT = ("paths", "/hands", "post")


def changed(*path, to):
    document = copy.deepcopy(OLD)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return document


NEW = {"name": "seed", "required": False, "schema": {"type": "integer"}}
BREAKING = {
    "an address is gone": (changed("paths", "/hands", to=None), "operation POST /hands is gone"),
    "a method is gone": (changed(*POST_AT, to=None), "operation POST /hands is gone"),
    "an operation has another name": (changed(*POST_AT, "operationId", to="sendHand"), "its name is sendHand"),
    "a schema has another name": (
        msgspec.json.decode(msgspec.json.encode(OLD).replace(b"/Card", b"/Ace").replace(b'"Card"', b'"Ace"')),
        "schema Card is gone",
    ),
    "a parameter is gone": (changed(*POST_AT, "parameters", to=[]), "parameter store is gone"),
    "a parameter is needed": (changed(*POST_AT, "parameters", 0, "required", to=True), "store is needed now"),
    "a parameter takes less": (
        changed(*POST_AT, "parameters", 0, "schema", to={"enum": ["true"]}),
        "the value false is gone",
    ),
    "a format is gone": (
        changed(*POST_AT, "requestBody", "content", to={"text/csv": {}}),
        "body as application/json is gone",
    ),
    "a success is gone": (changed(*POST_AT, "responses", "200", to=None), "answer 200 is gone"),
    "a field is gone": (changed(*HAND_AT, "properties", "dealer", to=None), "field dealer is gone"),
    "a field is needed": (changed(*HAND_AT, "required", to=["kind", "cards", "dealer"]), "/dealer is needed now"),
    "a field may be left out": (changed(*HAND_AT, "required", to=["kind"]), "/cards may be left out now"),
    "a field is of another type": (
        changed(*HAND_AT, "properties", "dealer", "type", to="string"),
        "alternative integer is gone",
    ),
    "a field may not be null": (
        changed(*HAND_AT, "properties", "name", to={"type": "string"}),
        "/name: alternative null is gone",
    ),
    "a tag is another": (changed(*HAND_AT, "properties", "kind", to={"enum": ["video"]}), "kind=log is gone"),
    "a word is gone": (changed("components", "schemas", "Card", "enum", to=["As"]), "/cards/*: the value Ks is gone"),
    "a number may be less large": (changed(*HAND_AT, "properties", "dealer", "maximum", to=8), "maximum is 8 now"),
    "a number must be larger": (changed(*HAND_AT, "properties", "dealer", "minimum", to=2), "minimum is 2 now"),
    "a list must be longer": (changed(*HAND_AT, "properties", "cards", "minItems", to=2), "minItems is 2 now"),
    "a text must have a form": (
        changed(*HAND_AT, "properties", "name", to={"type": ["string", "null"], "pattern": "^a"}),
        "pattern is ^a now",
    ),
}
SOUND = {
    "nothing": OLD,
    "another name": {
        **OLD,
        "components": {"schemas": {"Card": CARD, "Ace": CARD, "Hand": {**HAND, "description": "A hand."}}},
    },
    "a new address": changed("paths", "/cuts", to={}),
    "a new field": changed(*HAND_AT, "properties", "upcard", to=CARD),
    "a new word": changed("components", "schemas", "Card", "enum", to=["As", "Ks", "Qs"]),
    "more cards": changed(*HAND_AT, "properties", "cards", "maxItems", to=4),
    "a larger number": changed(*HAND_AT, "properties", "dealer", "maximum", to=99),
    "a new problem": changed(*POST_AT, "responses", "429", to={"content": {}}),
    "a problem less": changed(*POST_AT, "responses", "422", to=None),
    "a new parameter": changed(*POST_AT, "parameters", to=[{"name": "store", "required": False, "schema": {}}, NEW]),
    "a reference instead": changed(*HAND_AT, "properties", "cards", "items", to=CARD),
}  # fmt: skip


@pytest.mark.parametrize(("new", "says"), BREAKING.values(), ids=BREAKING)
def test_what_breaks_a_promise_is_found(new, says):
    assert any(says in found for found in breaks(skeleton(OLD), skeleton(new))), list(
        breaks(skeleton(OLD), skeleton(new))
    )


@pytest.mark.parametrize("new", SOUND.values(), ids=SOUND)
def test_what_breaks_no_promise_is_passed(new):
    assert list(breaks(skeleton(OLD), skeleton(new))) == []


def test_a_document_keeps_its_own_promises():
    assert list(breaks(NOW, NOW)) == []
