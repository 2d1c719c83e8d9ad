"""Names: how a player is called in a text."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.scanning import Entry, Token

FACTS = {name: name for name in ("rules", "dealer", "up", "widow", "stock", "extra", "end", "knocker")} | {
    "upcard": "up",
    "ended": "end",
}
"""The words that begin a fact, and which fact it is."""
RESHUFFLE = "reshuffle"

MOST_SEATS = 16
LONGEST_NAME = 64
_SEAT = re.compile(r"(?:seat[^\S\r\n]*)?([0-9]{1,9})", re.IGNORECASE)
# Fixed, and not what Python takes for printable: its notion grows with every version of Unicode.
_UNPRINTABLE = (
    r"\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\uffff"
)
_NEEDS_QUOTES = re.compile(rf'["#{{}}\[\]():;,\\{_UNPRINTABLE}]|\A | \Z|  ')
_ESCAPED = re.compile(rf'["\\{_UNPRINTABLE}]')


class Called(NamedTuple):
    """Somebody as a text calls them."""

    name: str
    is_quoted: bool
    first: Token
    last: Token

    @property
    def seat(self) -> int | None:
        """Return the seat that is named, if it is no name; it may be one that no table has."""
        found = None if self.is_quoted else _SEAT.fullmatch(self.name)
        return int(found[1]) if found else None


def called(text: str, tokens: Entry, mistakes: Mistakes) -> Called | None:
    """Return who is called by some tokens, of which there is one at least; None, and a mistake, if nobody can be."""
    first, last = tokens[0], tokens[-1]
    if first.kind != "quoted":
        return Called(text[first.at : last.end], is_quoted=False, first=first, last=last)
    name = _unquoted(first.text)
    if name is None or first is not last:
        mistakes.add(first, f"{shown(text[first.at : last.end])} is no name in quotes", '"Ann (left)"', last)
        return None
    return Called(name, is_quoted=True, first=first, last=last)


def _unquoted(text: str) -> str | None:
    try:
        return msgspec.json.decode(text, type=str)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


class Names:
    """The players by name."""

    def __init__(self, names: Sequence[str | UnsetType]) -> None:
        """Take the names in seat order."""
        self._seats: dict[str, list[int]] = {}
        self._alike: dict[str, list[int]] = {}
        for seat, name in enumerate(names, start=1):
            if name is not UNSET:
                self._seats.setdefault(name, []).append(seat)
                self._alike.setdefault(name.casefold(), []).append(seat)
        self._names = names

    def seat(self, who: Called, mistakes: Mistakes) -> int | None:
        """Return the seat of somebody; None, and a mistake, if nobody or more than one can be meant."""
        if (seat := who.seat) is not None:
            if 1 <= seat <= MOST_SEATS:
                return seat
            mistakes.add(who.first, f"a seat is a number from 1 to {MOST_SEATS}", "Seat 2: knock", who.last)
            return None
        found = self._seats.get(who.name) or self._alike.get(who.name.casefold()) or []
        if len(found) == 1:
            return found[0]
        says = f"{len(found)} players could be {shown(who.name)}" if found else f"there is no player {shown(who.name)}"
        mistakes.add(who.first, says, f"Seat {found[0] if found else 2}: knock", who.last)
        return None

    def of(self, seat: int) -> str:
        """Return how the strict form calls a seat: by its name if that can only mean this seat and needs no quotes."""
        name = self._names[seat - 1] if seat <= len(self._names) else UNSET
        if name is UNSET or len(self._seats[name]) > 1 or needs_quotes(name):
            return f"Seat {seat}"
        return name


def needs_quotes(name: str) -> bool:
    """Return whether a name would be taken for something else without quotes."""
    return bool(
        _NEEDS_QUOTES.search(name) or _SEAT.fullmatch(name) or name.casefold() in FACTS or name.casefold() == RESHUFFLE
    )


def quoted(name: str) -> str:
    """Return a name in quotes, in printable characters."""
    return f'"{_ESCAPED.sub(_escape, name)}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
