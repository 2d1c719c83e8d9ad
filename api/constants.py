"""Constants: answers that never change while the service runs, encoded once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from litestar import Request, Response

from api.compression import WORTHWHILE, Coding, coding_for
from api.etags import headers_of, is_held
from api.media import FORMATS, answer_format
from api.problems import NOT_FOUND, Fault

_Written = tuple[bytes, Mapping[str, str]]
"""An answer as it is sent, and the headers that describe it."""


class Constant:
    """A value that never changes while the service runs, encoded once, with a strong ETag for each way to write it."""

    def __init__(
        self,
        value: object,
        encoded: Mapping[str, bytes] | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Encode the value in every format, unless it is given encoded, by media type; answers get the headers."""
        self.value = value
        self._headers = {"Vary": "Accept, Accept-Encoding", "Cache-Control": "no-cache", **headers}
        encoded = encoded or {name: written.encode(value) for name, written in FORMATS.items()}
        self._formats = tuple(encoded)
        self._written: dict[tuple[str, Coding | None], _Written] = {
            (name, None): (content, headers_of(content)) for name, content in encoded.items()
        }

    def answer(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Return the value in the format that the request likes best, or 304 if the client has it already."""
        accept = ",".join(request.headers.getall("accept", [])).encode("latin-1")
        name = answer_format(accept, self._formats).media_type
        content, described = self._as(name, ",".join(request.headers.getall("accept-encoding", [])))
        headers = {**self._headers, **described}
        held = ",".join(request.headers.getall("if-none-match", []))
        if is_held(headers["ETag"], held):
            return Response(b"", status_code=304, headers=headers)
        return Response(content, media_type=name, headers=headers)

    def _as(self, name: str, accept_encoding: str) -> _Written:
        """Return the value in a format, compressed if it is large and the client likes that; it is kept so."""
        plain = self._written[name, None]
        coding = coding_for(accept_encoding.encode("latin-1")) if len(plain[0]) >= WORTHWHILE else None
        if (name, coding) not in self._written and coding:
            content = coding.begin().last(plain[0])
            self._written[name, coding] = (content, {**headers_of(content), "Content-Encoding": coding.name})
        return self._written[name, coding]


def known(constants: Mapping[str, Constant], name: str, what: str) -> Constant:
    """Return the constant of a name; raise a 404 fault that lists the names there are."""
    if name not in constants:
        raise Fault(NOT_FOUND, f"There is no {what} with that name. There are: {', '.join(constants)}.")
    return constants[name]
