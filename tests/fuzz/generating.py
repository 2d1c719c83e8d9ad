"""Values made from the schemas of the OpenAPI document: most fit, and some nearly do."""

from random import Random
from typing import Any

from tests.fuzz.oracles import DOCUMENT
from tests.making.damage import any_card
from tests.making.dice import Dice

_COMPONENTS = DOCUMENT["components"]["schemas"]
_DEEPEST = 12
_USUALLY_AT_MOST = 4
"""Items that a list is given where it may have many."""
TEXTS = ("", "x", "Zo\u00eb", "\U0001f0cf", "a\u0000b", "10\u2665", "Ks", "x" * 65, "X1", "../", "%s", "<b>", "~1/~0")


def made(schema: dict[str, Any], random: Random, depth: int = 0) -> Any:
    """Return a value for a schema."""
    if "$ref" in schema:
        schema = _COMPONENTS[schema["$ref"].rpartition("/")[2]]
    if depth > _DEEPEST:
        return None
    if "anyOf" in schema:
        return made(random.choice(schema["anyOf"]), random, depth + 1)
    if "enum" in schema:
        return random.choice(schema["enum"])
    return _MAKERS.get(schema.get("type"), _anything)(schema, random, depth)


def _anything(_schema: dict[str, Any], random: Random, _depth: int) -> Any:
    return random.choice((None, True, 0, "x", [], {}))


def _object(schema: dict[str, Any], random: Random, depth: int) -> dict[str, Any]:
    required = schema.get("required", ())
    return {
        name: made(part, random, depth + 1)
        for name, part in schema.get("properties", {}).items()
        if name in required or random.random() < 0.3
    }


def _array(schema: dict[str, Any], random: Random, depth: int) -> list[Any]:
    parts = list(schema.get("prefixItems", ()))
    if items := schema.get("items", {}):
        fewest, most = schema.get("minItems", 0), schema.get("maxItems", _USUALLY_AT_MOST)
        parts += [items] * random.randint(fewest, max(fewest, min(most, _USUALLY_AT_MOST)))
    return [made(part, random, depth + 1) for part in parts]


def _integer(schema: dict[str, Any], random: Random, _depth: int) -> int:
    low, high = schema.get("minimum", -1), schema.get("maximum", 2**53)
    return random.choice((low, low + 1, high, random.randint(low, min(high, low + 6))))


def _string(schema: dict[str, Any], random: Random, _depth: int) -> str:
    if "examples" in schema and random.random() < 0.6:
        return random.choice(schema["examples"])
    if random.random() < 0.5:
        return str(any_card(Dice(random.randbytes(2))))
    return random.choice(TEXTS)


_MAKERS = {
    "object": _object,
    "array": _array,
    "integer": _integer,
    "number": lambda schema, random, depth: random.choice((0.5, 1.0, _integer(schema, random, depth))),
    "string": _string,
    "boolean": lambda _schema, random, _depth: random.random() < 0.5,
}
