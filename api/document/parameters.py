"""Parameters: what is asked in an address, as the document tells it."""

from typing import Any, get_args

from api.document.components import Components
from api.document.headers import Json
from api.operations import Operation, Parameter, PathParameter

_SWITCH = {"true", "false"}
_LONGEST = 64
"""Characters of a word in an address at the most; the longest are the ids of replays."""


def parameters(operation: Operation, components: Components) -> list[Json]:
    """Return the parameters of an operation, those in the path first."""
    return [
        *(_in_path(parameter) for parameter in operation.path),
        *(_in_query(parameter, components) for parameter in operation.query),
    ]


def _in_path(parameter: PathParameter) -> Json:
    schema = {"type": "string", "minLength": 1, "maxLength": _LONGEST}
    return {
        "name": parameter.name,
        "in": "path",
        "required": True,
        "description": parameter.description,
        "schema": schema | ({"pattern": parameter.pattern} if parameter.pattern else {}),
        "example": parameter.example,
    }


def _in_query(parameter: Parameter, components: Components) -> Json:
    """Return a query parameter; one of `true` and `false` is a switch, since an address has no other way to say so."""
    is_switch = set(get_args(parameter.type)) == _SWITCH
    schema = {"type": "boolean"} if is_switch else components.of(parameter.type)
    standard: Any = parameter.standard == "true" if is_switch else parameter.standard
    if standard is not None:
        schema = schema | {"default": standard}
    return {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": schema,
        "example": standard if parameter.example is None else parameter.example,
    }
