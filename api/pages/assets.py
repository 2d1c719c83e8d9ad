"""The files that pages ask for: our own, the cards, and those of Swagger UI, which the package offapi carries.

The address of a file names its content: a browser may keep it for good, and a new version has another address.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from msgspec import Struct

from api.constants import Constant
from api.media import PICTURE, SCRIPT, STYLE
from api.sheets.cards import all_cards_svg

_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_MEDIA_TYPES = {"css": STYLE, "js": SCRIPT, "svg": PICTURE}
_DIGITS = 16


class Asset(Struct, frozen=True):
    """A file, and the last part of its address."""

    name: str
    content: Constant


def asset(name: str) -> Asset:
    """Return the file that a template calls by this name."""
    return _assets()[name]


def by_address() -> Mapping[str, Constant]:
    """Return the content of every file, by the last part of its address."""
    return {found.name: found.content for found in _assets().values()}


@cache
def _assets() -> Mapping[str, Asset]:
    """Return every file by the name that templates call it by."""
    swagger = files("offapi")
    found = {path.name: path for part in ("api.pages", "api.desk") for path in (files(part) / "files").iterdir()}
    found |= {"swagger-ui.css": swagger / "swagger_style.css", "swagger-ui.js": swagger / "swagger_bundle.js"}
    contents = {name: path.read_bytes() for name, path in found.items()} | {"cards.svg": all_cards_svg().encode()}
    return {name: _asset(name, content) for name, content in contents.items()}


def _asset(name: str, content: bytes) -> Asset:
    stem, _, ending = name.rpartition(".")
    address = f"{stem}.{sha256(content).hexdigest()[:_DIGITS]}.{ending}"
    return Asset(address, Constant(None, {_MEDIA_TYPES[ending]: content}, _FOR_EVER))
