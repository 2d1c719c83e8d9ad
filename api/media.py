"""Media types: what a body may be written in, and what an answer is best written in."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
from litestar.datastructures.headers import Accept
from msgspec import Struct

from api.bounds import LIMITS
from api.problems import NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE, Fault

JSON = "application/json"
MESSAGEPACK = ("application/x-msgpack", "application/vnd.msgpack", "application/msgpack")
"""The names that MessagePack goes by, the most usual first."""


HTML = "text/html"
MARKDOWN = "text/markdown"
PDF = "application/pdf"
LINKSET = "application/linkset+json"
"""Links between addresses (RFC 9264)."""
STYLE = "text/css"
SCRIPT = "text/javascript"
PICTURE = "image/svg+xml"
FIGURES = "text/plain"


class Format(Struct, frozen=True):
    """A way to write values as bytes, under a media type."""

    media_type: str
    encode: Callable[[Any], bytes]
    packed: bool
    """Whether it is MessagePack, not JSON."""
    parameters: str = ""
    """What `Content-Type` says besides the media type."""
    compressible: bool = True
    """Whether it gets shorter when it is compressed."""
    small: int = LIMITS.small_body
    """Bytes of a body that are read in the event loop where that is quick."""

    @property
    def content_type(self) -> str:
        """Return the value of `Content-Type`."""
        return self.media_type + self.parameters


FORMATS = {JSON: Format(JSON, msgspec.json.Encoder().encode, packed=False)} | {
    name: Format(name, msgspec.msgpack.Encoder().encode, packed=True) for name in MESSAGEPACK
}
NOTATION = Format("text/vnd.thirty-one", bytes, packed=False, parameters="; charset=utf-8", small=LIMITS.small_text)
"""The text notation of a hand, for the operations that have it. What it encodes is the text itself, as bytes."""
LINES = Format("application/x-ndjson", lambda value: msgspec.json.encode(value) + b"\n", packed=False)
"""Newline-delimited JSON, for the operations that have streams. What it encodes is one line, with its end."""

WITH_NOTATION = (*FORMATS, NOTATION.media_type)
"""The media types of what may be a hand in the text notation too."""

_DOCUMENTS = {
    HTML: Format(HTML, bytes, packed=False, parameters="; charset=utf-8"),
    MARKDOWN: Format(MARKDOWN, bytes, packed=False, parameters="; charset=utf-8; variant=GFM"),
    PDF: Format(PDF, bytes, packed=False, compressible=False),
    FIGURES: Format(FIGURES, bytes, packed=False, parameters="; version=0.0.4; charset=utf-8"),
    **{name: Format(name, bytes, packed=False) for name in (LINKSET, STYLE, SCRIPT, PICTURE)},
}
"""Formats of what operations write themselves; what these are given are the bytes."""
_BY_NAME = {**FORMATS, LINES.media_type: LINES, NOTATION.media_type: NOTATION, **_DOCUMENTS}


_CHARSETS = frozenset({"utf-8", "utf8", "us-ascii"})
"""What a text is encoded in that is UTF-8."""
_PARAMETER = re.compile(
    r';\s*+(?P<name>[^\s=;"]*+)\s*+=\s*+(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^;]*+))', re.DOTALL
)
"""A parameter of a media type. The value may be between quotation marks, and then have anything in it."""
_QUOTED = re.compile(r"\\(.)")
_REFUSED = re.compile(r";\s*q\s*=\s*0(\.0*)?\s*(;|$)", re.IGNORECASE)
"""A media range that is not wanted at all; Litestar's matching would take it as a last resort."""


@lru_cache(maxsize=64)
def body_format(content_type: bytes, content_encoding: bytes, taken: tuple[str, ...] = tuple(FORMATS)) -> Format:
    """Return the format of a body; raise a 415 fault for any but those that are taken.

    A text in the notation is UTF-8, whatever else somebody believes who wrote it; JSON, too, but by its own definition.
    """
    if content_encoding.lower() not in (b"", b"identity"):
        raise Fault(
            UNSUPPORTED_MEDIA_TYPE,
            "The body has a content encoding; send it as it is.",
            headers={"Accept-Encoding": "identity"},
        )
    said = content_type.decode("latin-1")
    name = said.partition(";")[0].strip().lower()
    if name not in taken:
        given = f"A body cannot be `{name[:64]}`" if name else "The request has no `Content-Type`"
        raise Fault(
            UNSUPPORTED_MEDIA_TYPE,
            f"{given}; it must be one of: {', '.join(taken)}.",
            headers={"Accept": ", ".join(taken)},
        )
    if name == NOTATION.media_type and (others := [each for each in _charsets(said) if each not in _CHARSETS]):
        raise Fault(
            UNSUPPORTED_MEDIA_TYPE,
            f"A text in the notation cannot be in `{others[0][:64]}`; it must be in UTF-8.",
            headers={"Accept": ", ".join(taken)},
        )
    return _BY_NAME[name]


def _charsets(content_type: str) -> list[str]:
    """Return what a `Content-Type` says of the encoding of its text, in small letters."""
    charsets = [each for each in _PARAMETER.finditer(content_type) if each["name"].lower() == "charset"]
    values = [_QUOTED.sub(r"\1", each["quoted"] or "") or (each["plain"] or "").strip() for each in charsets]
    return [each.lower() for each in values]


@lru_cache(maxsize=64)
def answer_format(accept: bytes, offered: tuple[str, ...] = tuple(FORMATS)) -> Format:
    """Return the format on offer that an `Accept` header likes best; raise a 406 fault if it likes none."""
    if not accept:
        return _BY_NAME[offered[0]]
    parts = accept.decode("latin-1").split(",")
    wanted = [part for part in parts if not _REFUSED.search(part)]
    refused = {part.partition(";")[0].strip().lower() for part in parts if _REFUSED.search(part)}
    left = [name for name in offered if name not in refused]
    try:
        name = Accept(",".join(wanted)).best_match(left) if wanted and left else None
    except (ValueError, OverflowError):  # a quality that is no number, or an infinite one
        name = None
    if name is None:
        detail = f"The answer is written in one of: {', '.join(offered)}."
        raise Fault(NOT_ACCEPTABLE, detail, headers={"Vary": "Accept"})
    return _BY_NAME[name]
