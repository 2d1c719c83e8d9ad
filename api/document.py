"""The OpenAPI 3.1 document: paths from the routes and their operations, components from the Structs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.routes import ASGIRoute, BaseRoute, HTTPRoute

from api.media import FORMATS, JSON, LINES, PDF
from api.operations import Call, Operation, Parameter, PathParameter
from api.problems import (
    BAD_PARAMETER,
    CRASHED,
    FORBIDDEN,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    NOT_DECODABLE,
    PROBLEM_JSON,
    PROBLEM_TYPES,
    TOO_LARGE,
    TOO_MANY_REQUESTS,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
)
from api.resources import Resources
from api.routes import CONSTANT, OPERATION, RESPOND, STREAM
from engine import VERSION

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_OF_ANY = (BAD_PARAMETER, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, CRASHED)
_OF_GATE = (UNAUTHENTICATED, FORBIDDEN, TOO_MANY_REQUESTS)
_OF_BODY = (NOT_DECODABLE, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE)
_HEADERS = {
    "X-Request-ID": {
        "description": "The id of the request: the one sent, if it is short and plain, or a new one.",
        "schema": {"type": "string", "maxLength": 64},
    }
}
_LOCATION = {
    "Location": {"description": "Where the replay is found.", "schema": {"type": "string", "maxLength": 200}},
}
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
    "Examples": "Whole hands that show one situation each, made, judged and told.",
    "Rules": "The rule options, presets and rules that rulings are made by.",
    "Sheets": "What a table prints: the rules, as they are played there, and a sheet for the lives.",
    "Service": "The service itself.",
}
_ABOUT = (
    "The referee for the card game Thirty-One (31, Scat, Blitz). Post the record of a hand and a rule set, and "
    "get what each hand was worth, who loses which lives, and which rule says so.\n\n"
    "Bodies and answers are JSON or MessagePack, by `Content-Type` and `Accept`. Whole numbers are written "
    "without a fraction (`3`, not `3.0`); of a key that is repeated in an object the last one counts. Every "
    "failure is a problem document (RFC 9457), and every response carries `X-Request-ID`."
)


def document(routes: Iterable[BaseRoute], resources: Resources) -> Json:
    """Return the OpenAPI document of these routes; `resources` are those that the examples are answered with."""
    found = _routes(routes)
    types: list[Any] = [Problem]
    for _, handler in found:
        operation: Operation = handler.opt[OPERATION]
        types.append(operation.schema)
        if operation.body:
            types.append(operation.body.schema)
        if stream := handler.opt.get(STREAM):
            types += [stream.line, stream.takes] if stream.takes else [stream.line]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    schema_of = dict(zip(map(id, types), schemas, strict=True))
    paths: dict[str, Json] = {}
    for path, handler in found:
        paths.setdefault(path, {}).update(_path_item(handler, schema_of, resources))
    return {
        "openapi": "3.1.0",
        "info": {"title": "Thirty-One Adjudicator", "version": VERSION, "description": _ABOUT},
        "servers": [{"url": "/", "description": "This service."}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {"schemas": dict(sorted(components.items())), "securitySchemes": _KEY},
    }


def as_published(found: Json) -> bytes:
    """Return the document as it is served, and kept in the repository: indented, for reading and comparing."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def _routes(routes: Iterable[BaseRoute]) -> list[tuple[str, BaseRouteHandler]]:
    """Return the path and the handler of every route that carries an operation, by path."""
    found = []
    for route in routes:
        handlers: Sequence[BaseRouteHandler] = ()
        if isinstance(route, ASGIRoute):
            handlers = (route.route_handler,)
        elif isinstance(route, HTTPRoute):
            handlers = route.route_handlers
        path = re.sub(r":\w+}", "}", route.path_format)
        found += [(path, handler) for handler in handlers if OPERATION in handler.opt]
    return sorted(found, key=lambda each: each[0])


def _path_item(handler: BaseRouteHandler, schema_of: Mapping[int, Json], resources: Resources) -> Json:
    """Return what the handler answers, by method."""
    operation: Operation = handler.opt[OPERATION]
    common: Json = {
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [*map(_path_parameter, operation.path), *map(_query_parameter, operation.query)],
        "security": [{}, {"key": []}] if operation.needs else [],
    }
    schema = schema_of[id(operation.schema)]
    answers = _answers(handler, resources)
    item = common | {"operationId": operation.id, "responses": _responses(operation, schema, answers)}
    if operation.body:
        content = _content(schema_of[id(operation.body.schema)], operation.examples)
        item["requestBody"] = {"required": True, "description": "The question.", "content": content}
    if stream := handler.opt.get(STREAM):
        item["responses"]["200"]["content"] |= _lines(schema_of[id(stream.line)])
        if stream.takes:
            item["requestBody"]["content"] |= _lines(schema_of[id(stream.takes)])
    method = _method(handler)
    if method != "get":
        return {method: item}
    head = common | {"operationId": f"{operation.id}Head", "responses": _head_responses(operation)}
    return {"get": item, "head": head}


