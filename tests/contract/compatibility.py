"""What a document promises to clients, in brief, and where another one breaks it.

Of a request, whatever was accepted has to be accepted. Of an answer, whatever clients could rely on has to stay:
fields, their types, that they are always there, and the words that they can have. More may be taken, and more answered.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

Json = dict[str, Any]
Direction = Literal["request", "answer"]

_LEAST = ("minimum", "minLength", "minItems")
_MOST = ("maximum", "maxLength", "maxItems")
_KEPT = {"type", "enum", "const", "required", "pattern", "format", "default", "$ref", *_LEAST, *_MOST}


def skeleton(document: Json) -> Json:
    """Return what a document promises: no words, no examples, and every schema bare."""
    operations = {}
    for path, item in document["paths"].items():
        for method, found in item.items():
            operations[f"{method.upper()} {path}"] = {
                "id": found["operationId"],
                "parameters": {
                    each["name"]: {"required": each["required"], "schema": _bare(each["schema"])}
                    for each in found["parameters"]
                },
                "request": _contents(found.get("requestBody", {})),
                "answers": {
                    status: _contents(followed(response, document)) for status, response in found["responses"].items()
                },
            }
    schemas = {name: _bare(schema) for name, schema in document["components"]["schemas"].items()}
    return {"operations": operations, "schemas": schemas}


def followed(found: Json, document: Json) -> Json:
    """Return a part of a document, or what it refers to."""
    if "$ref" not in found:
        return found
    for step in found["$ref"].removeprefix("#/").split("/"):
        document = document[step]
    return document


def _contents(body: Json) -> Json:
    return {name: _bare(content.get("schema", {})) for name, content in body.get("content", {}).items()}


def _bare(schema: Json) -> Json:
    bare = {key: value for key, value in schema.items() if key in _KEPT}
    if "properties" in schema:
        bare["properties"] = {name: _bare(each) for name, each in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            bare[key] = _bare(schema[key])
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        if key in schema:
            bare[key] = list(map(_bare, schema[key]))
    return bare


def breaks(old: Json, new: Json) -> Iterator[str]:
    """Yield where the new skeleton breaks a promise of the old one."""
    yield from _gone("operation", old["operations"], new["operations"])
    yield from _gone("schema", old["schemas"], new["schemas"])
    for name in old["operations"].keys() & new["operations"].keys():
        was, now = old["operations"][name], new["operations"][name]
        if was["id"] != now["id"]:
            yield f"{name}: its name is {now['id']}, not {was['id']}"
        compare = _Comparison(old["schemas"], new["schemas"])
        yield from _gone(f"{name}: parameter", was["parameters"], now["parameters"])
        for parameter, said in now["parameters"].items():
            before = was["parameters"].get(parameter)
            if said["required"] and not (before and before["required"]):
                yield f"{name}: parameter {parameter} is needed now"
            if before:
                yield from compare.schemas(before["schema"], said["schema"], "request", f"{name} {parameter}")
        yield from _gone(f"{name}: body as", was["request"], now["request"])
        if now["request"] and not was["request"]:
            yield f"{name}: a body is needed now"
        for media_type in was["request"].keys() & now["request"].keys():
            yield from compare.schemas(was["request"][media_type], now["request"][media_type], "request", name)
        succeeds = {status: content for status, content in was["answers"].items() if status.startswith("2")}
        yield from _gone(f"{name}: answer", succeeds, now["answers"])
        for status in was["answers"].keys() & now["answers"].keys():
            before, after = was["answers"][status], now["answers"][status]
            yield from _gone(f"{name} {status}: answer as", before, after)
            for media_type in before.keys() & after.keys():
                where = f"{name} {status}"
                yield from compare.schemas(before[media_type], after[media_type], "answer", where)


def _gone(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(old.keys() - new.keys()):
        yield f"{what} {name} is gone"


class _Comparison:
    """Two sets of named schemas; a reference and what it stands for are the same."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old, self._new = old, new
        self._under_way: set[tuple[str, str, str]] = set()

    def schemas(self, old: Json, new: Json, direction: Direction, where: str) -> Iterator[str]:
        """Yield where a schema is no longer what it was."""
        mark = (repr(old), repr(new), direction)
        if mark in self._under_way:
            return
        self._under_way.add(mark)
        before, after = _alternatives(old, self._old), _alternatives(new, self._new)
        if before and not after and direction == "request":
            return  # anything is taken now
        yield from _gone(f"{where}: alternative", before, after)
        for name in before.keys() & after.keys():
            yield from self._alike(before[name], after[name], direction, where)

    def _alike(self, old: Json, new: Json, direction: Direction, where: str) -> Iterator[str]:
        yield from _words(old, new, direction, where)
        if direction == "request":
            yield from _bounds(old, new, where)
        was, now = set(old.get("required", ())), set(new.get("required", ()))
        for name in sorted(now - was if direction == "request" else was - now):
            yield f"{where}/{name} is needed now" if direction == "request" else f"{where}/{name} may be left out now"
        fields, found = old.get("properties", {}), new.get("properties", {})
        yield from _gone(f"{where}: field", fields, found)
        for name in fields.keys() & found.keys():
            yield from self.schemas(fields[name], found[name], direction, f"{where}/{name}")
        if "items" in old and "items" in new:
            yield from self.schemas(old["items"], new["items"], direction, f"{where}/*")


def _alternatives(schema: Json, named: Json) -> dict[str, Json]:
    """Return what a schema allows, by what tells it apart: a tag, or else a type."""
    if "$ref" in schema:
        return _alternatives(named[schema["$ref"].rpartition("/")[2]], named)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return {name: each for part in schema[key] for name, each in _alternatives(part, named).items()}
    for name, each in schema.get("properties", {}).items():
        if len(words := _allowed(each)) == 1:
            return {f"{name}={words[0]}": schema}
    types = schema.get("type", "string" if "enum" in schema or "const" in schema else [])
    return dict.fromkeys([types] if isinstance(types, str) else types, schema)


def _allowed(schema: Json) -> list[Any]:
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def _words(old: Json, new: Json, direction: Direction, where: str) -> Iterator[str]:
    was, now = _allowed(old), _allowed(new)
    for word in was if now else ():
        if word not in now:
            yield f"{where}: the value {word} is gone"
    if now and not was and direction == "request":
        yield f"{where}: only some values are taken now"


def _bounds(old: Json, new: Json, where: str) -> Iterator[str]:
    for key in _LEAST:
        if key in new and new[key] > old.get(key, 0 if key != "minimum" else float("-inf")):
            yield f"{where}: {key} is {new[key]} now"
    for key in _MOST:
        if key in new and new[key] < old.get(key, float("inf")):
            yield f"{where}: {key} is {new[key]} now"
    if new.get("pattern", old.get("pattern")) != old.get("pattern"):
        yield f"{where}: pattern is {new['pattern']} now"
