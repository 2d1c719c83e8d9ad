"""The OpenAPI 3.1 document: paths from the routes and their operations, components from the Structs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from litestar.handlers.base import BaseRouteHandler
from litestar.routes import ASGIRoute, BaseRoute, HTTPRoute

from api.body import Body
from api.media import FORMATS, JSON
from api.operations import Call, Operation, Parameter, PathParameter, Respond
from api.problems import (
    BAD_PARAMETER,
    CRASHED,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    NOT_DECODABLE,
    PROBLEM_JSON,
    PROBLEM_TYPES,
    TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
)
from api.routes import OPERATION, RESPOND
from engine import VERSION

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_OF_ANY = (BAD_PARAMETER, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, CRASHED)
_OF_BODY = (NOT_DECODABLE, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE)
_HEADERS = {
    "X-Request-ID": {
        "description": "The id of the request: the one sent, if it is short and plain, or a new one.",
        "schema": {"type": "string", "maxLength": 64},
    }
}
_TAGS = {
    "Rulings": "A hand in, a ruling out.",
    "Rules": "The rule options, presets and rules that rulings are made by.",
    "Service": "The service itself.",
}
_ABOUT = (
    "The referee for the card game Thirty-One (31, Scat, Blitz). Post the record of a hand and a rule set, and "
    "get what each hand was worth, who loses which lives, and which rule says so.\n\n"
    "Bodies and answers are JSON or MessagePack, by `Content-Type` and `Accept`. Whole numbers are written "
    "without a fraction (`3`, not `3.0`); of a key that is repeated in an object the last one counts. Every "
    "failure is a problem document (RFC 9457), and every response carries `X-Request-ID`."
)


def document(routes: Iterable[BaseRoute]) -> Json:
    """Return the OpenAPI document of these routes."""
    found = _routes(routes)
    types: list[Any] = [Problem]
    for _, handler in found:
        operation: Operation = handler.opt[OPERATION]
        types.append(operation.schema)
        if operation.body:
            types.append(operation.body.schema)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    schema_of = dict(zip(map(id, types), schemas, strict=True))
    return {
        "openapi": "3.1.0",
        "info": {"title": "Thirty-One Adjudicator", "version": VERSION, "description": _ABOUT},
        "servers": [{"url": "/", "description": "This service."}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": {path: _path_item(handler, schema_of) for path, handler in found},
        "components": {"schemas": dict(sorted(components.items()))},
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


def _path_item(handler: BaseRouteHandler, schema_of: Mapping[int, Json]) -> Json:
    operation: Operation = handler.opt[OPERATION]
    respond = handler.opt[RESPOND]
    common: Json = {
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [*map(_path_parameter, operation.path), *map(_query_parameter, operation.query)],
    }
    schema = schema_of[id(operation.schema)]
    query = {parameter.name: parameter.standard for parameter in operation.query}
    if operation.body is None:
        path = {parameter.name: parameter.example for parameter in operation.path}
        answers = {"shown": respond(path, query).value}
        item = common | {"operationId": operation.id, "responses": _responses(operation, schema, answers)}
        head = common | {"operationId": f"{operation.id}Head", "responses": _head_responses(operation)}
        return {"get": item, "head": head}
    answers = {name: _answer_of(operation.body, respond, shown, query) for name, shown in operation.examples.items()}
    content = _content(schema_of[id(operation.body.schema)], operation.examples)
    body = {"required": True, "description": "The question.", "content": content}
    responses = _responses(operation, schema, answers)
    return {"post": common | {"operationId": operation.id, "requestBody": body, "responses": responses}}


def _answer_of(body: Body[Any], respond: Respond, shown: Any, query: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON value
    """Return what the service answers to an example."""
    written_in = FORMATS[JSON]
    value = body.decode(written_in.encode(shown), written_in)
    return respond(Call(value, query, written_in)).value


def _responses(operation: Operation, schema: Json, answers: Mapping[str, Any]) -> Json:
    content = _content(schema, answers)
    success = {"description": operation.answer, "headers": _HEADERS, "content": content}
    return {"200": success} | _problem_responses(operation)


def _head_responses(operation: Operation) -> Json:
    problems = {status: dict(response) for status, response in _problem_responses(operation).items()}
    for response in problems.values():
        response.pop("content")
    return {"200": {"description": operation.answer, "headers": _HEADERS}} | problems


def _problem_responses(operation: Operation) -> Json:
    kinds = [*operation.problems, *_OF_ANY, *(_OF_BODY if operation.body else ())]
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
    schema = {"type": "string", "maxLength": 64}
    return {
        "name": parameter.name,
        "in": "path",
        "required": True,
        "description": parameter.description,
        "schema": schema,
        "example": parameter.example,
    }


def _query_parameter(parameter: Parameter) -> Json:
    schema = {"type": "string", "enum": list(parameter.values), "default": parameter.standard}
    return {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": schema,
    }


def _content(schema: Json, examples: Mapping[str, Any]) -> Json:
    """Return what a body may be written in; the examples are shown as JSON only."""
    shown = {name: {"value": msgspec.to_builtins(value)} for name, value in examples.items()}
    return {name: {"schema": schema} for name in FORMATS} | {JSON: {"schema": schema, "examples": shown}}
