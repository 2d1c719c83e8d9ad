"""Constants: answers that never change while the service runs, encoded once."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response

from api.etags import etag_of, is_held
from api.media import FORMATS, answer_format
from api.problems import NOT_FOUND, Fault


class Constant:
    """A value that never changes while the service runs, encoded once, with a strong ETag for each format."""

    def __init__(self, value: object, encoded: Mapping[str, bytes] | None = None) -> None:
        """Encode the value in every format, unless it is given encoded, by media type."""
        self.value = value
        self._encoded = encoded or {name: written.encode(value) for name, written in FORMATS.items()}
        self._etags = {name: etag_of(content) for name, content in self._encoded.items()}

    def answer(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Return the value in the format that the request likes best, or 304 if the client has it already."""
        accept = ",".join(request.headers.getall("accept", [])).encode("latin-1")
        name = answer_format(accept, tuple(self._encoded)).media_type
        headers = {"ETag": self._etags[name], "Vary": "Accept", "Cache-Control": "no-cache"}
        held = request.headers.get("if-none-match", "")
        if is_held(self._etags[name], held):
            return Response(b"", status_code=304, headers=headers)
        return Response(self._encoded[name], media_type=name, headers=headers)


def known(constants: Mapping[str, Constant], name: str, what: str) -> Constant:
    """Return the constant of a name; raise a 404 fault that lists the names there are."""
    if name not in constants:
        raise Fault(NOT_FOUND, f"There is no {what} with that name. There are: {', '.join(constants)}.")
    return constants[name]
