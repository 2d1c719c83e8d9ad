"""Problem responses: for each status what it may mean, with an example of each."""

from collections.abc import Iterable
from typing import Any

import msgspec

from api.document.components import REF
from api.document.headers import Json, headers, headers_of
from api.media import FORMATS
from api.operations import Operation
from api.problems import (
    BAD_PARAMETER,
    CRASHED,
    FORBIDDEN,
    HEAD_TOO_LARGE,
    INCOMPATIBLE_ANSWERS,
    INVALID,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    NOT_DECODABLE,
    NOT_FOUND,
    OVERLOADED,
    PROBLEM_JSON,
    PROBLEM_TYPES,
    TOO_LARGE,
    TOO_MANY_REQUESTS,
    TOO_SLOW,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
    FieldError,
    Problem,
    ProblemType,
)

_OF_ANY = (BAD_PARAMETER, METHOD_NOT_ALLOWED, TOO_SLOW, HEAD_TOO_LARGE, CRASHED, OVERLOADED)
_OF_GATE = (UNAUTHENTICATED, FORBIDDEN, TOO_MANY_REQUESTS)
_OF_BODY = (NOT_DECODABLE, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE)
_FORMATS = ", ".join(FORMATS)
_REQUEST = "01JD7Q3V5Z8M"
"""The request id of every example."""


class ProblemResponses:
    """The problem responses of all operations: those that several share are components."""

    def __init__(self) -> None:
        self.components: dict[str, Json] = {}
        """The responses that operations refer to, by name."""

    def of(self, operation: Operation, *, to_head: bool = False) -> Json:
        """Return the problem responses of an operation, by status; those to HEAD have no content."""
        limited = operation.needs is not None
        responses: Json = {}
        for status, kinds in _by_status(operation):
            response = _response(kinds, limited=limited)
            if to_head:
                del response["content"]
            if limited:
                name = "Or".join(kind.slug.title().replace("-", "") for kind in kinds) + ("ToHead" if to_head else "")
                self.components[name] = response
                response = {"$ref": f"#/components/responses/{name}"}
            responses[status] = response
        return responses


def _by_status(operation: Operation) -> list[tuple[str, list[ProblemType]]]:
    """Return the kinds of problem that an operation may be answered with, by status."""
    kinds = {
        *operation.problems,
        *_OF_ANY,
        *((NOT_ACCEPTABLE,) if operation.negotiates else ()),
        *(_OF_BODY if operation.body else ()),
        *(_OF_GATE if operation.needs else ()),
    }
    statuses = sorted({kind.status for kind in kinds})
    return [
        (str(status), [kind for kind in PROBLEM_TYPES if kind in kinds and kind.status == status])
        for status in statuses
    ]


def _response(kinds: list[ProblemType], *, limited: bool) -> Json:
    content = {"schema": {"$ref": REF.format(name="Problem")}, "examples": _examples(kinds)}
    return {
        "description": _meaning(kinds),
        "headers": headers(*headers_of(kinds), limited=limited),
        "content": {PROBLEM_JSON: content},
    }


def _meaning(kinds: Iterable[ProblemType]) -> str:
    return "; or: ".join(kind.title for kind in kinds) + "."


def _examples(kinds: Iterable[ProblemType]) -> Json:
    return {kind.slug: {"summary": kind.title, "value": _example(kind)} for kind in kinds}


def _example(kind: ProblemType) -> Any:  # noqa: ANN401 - JSON
    """Return a problem of a kind; of one for which no example is told, its explanation stands for what happened."""
    detail, where = _HAPPENED.get(kind, (kind.explanation, {}))
    errors = (FieldError(detail=detail, **where),) if where else ()
    return msgspec.to_builtins(Problem(kind.uri, kind.title, kind.status, detail, errors, _REQUEST))


_HAPPENED: dict[ProblemType, tuple[str, dict[str, Any]]] = {
    NOT_DECODABLE: ("The body is empty.", {}),
    BAD_PARAMETER: (
        "`store` cannot be `yes`: it is one of true, false.",
        {"parameter": "store"},
    ),
    UNAUTHENTICATED: ("The service asks for a key; send it as `Authorization: Bearer` and the key.", {}),
    FORBIDDEN: ("The key does not have the scope `write`, which this request needs.", {}),
    NOT_FOUND: ("There is no replay with this id.", {}),
    METHOD_NOT_ALLOWED: ("PUT is not a method of this address.", {}),
    NOT_ACCEPTABLE: (
        f"The answer is written in one of: {_FORMATS}.",
        {},
    ),
    TOO_LARGE: ("The body is larger than 1,000,000 bytes.", {}),
    UNSUPPORTED_MEDIA_TYPE: (
        f"A body cannot be `text/xml`; it must be one of: {_FORMATS}.",
        {},
    ),
    INVALID: (
        "Object missing required field `hand` at /hand.",
        {"pointer": "/hand"},
    ),
    INCOMPATIBLE_ANSWERS: (
        "`loss_beyond_lives: county` needs `county` to be `all`, but it is `none`.",
        {"pointer": "/rules/changes/loss_beyond_lives"},
    ),
    TOO_MANY_REQUESTS: ("The limit is 100 in 60 seconds; try again in 17.", {}),
    CRASHED: ("The service failed. Please report the request id.", {}),
}
