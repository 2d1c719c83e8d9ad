"""Shapes: what a schema says, said in the plainest words of JSON Schema that mean the same.

Generators of clients and linters understand less than the standard has. Each step is general: it takes any schema, and
returns one that the same values fit.
"""

from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
Step = Callable[[Schema], Schema]

_LARGEST = 2**31 - 1
"""The largest number that fits 32 bits."""


def rewritten(schema: Schema, step: Step) -> Schema:
    """Return a schema in which a step was taken at every schema inside it, and then at itself."""
    within = dict(schema)
    for keyword in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(keyword), dict):
            within[keyword] = rewritten(schema[keyword], step)
    for keyword in ("anyOf", "oneOf", "prefixItems"):
        if keyword in schema:
            within[keyword] = [rewritten(each, step) for each in schema[keyword]]
    if "properties" in schema:
        within["properties"] = {name: rewritten(each, step) for name, each in schema["properties"].items()}
    return step(within)


def plain(schema: Schema) -> Schema:
    """Return a schema in its plainest words: every step of this module, at one schema."""
    for step in (typed, tagged, listed, exclusive, sized):
        schema = step(schema)
    return schema


def typed(schema: Schema) -> Schema:
    """Say of a choice of words or of numbers that it is one."""
    values = schema.get("enum")
    if not values or "type" in schema:
        return schema
    kinds = {"integer" if isinstance(value, int) else "string" for value in values}
    return schema if len(kinds) > 1 else schema | {"type": kinds.pop()}


def tagged(schema: Schema) -> Schema:
    """Say of a choice with but one value that it is that value, and what it is for where nothing does."""
    if len(schema.get("enum", ())) != 1:
        return schema
    (value,) = schema["enum"]
    rest = {key: held for key, held in schema.items() if key != "enum"}
    return {"description": f"Always `{value}`: it tells what this is."} | rest | {"const": value}


def listed(schema: Schema) -> Schema:
    """Say of so many places that are all alike that they are a list of that length."""
    places = schema.get("prefixItems")
    if not places or schema.get("items") is not False or any(place != places[0] for place in places):
        return schema
    rest = {key: held for key, held in schema.items() if key != "prefixItems"}
    return rest | {"items": places[0]}


def exclusive(schema: Schema) -> Schema:
    """Say of kinds that a field tells apart that a value is of one of them only."""
    if "discriminator" not in schema or "anyOf" not in schema:
        return schema
    return {("oneOf" if key == "anyOf" else key): held for key, held in schema.items()}


def sized(schema: Schema) -> Schema:
    """Say of a number between bounds how many bits it needs, and of one that is chosen the bounds as well."""
    if schema.get("type") != "integer" or "format" in schema:
        return schema
    if "enum" in schema:
        schema = schema | {"minimum": min(schema["enum"]), "maximum": max(schema["enum"])}
    if not {"minimum", "maximum"} <= schema.keys():
        return schema
    most = max(abs(schema["minimum"]), abs(schema["maximum"]))
    return schema | {"format": "int32" if most <= _LARGEST else "int64"}
