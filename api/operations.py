"""Operations: what the service can be asked, and what it answers, as the OpenAPI document tells it."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from api.body import Body
from api.keys import Scope
from api.lanes import LaneName
from api.media import FORMATS, JSON, Format
from api.problems import BAD_PARAMETER, Fault, FieldError, ProblemType
from api.resources import Resources
from replays.records import Record

T = TypeVar("T")


class Parameter(Struct, frozen=True, eq=False):
    """A query parameter; it is like no other, so that `read_query` soon finds it."""

    name: str
    description: str
    type: Any
    """The type of its values: a `Literal` of words, or a type that a word can be read as."""
    standard: str | int | None = None
    """The value where none is given."""
    is_number: bool = False
    """Whether a word stands for a number."""
    example: str | int | None = None
    """A value to show, where there is no standard one."""

    def read(self, value: str) -> Any:  # noqa: ANN401 - of the parameter's type
        """Return the value given, as the parameter's type; raise a 400 fault if it is none of its values."""
        given = int(value) if self.is_number and re.fullmatch("[0-9]{1,18}", value) else value
        try:
            return msgspec.convert(given, self.type)
        except msgspec.ValidationError as error:
            is_closed = get_origin(self.type) is Literal
            why = f"it is one of {', '.join(get_args(self.type))}" if is_closed else str(error)
            if self.is_number and given is value:
                why = "it is a whole number"
            detail = f"`{self.name}` cannot be `{value[:64]}`: {why}."
            raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=self.name)) from None


class PathParameter(Struct, frozen=True):
    """A parameter in the path, with a value that it may have."""

    name: str
    description: str
    example: str
    pattern: str = ""


class Operation(Struct, frozen=True, kw_only=True):
    """One thing that the service does, as the OpenAPI document tells it."""

    id: str
    tag: str
    summary: str
    description: str
    answer: str
    """What the answer is, in a phrase."""
    schema: Any
    """The type of the answer."""
    body: Body[Any] | None = None
    path: tuple[PathParameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    problems: tuple[ProblemType, ...] = ()
    examples: Mapping[str, Any] = {}
    """Request bodies by name, as JSON values; the document shows them with their answers."""
    needs: Scope | None = "read"
    """What a key must be good for, where keys are asked for; None if the gate stands open. Keeping needs `write`."""
    created: bool = False
    """Whether the status is 201 when a replay is new."""
    slow: bool = False
    """Whether answering can take so long that it must not hold the event loop."""
    lane: LaneName = "long"
    """Whose threads answer if it is slow, or the body large."""
    writes: tuple[str, ...] = ()
    """The media types of the answer, the usual one first, if the operation itself writes it in any of them, as bytes;
    none if the answer is always a value."""
    named: bool = False
    """Whether the address names the format, so that `Accept` is not asked."""

    @property
    def negotiates(self) -> bool:
        """Return whether the answer is written in what `Accept` likes best."""
        return self.schema is not None and not self.named


class Answer(Struct):
    """What an operation answers with."""

    value: Any = None
    """What is sent, in the format that the client likes best; nothing is sent with a status of 204."""
    log: dict[str, object] = {}
    """Fields for the request's log line."""
    status: int = 200
    headers: Mapping[str, str] = {}
    keep: Sequence[Record] = ()
    """Replays that must be on disk before the answer is sent."""
    tagged: bool = False
    """Whether it gets a strong `ETag`, and a 304 where the client has it already."""
    location: str = ""
    """Where the first replay of `keep` is found; the status is 201 if it is new."""


class Call(Struct, Generic[T]):
    """A request as an operation sees it: the decoded body, and the value of every parameter."""

    body: T
    query: Mapping[str, Any]
    resources: Resources
    written_in: Format = FORMATS[JSON]
    """The format of the body."""
    path: Mapping[str, str] = {}
    answer_in: str = JSON
    """The media type that the client likes best for the answer."""


Respond = Callable[[Call[Any]], Answer]


@lru_cache(maxsize=64)
def read_query(query_string: bytes, parameters: tuple[Parameter, ...]) -> Mapping[str, Any]:
    """Return the value of each parameter, given or standard; raise a 400 fault for one not understood."""
    values: dict[str, Any] = {}
    if query_string:
        known = {parameter.name: parameter for parameter in parameters}
        for name, value in parse_qsl(query_string.decode("latin-1"), keep_blank_values=True):
            if name not in known:
                detail = f"`{name[:64]}` is not a parameter of this address."
                raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=name[:64]))
            if name in values:
                detail = f"`{name}` is given twice."
                raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=name))
            values[name] = known[name].read(value)
    return MappingProxyType({parameter.name: parameter.standard for parameter in parameters} | values)


def scope_needed(operation: Operation, query: Mapping[str, Any]) -> Scope | None:
    """Return what a key must be good for in a request: `write` if it is to keep replays."""
    return "write" if query.get("store") == "true" else operation.needs