def _method(handler: BaseRouteHandler) -> str:
    """Return the method that a handler is for; of a bare ASGI one it is POST."""
    methods = handler.http_methods if isinstance(handler, HTTPRouteHandler) else {"POST"}
    return min(methods).lower()


def _answers(handler: BaseRouteHandler, resources: Resources) -> dict[str, Any]:
    """Return what the service answers to the examples of an operation, by name."""
    operation: Operation = handler.opt[OPERATION]
    respond = handler.opt[RESPOND]
    path = {parameter.name: parameter.example for parameter in operation.path}
    query = {parameter.name: parameter.standard for parameter in operation.query}
    if operation.schema is None or operation.writes:
        return {}
    if not operation.body:
        shown = respond(path, query) if handler.opt.get(CONSTANT) else respond(Call(None, query, resources, path=path))
        return {"shown": shown.value}
    written_in = FORMATS[JSON]
    bodies = {
        name: operation.body.decode(written_in.encode(body), written_in) for name, body in operation.examples.items()
    }
    return {name: respond(Call(body, query, resources, path=path)).value for name, body in bodies.items()}


def _responses(operation: Operation, schema: Json, answers: Mapping[str, Any]) -> Json:
    success: Json = {"description": operation.answer, "headers": _HEADERS}
    if operation.schema is None:
        return {"204": success} | _problem_responses(operation)
    success["content"] = _written(operation, schema) if operation.writes else _content(schema, answers)
    created = {
        "201": success | {"description": f"{operation.answer} Its replay is new.", "headers": _HEADERS | _LOCATION}
    }
    return {"200": success} | (created if operation.created else {}) | _problem_responses(operation)


def _head_responses(operation: Operation) -> Json:
    problems = {status: dict(response) for status, response in _problem_responses(operation).items()}
    for response in problems.values():
        response.pop("content")
    return {"200": {"description": operation.answer, "headers": _HEADERS}} | problems


def _problem_responses(operation: Operation) -> Json:
    kinds = [
        *operation.problems,
        *_OF_ANY,
        *(_OF_BODY if operation.body else ()),
        *(_OF_GATE if operation.needs else ()),
    ]
    responses: Json = {}
    for status in sorted({kind.status for kind in kinds}):
        titles = [kind.title for kind in PROBLEM_TYPES if kind in kinds and kind.status == status]
        responses[str(status)] = {
            "description": "; or: ".join(titles) + ".",
            "headers": _HEADERS,
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return responses


def _path_parameter(parameter: PathParameter) -> Json:
    schema = {"type": "string", "maxLength": 64} | ({"pattern": parameter.pattern} if parameter.pattern else {})
    return {
        "name": parameter.name,
        "in": "path",
        "required": True,
        "description": parameter.description,
        "schema": schema,
        "example": parameter.example,
    }


def _query_parameter(parameter: Parameter) -> Json:
    words = get_args(parameter.type) if get_origin(parameter.type) is Literal else ()
    schema: Json = {"type": "string", "enum": list(words)} if words else msgspec.json.schema(parameter.type)
    if parameter.standard is not None:
        schema["default"] = parameter.standard
    return {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": schema,
    }


def _lines(schema: Json) -> Json:
    """Return that a body may be written line by line, where the schema is that of a line."""
    return {LINES.media_type: {"schema": schema | {"description": "What each line is, by itself."}}}


def _written(operation: Operation, schema: Json) -> Json:
    """Return what an answer may be written in that the operation writes itself; a PDF is no text with a schema."""
    return {name: {} if name == PDF else {"schema": schema} for name in operation.writes}


def _content(schema: Json, examples: Mapping[str, Any]) -> Json:
    """Return what a body may be written in; the examples are shown as JSON only."""
    shown = {name: {"value": msgspec.to_builtins(value)} for name, value in examples.items()}
    return {name: {"schema": schema} for name in FORMATS} | {JSON: {"schema": schema, "examples": shown}}
