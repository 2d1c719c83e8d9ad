"""Operations: what the service can be asked, and what it answers, as the OpenAPI document tells it."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from msgspec import Struct

from api.body import Body
from api.media import Format
from api.problems import BAD_PARAMETER, Fault, FieldError, ProblemType

T = TypeVar("T")


class Parameter(Struct, frozen=True):
    """A query parameter with a closed list of values."""

    name: str
    description: str
    values: tuple[str, ...]
    standard: str

    def read(self, value: str) -> str:
        """Return the value given; raise a 400 fault if it is not one of the list."""
        if value not in self.values:
            detail = f"`{self.name}` is one of {', '.join(self.values)}, not `{value[:64]}`."
            raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter=self.name))
        return value


class PathParameter(Struct, frozen=True):
    """A parameter in the path, with a value that it may have."""

    name: str
    description: str
    example: str


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
    slow: bool = False
    """Whether answering can take so long that it must not hold the event loop."""


class Answer(Struct):
    """What an operation answers with; `log` holds fields for the request's log line."""

    value: Any
    log: dict[str, object] = {}


class Call(Struct, Generic[T]):
    """A request as an operation sees it: the decoded body, and the value of every query parameter."""

    body: T
    query: Mapping[str, str]
    written_in: Format


Respond = Callable[[Call[Any]], Answer]


@lru_cache(maxsize=64)
def read_query(query_string: bytes, parameters: tuple[Parameter, ...]) -> Mapping[str, str]:
    """Return the value of each parameter, given or standard; raise a 400 fault for one not understood."""
    values: dict[str, str] = {}
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
