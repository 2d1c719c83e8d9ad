"""Players: who sits where, with what lives and cards."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from schemas.cards import Card
from schemas.notation.cards import NOTHING
from schemas.notation.facts import three_cards
from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.names import LONGEST_NAME, called
from schemas.notation.scanning import Entry, Token

_EXAMPLE = "Ann(3): As Ks 4d"
_MOST_LIVES = 99
_DIGITS = 9
"""More are no number of lives, and costly to read."""


class Seated(NamedTuple):
    """A player as a text has them."""

    token: Token
    name: str | UnsetType
    lives: int
    cards: tuple[Card, ...]
    """None where nothing was dealt."""
    redeemed: bool
    unclaimed: Token | None
    """Where it says that a 31 was not shown."""


class _Held(NamedTuple):
    """What stands in the parentheses."""

    lives: int
    redeemed: bool
    unclaimed: Token | None


def is_player(head: Entry) -> bool:
    """Return whether what stands before a colon is that of a player's line: lives in parentheses."""
    return bool(head) and head[-1].text == ")" and any(token.text == "(" for token in head)


def player(text: str, head: Entry, said: Entry, seat: int, mistakes: Mistakes) -> Seated:
    """Return the player of a seat, as far as the line can be understood."""
    opening = max(at for at, token in enumerate(head) if token.text == "(")
    name = _name(text, head[:opening], seat, mistakes)
    held = _held(head[opening], head[opening + 1 : -1], mistakes)
    cards = () if [token.word for token in said] == [NOTHING] else three_cards(head[-1], said, mistakes)
    return Seated(head[0], name, held.lives, cards, held.redeemed, held.unclaimed)


def _name(text: str, tokens: Entry, seat: int, mistakes: Mistakes) -> str | UnsetType:
    who = called(text, tokens, mistakes) if tokens else None
    if who is None:
        return UNSET
    if (given := who.seat) is not None:
        if given != seat:
            says = f"players stand in the order of their seats, and this one is in seat {seat}"
            mistakes.add(who.first, says, f"Seat {seat}(3): As Ks 4d", who.last)
        return UNSET
    if not 1 <= len(who.name) <= LONGEST_NAME:
        mistakes.add(who.first, f"a name has 1 to {LONGEST_NAME} characters", _EXAMPLE, who.last)
    return who.name


def _held(opening: Token, tokens: Entry, mistakes: Mistakes) -> _Held:
    lives: int | None = None
    redeemed, unclaimed = False, None
    for token in tokens:
        number = _number(token)
        if number is not None and lives is None:
            lives = number
            if number > _MOST_LIVES:
                mistakes.add(token, f"a player has 0 to {_MOST_LIVES} lives", _EXAMPLE)
        elif token.word == "redeemed":
            redeemed = True
        elif token.word == "unclaimed":
            unclaimed = token
        elif token.word not in {",", "life", "lives"}:
            mistakes.add(token, f"{shown(token.text)} is not understood here", "Ann(3, redeemed): As Ks 4d")
    if lives is None:
        mistakes.add(opening, "it is not said how many lives the player has", _EXAMPLE)
    return _Held(lives or 0, redeemed, unclaimed)


def _number(token: Token) -> int | None:
    if token.word == "county":
        return 0
    is_number = token.text.isascii() and token.text.isdigit() and len(token.text) <= _DIGITS
    return int(token.text) if is_number else None
