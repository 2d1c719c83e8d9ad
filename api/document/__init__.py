"""The OpenAPI 3.1 document: paths from the routes and their operations, components from the Structs."""

from collections.abc import Iterable
from typing import Any

import msgspec
from litestar.routes import BaseRoute

from api.document.components import Components
from api.document.headers import HEADERS, Json
from api.document.paths import Paths, documented
from api.document.problems import ProblemResponses
from api.problems import Problem
from api.resources import Resources
from api.routes import OPERATION, STREAM
from engine import VERSION

__all__ = ["as_published", "document"]

_KEY = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "A key, where the service asks for one. It is good for `read`, `write`, `delete` or several of "
        "these. Reading and judging need `read`, keeping replays `write`, deleting them `delete`.",
    }
}
_TAGS = {
    "Rulings": "A hand in, a ruling out.",
    "Games": "Hand after hand to a winner, and who deals first.",
    "Replays": "Rulings that were kept, found again and judged once more.",
    "Disputes": "One hand under many rules, and what it hinges on.",
    "Examples": "Whole hands that show one situation each, made, judged and told.",
    "Rules": "The rule options, presets and rules that rulings are made by.",
    "Sheets": "What a table prints: the rules, as they are played there, and a sheet for the lives.",
    "Service": "The service itself.",
}
_ABOUT = (
    "The referee for the card game Thirty-One (31, Scat, Blitz). Post the record of a hand and a rule set, and "
    "get what each hand was worth, who loses which lives, and which rule says so.\n\n"
    "Bodies and answers are JSON or MessagePack, by `Content-Type` and `Accept`; a hand may also be text. Whole "
    "numbers are written without a fraction (`3`, not `3.0`); of a key that is repeated in an object the last one "
    "counts. Every failure is a problem document (RFC 9457), and every response carries `X-Request-ID`."
)


def document(routes: Iterable[BaseRoute], resources: Resources) -> Json:
    """Return the OpenAPI document of these routes; `resources` are those that the examples are answered with."""
    found = documented(routes)
    asked: list[Any] = []
    answered: list[Any] = [Problem]
    lines: list[Any] = []
    for _, handler in found:
        operation = handler.opt[OPERATION]
        answered.append(operation.schema)
        asked += [parameter.type for parameter in operation.query]
        if operation.body:
            asked.append(operation.body.schema)
        if stream := handler.opt.get(STREAM):
            lines.append(stream.line)
            asked += [stream.takes] if stream.takes else []
    components, problems = Components(asked, answered, lines), ProblemResponses()
    paths = Paths(components, problems, resources)
    items: dict[str, Json] = {}
    for path, handler in found:
        items.setdefault(path, {}).update(paths.item(handler))
    here = {"url": "/", "description": "This service, on the local machine or wherever it runs.", "x-internal": False}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Thirty-One Adjudicator", "version": VERSION, "description": _ABOUT},
        "servers": [here],
        "security": [{}, {"key": []}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": items,
        "components": {
            "schemas": components.schemas,
            "responses": dict(sorted(problems.components.items())),
            "headers": HEADERS,
            "securitySchemes": _KEY,
        },
    }


def as_published(found: Json) -> bytes:
    """Return the document as it is served, and kept in the repository: indented, for reading and comparing."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
