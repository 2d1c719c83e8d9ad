"""What the document makes of the decoders' schemas: the same values fit, in plainer words and with more names."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from api.document.components import REF, Components
from api.document.names import NAMES
from api.document.paths import documented
from api.document.shapes import exclusive, listed, plain, rewritten, sized, tagged, typed
from api.problems import Problem
from api.routes import OPERATION
from schemas.hand import Hand
from schemas.ruling import EndedBy
from tests.api.test_document import COMPONENTS

NOTES = {"title", "description", "examples", "default", "format", "required"}
NAMED = {name.name for name in NAMES}


def test_every_component_is_what_the_decoder_takes(app):
    """The components of msgspec are the whole truth; here both are brought down to what decides which values fit."""
    operations = [handler.opt[OPERATION] for _, handler in documented(app.routes)]
    types = [Problem, *(each.schema for each in operations), *(each.body.schema for each in operations if each.body)]
    _, decoded = msgspec.json.schema_components(types, ref_template=REF)
    assert {name for name in COMPONENTS if name not in NAMED} == {*decoded} - NAMED
    for name, schema in decoded.items():
        served = COMPONENTS[name]
        assert essence(served) == essence(schema), name
        with_default = {field for field, each in schema.get("properties", {}).items() if "default" in each}
        needed = {*schema.get("required", ())}
        assert {*served.get("required", ())} in (needed, needed | with_default), name


def essence(schema):
    """Return what decides which values fit a schema, named or not, but for which fields are needed."""

    def step(found):
        name = found.get("$ref", "").rpartition("/")[2]
        if name in NAMED:
            return essence(COMPONENTS[name])
        core = {key: held for key, held in found.items() if key not in NOTES}
        for value in [core.pop("const")] if "const" in core else []:
            core["enum"] = [value]
        if "enum" in core:
            core = {key: core[key] for key in core if key == "enum" or key.startswith("x-")}
        if "oneOf" in core:
            core["anyOf"] = core.pop("oneOf")
        if "prefixItems" in core:
            core["items"] = core.pop("prefixItems")[0]
        return core

    return rewritten(schema, step)


def test_no_name_is_given_twice_or_to_nothing():
    names = [name.name for name in NAMES]
    assert len(set(names)) == len(names)
    assert set(names) <= set(COMPONENTS)
    for name in names:
        assert COMPONENTS[name].get("type") != "object", f"{name} is a Struct as well"


class Dog(Struct, tag="dog", tag_field="kind"):
    """A dog."""

    legs: Annotated[int, Meta(ge=0, le=4, description="How many legs.")] = 4


class Bird(Struct, tag="bird", tag_field="kind"):
    """A bird."""

    wings: tuple[bool, bool]


class Zoo(Struct):
    """Some animals."""

    animals: Annotated[tuple[Dog | Bird, ...], Meta(description="Who lives there.")]
    ended_by: Annotated[EndedBy | None, Meta(description="Why it is closed.")] = None


def test_a_choice_says_what_it_is_of():
    assert typed({"enum": ["a", "b"]}) == {"enum": ["a", "b"], "type": "string"}
    assert typed({"enum": [1, 2]}) == {"enum": [1, 2], "type": "integer"}
    assert typed({"enum": ["a", 1]}) == {"enum": ["a", 1]}
    assert typed({"type": "string"}) == {"type": "string"}


def test_a_tag_is_a_constant_that_says_so():
    assert tagged({"enum": ["dog"]}) == {"description": "Always `dog`: it tells what this is.", "const": "dog"}
    assert tagged({"enum": ["dog"], "description": "It barks."}) == {"description": "It barks.", "const": "dog"}
    assert tagged({"enum": ["dog", "bird"]}) == {"enum": ["dog", "bird"]}


def test_places_that_are_alike_are_a_list():
    (schema,), _ = msgspec.json.schema_components([tuple[int, int]])
    assert listed(schema) == {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}
    (unlike,), _ = msgspec.json.schema_components([tuple[int, str]])
    assert listed(unlike) == unlike
    (open_ended,), _ = msgspec.json.schema_components([tuple[int, ...]])
    assert listed(open_ended) == open_ended


def test_kinds_that_a_field_tells_apart_exclude_one_another():
    (schema,), _ = msgspec.json.schema_components([Dog | Bird])
    assert exclusive(schema) == {"oneOf": schema["anyOf"], "discriminator": schema["discriminator"]}
    assert exclusive({"anyOf": [{"type": "null"}]}) == {"anyOf": [{"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "more"),
    [
        ({"minimum": 0, "maximum": 2**31 - 1}, {"format": "int32"}),
        ({"minimum": 0, "maximum": 2**31}, {"format": "int64"}),
        ({"minimum": -99, "maximum": 1}, {"format": "int32"}),
        ({"enum": [2, 1]}, {"minimum": 1, "maximum": 2, "format": "int32"}),
        ({"minimum": 0}, {}),
    ],
)
def test_a_number_says_how_many_bits_it_needs(schema, more):
    assert sized({"type": "integer"} | schema) == {"type": "integer"} | schema | more


def test_steps_are_taken_everywhere_inside():
    (schema,), components = msgspec.json.schema_components([dict[str, tuple[Literal["x"], ...] | None]])
    assert not components
    (within,) = [each for each in rewritten(schema, plain)["additionalProperties"]["anyOf"] if "items" in each]
    assert within["items"]["const"] == "x"


def test_what_requests_are_made_of_tells_defaults_in_words():
    components = Components([Zoo], [])
    assert components.of(Zoo) == {"$ref": "#/components/schemas/Zoo"}
    assert set(components.schemas) == {"Zoo", "Dog", "Bird", "EndedBy"}
    assert components.schemas["Dog"]["required"] == ["kind"]
    assert "default" not in components.schemas["Dog"]["properties"]["legs"]
    ended_by = components.schemas["Zoo"]["properties"]["ended_by"]
    assert ended_by["description"] == "Why it is closed. If left out: `null`."
    assert ended_by["anyOf"] == [{"$ref": "#/components/schemas/EndedBy"}, {"type": "null"}]


def test_what_only_answers_are_made_of_has_every_field():
    components = Components([], [Zoo, Hand])
    assert components.of(Hand) == {"$ref": "#/components/schemas/Hand"}
    assert components.schemas["Dog"]["required"] == ["kind", "legs"]
    assert components.schemas["Zoo"]["required"] == ["animals", "ended_by"]
    assert "default" not in components.schemas["Zoo"]["properties"]["ended_by"]


def test_a_line_is_spelled_out_where_it_is_nothing_else():
    alone = Components([], [Dog], [Zoo])
    assert "Zoo" not in alone.schemas
    assert alone.spelled_out(Zoo)["title"] == "Zoo"
    assert set(alone.schemas) == {"Dog", "Bird", "EndedBy"}
    also = Components([], [Zoo], [Zoo])
    assert also.spelled_out(Zoo) == {"$ref": "#/components/schemas/Zoo"}
