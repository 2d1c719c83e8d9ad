"""Hands and rulings seen otherwise: seats renumbered, suits exchanged, players named.

All work on the plain JSON form of a hand or a ruling and return another.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import convert, to_builtins

from schemas.cards import Card
from schemas.hand import Hand

Plain = Any
Value = TypeVar("Value")

_ONE_SEAT = frozenset({"seat", "dealer", "knocker", "next_dealer", "to_act"})
_SEATS = frozenset({"seats", "winners", "pot_winners", "open_claims"})
_CARDS = frozenset(Card)


def changed(hand: Hand, change: Callable[[Plain], Plain]) -> Hand:
    """Return a hand whose plain form was changed."""
    return convert(change(to_builtins(hand)), Hand)


def rotated(plain: Plain, by: int, players: int) -> Plain:
    """Return a hand or a ruling of so many players with every player so many seats further clockwise."""

    def turned(seat: int) -> int:
        return (seat - 1 + by) % players + 1 if seat <= players else seat

    def seen(key: str, value: Value) -> Value:
        if key in _ONE_SEAT and isinstance(value, int):
            return turned(value)
        if key in _SEATS and value and isinstance(value[0], int):
            return sorted(turned(seat) for seat in value)
        if key in {"players", "hands"}:
            return [*value[-by % len(value) :], *value[: -by % len(value)]]
        return value

    found = _mapped(plain, seen)
    if "outcome" in found:
        found["seats"].sort(key=lambda own: own["seat"])
    return found


def resuited(plain: Plain, suits: Mapping[str, str]) -> Plain:
    """Return a hand with every card of a suit in another."""

    def seen(key: str, value: Value) -> Value:
        if key in {"card", "upcard"}:
            return _of_suit(value, suits)
        if key in {"hands", "cards", "widow", "stock", "give", "take"}:
            return [_of_suit(card, suits) if isinstance(card, str) else seen(key, card) for card in value]
        return value

    return _mapped(plain, seen)


def named(plain: Plain, name: Callable[[int], str]) -> Plain:
    """Return a hand whose players have names."""
    players = [{**player, "name": name(seat)} for seat, player in enumerate(plain["players"], start=1)]
    return {**plain, "players": players}


def said_of(says: str, name: Callable[[int], str], players: int) -> str:
    """Return a sentence about seats of a table as it must read once so many players have names."""
    return re.sub(
        r"Seat (\d+)",
        lambda found: name(int(found[1])) if int(found[1]) <= players else found[0],
        says,
    )


def _of_suit(card: str, suits: Mapping[str, str]) -> str:
    return card if card.startswith("X") else card[0] + suits[card[1]]


def _mapped(plain: Plain, seen: Callable[[str, Any], Any]) -> Plain:
    """Return a plain value with every value of an object seen otherwise, from the outside in."""
    if isinstance(plain, dict):
        return {key: _mapped(seen(key, value), seen) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_mapped(value, seen) for value in plain]
    return plain
