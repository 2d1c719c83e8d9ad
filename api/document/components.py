"""Components: the schemas of all types that requests and answers are made of, by name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from api.document.names import NAMES
from api.document.shapes import Schema, plain, rewritten

REF = "#/components/schemas/{name}"
_NOTES = frozenset({"title", "description", "examples", "default"})
"""What is said of a value in its place, and does not decide which values fit."""


class Components:
    """The schemas of types, and the components that they refer to.

    `asked` are the types that requests are made of, `answered` those of answers, `lines` those of the lines of streams.
    """

    def __init__(self, asked: Sequence[Any], answered: Sequence[Any], lines: Sequence[Any] = ()) -> None:
        types = [*asked, *answered, *lines]
        found, components = msgspec.json.schema_components([*types, *(name.type for name in NAMES)], ref_template=REF)
        schemas, names = found[: len(types)], zip(NAMES, found[len(types) :], strict=True)
        self._names: dict[bytes, tuple[str, Schema]] = {}
        for name, schema in names:
            self._names[_core(rewritten(schema, plain))] = (
                name.name,
                {"title": name.name, "description": schema.get("description", name.description)},
            )
        self._schema_of = {id(kind): self.named(schema) for kind, schema in zip(types, schemas, strict=True)}
        every = {name: self.named(schema) for name, schema in components.items()} | self._definitions()
        asked_for = reachable(map(self.of, asked), every)
        self._every = {
            name: _with_defaults_told(schema, every) if name in asked_for else _with_defaults_given(schema)
            for name, schema in sorted(every.items())
        }
        used = asked_for | reachable(
            [*map(self.of, answered), *(every[_referred(self.of(kind))] for kind in lines)], every
        )
        self.schemas = {name: schema for name, schema in self._every.items() if name in used}
        """The components, by name. One that neither a request nor an answer is made of is left out."""

    def of(self, kind: Any) -> Schema:  # noqa: ANN401 - a type, which may be a union
        """Return the schema of a type."""
        return self._schema_of[id(kind)]

    def spelled_out(self, kind: Any) -> Schema:  # noqa: ANN401 - a Struct
        """Return the schema of a Struct, in full where it is no component."""
        schema = self.of(kind)
        name = _referred(schema)
        return schema if name in self.schemas else self._every[name]

    def named(self, schema: Schema) -> Schema:
        """Return a schema in plain words that refers by name to what has one."""
        return rewritten(rewritten(schema, plain), self._name)

    def _name(self, schema: Schema) -> Schema:
        """Return a reference in place of a schema that has a name; what is said of it in its place is kept."""
        known = self._names.get(_core(schema))
        if known is None:
            return schema
        name, said = known
        notes = {key: note for key, note in schema.items() if key in _NOTES - {"title"} and note != said.get(key)}
        return notes | {"$ref": REF.format(name=name)}

    def _definitions(self) -> dict[str, Schema]:
        return {name: said | msgspec.json.decode(core) for core, (name, said) in self._names.items()}


def reachable(schemas: Iterable[Schema], components: Mapping[str, Schema]) -> set[str]:
    """Return the names of the components that schemas refer to, directly or not."""
    found: set[str] = set()

    def look(schema: Schema) -> Schema:
        name = _referred(schema)
        if name and name not in found:
            found.add(name)
            rewritten(components[name], look)
        return schema

    for schema in schemas:
        rewritten(schema, look)
    return found


def _referred(schema: Schema) -> str:
    """Return the name of the component that a schema refers to, or "" if it refers to none."""
    name: str = schema.get("$ref", "").rpartition("/")[2]
    return name


def _core(schema: Schema) -> bytes:
    """Return what decides which values fit a schema, as bytes that are the same for the same content."""
    return msgspec.json.encode({key: held for key, held in schema.items() if key not in _NOTES}, order="sorted")


def _with_defaults_told(component: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return what a request is made of, in which a field with a default is one that may be left out.

    Some generators take a default for a promise that the field is there, and so ask for it. The description says what
    holds instead.
    """
    properties = {}
    for name, schema in component.get("properties", {}).items():
        properties[name] = {key: held for key, held in schema.items() if key != "default"}
        if "default" in schema:
            said = schema.get("description") or components[_referred(schema)]["description"]
            properties[name]["description"] = (
                f"{said} If left out: `{msgspec.json.encode(schema['default']).decode()}`."
            )
    return component | ({"properties": properties} if properties else {})


def _with_defaults_given(component: Schema) -> Schema:
    """Return what an answer is made of, in which a field with a default is one that is always there."""
    given = [name for name, schema in component.get("properties", {}).items() if "default" in schema]
    if not given:
        return component
    properties = {
        name: {key: held for key, held in schema.items() if key != "default"}
        for name, schema in component["properties"].items()
    }
    required = [name for name in properties if name in component["required"] or name in given]
    return component | {"properties": properties, "required": required}
