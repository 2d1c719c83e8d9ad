"""Plain text: what strangers call themselves or a sheet, fit to be shown in one line."""

from collections.abc import Sequence
from unicodedata import category

from msgspec import UNSET, UnsetType

_NOT_SHOWN = {"Cc", "Cs", "Cn", "Zl", "Zp"}
_TURNS_TEXT = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of whatever follows them."""
_SEEN = "LNPSM"
"""First letters of the categories of characters that leave a mark on paper."""


def plain(text: str) -> str:
    """Return a text in one line, without characters that are not shown or that turn other text around.

    It is empty if nothing of it would be seen.
    """
    shown_only = "".join(" " if category(each) in _NOT_SHOWN else each for each in text if each not in _TURNS_TEXT)
    line = " ".join(shown_only.split())
    return line if any(category(each)[0] in _SEEN for each in line) else ""


def called(names: Sequence[str]) -> tuple[str | UnsetType, ...]:
    """Return what players of these names are called in a story; one of whom nothing would be seen has no name."""
    return tuple([plain(name) or UNSET for name in names])
