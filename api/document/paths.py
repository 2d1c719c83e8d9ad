"""Paths: what the service can be asked under each address."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.routes import ASGIRoute, BaseRoute, HTTPRoute

from api.document.bodies import content, lines, notation, question, written
from api.document.components import Components
from api.document.headers import Json, headers
from api.document.parameters import parameters
from api.document.problems import ProblemResponses
from api.examples import NOTATED
from api.media import FORMATS, JSON, NOTATION
from api.operations import Call, Operation
from api.resources import Resources
from api.routes import CONSTANT, OPERATION, RESPOND, STREAM

Found = tuple[str, BaseRouteHandler]


def documented(routes: Iterable[BaseRoute]) -> list[Found]:
    """Return the path and the handler of every route that carries an operation, by path."""
    found: list[Found] = []
    for route in routes:
        handlers: Sequence[BaseRouteHandler] = ()
        if isinstance(route, ASGIRoute):
            handlers = (route.route_handler,)
        elif isinstance(route, HTTPRoute):
            handlers = route.route_handlers
        path = re.sub(r":\w+}", "}", route.path_format)
        found += [(path, handler) for handler in handlers if OPERATION in handler.opt]
    return sorted(found, key=lambda each: each[0])


class Paths:
    """The path items of the document. `resources` are those that the examples are answered with."""

    def __init__(self, components: Components, problems: ProblemResponses, resources: Resources) -> None:
        self._components = components
        self._problems = problems
        self._resources = resources

    def item(self, handler: BaseRouteHandler) -> Json:
        """Return what a handler answers, by method."""
        operation: Operation = handler.opt[OPERATION]
        common: Json = {
            "tags": [operation.tag],
            "summary": operation.summary,
            "description": operation.description,
            "parameters": parameters(operation, self._components),
            **({} if operation.needs else {"security": []}),
        }
        item = common | {"operationId": operation.id, "responses": self._responses(handler)}
        if operation.body:
            item["requestBody"] = question(
                self._components.of(operation.body.schema), operation.examples, operation.body.takes
            )
        if stream := handler.opt.get(STREAM):
            takes = self._components.of(stream.takes) if stream.takes else None
            item["x-lines"] = lines(self._components.spelled_out(stream.line), takes)
        if text := self._notation(handler):
            item["x-notation"] = text
        method = _method(handler)
        if method != "get":
            return {method: item}
        head = common | {
            "description": "The same as GET, without the content.",
            "operationId": f"{operation.id}Head",
            "responses": self._responses_to_head(operation),
        }
        return {"get": item, "head": head}

    def _notation(self, handler: BaseRouteHandler) -> Json | None:
        """Return what of an operation can be text in the notation of a hand; None if nothing can."""
        operation: Operation = handler.opt[OPERATION]
        takes = NOTATED if operation.body and NOTATION.media_type in operation.body.takes else None
        answers = _text(handler, self._resources) if NOTATION.media_type in operation.writes else None
        return notation(takes, answers) if takes or answers else None

    def _responses(self, handler: BaseRouteHandler) -> Json:
        operation: Operation = handler.opt[OPERATION]
        limited = operation.needs is not None
        kept = ("Location",) if operation.created else ()
        success: Json = {"description": operation.answer, "headers": headers(*kept, limited=limited)}
        problems = self._problems.of(operation)
        if operation.schema is None:
            return {"204": success} | problems
        if operation.writes and JSON not in operation.writes:
            success["content"] = written(operation)
            return {"200": success} | problems
        schema, answers = self._components.of(operation.schema), _answers(handler, self._resources)
        is_list = bool(handler.opt.get(CONSTANT)) and not operation.path
        success["content"] = content(schema, answers, cut=is_list)
        if not operation.created:
            return {"200": success} | problems
        created = {
            "description": f"{operation.answer} Its replay is new.",
            "content": content(schema, dict([*answers.items()][:1])),
        }
        return {"200": success, "201": success | created} | problems

    def _responses_to_head(self, operation: Operation) -> Json:
        success = {"description": operation.answer, "headers": headers(limited=operation.needs is not None)}
        return {"200": success} | self._problems.of(operation, to_head=True)


def _method(handler: BaseRouteHandler) -> str:
    """Return the method that a handler is for; of a bare ASGI one it is POST."""
    methods = handler.http_methods if isinstance(handler, HTTPRouteHandler) else {"POST"}
    return min(methods).lower()


def _text(handler: BaseRouteHandler, resources: Resources) -> str:
    """Return what the service answers in the text notation, where it does."""
    path = {parameter.name: parameter.example for parameter in handler.opt[OPERATION].path}
    text: bytes = handler.opt[RESPOND](Call(None, {}, resources, path=path, answer_in=NOTATION.media_type)).value
    return text.decode()


def _answers(handler: BaseRouteHandler, resources: Resources) -> Mapping[str, Any]:
    """Return what the service answers to the examples of an operation, by name."""
    operation: Operation = handler.opt[OPERATION]
    respond = handler.opt[RESPOND]
    path = {parameter.name: parameter.example for parameter in operation.path}
    query = {parameter.name: parameter.standard for parameter in operation.query}
    if not operation.body:
        shown = respond(path, query) if handler.opt.get(CONSTANT) else respond(Call(None, query, resources, path=path))
        return {"shown": shown.value}
    written_in = FORMATS[JSON]
    bodies = {
        name: operation.body.decode(written_in.encode(body), written_in) for name, body in operation.examples.items()
    }
    return {name: respond(Call(body, query, resources, path=path)).value for name, body in bodies.items()}
