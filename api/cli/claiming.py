"""What the command line says that a hand costs."""

import re
from collections.abc import Sequence

from api.cli.pointing import NotUnderstoodError, did_you_mean, in_argument
from api.contested import misplaced
from engine.clerk import Clerk
from schemas.disputes import Claim
from schemas.hand import Player, ShownPlayer

Players = Sequence[Player | ShownPlayer]

_CHANGE = re.compile("[-+\u2212\u2013]?[0-9]{1,2}")
"""A number of lives, with any dash."""
_IN_ORDER = re.compile(rf"\s*{_CHANGE.pattern}(?:[\s,]+{_CHANGE.pattern})*\s*")
_PART = re.compile("[^,;]+")
_SEAT = re.compile(r"(?:seat\s*)?([0-9]{1,2})", re.IGNORECASE)
_NO_CLAIM = "This is not understood; it could be `Ana=-1, Ben=-2`, or everyone's change, `0 -1 0`."
_LEAST, _GREATEST = -99, 1


def read_claim(option: str, value: str, players: Players) -> Claim:
    """Return a claim: the change of every player's lives in seat order, or of some by name, the others losing nothing.

    Raises NotUnderstoodError.
    """
    try:
        changes = _in_order(value) if _IN_ORDER.fullmatch(value) else _by_name(value, players)
    except _NotOneError as error:
        raise NotUnderstoodError(in_argument(error.says, option, value, error.at, error.length)) from None
    claim = Claim(changes)
    for wrong in misplaced([claim], len(players)):
        raise NotUnderstoodError(in_argument(wrong.says, option, value))
    if not all(_LEAST <= change <= _GREATEST for change in changes):
        says = f"A change is a number of lives from {_LEAST} to {_GREATEST}; a loss has a minus sign."
        raise NotUnderstoodError(in_argument(says, option, value))
    return claim


class _NotOneError(ValueError):
    """A part of a claim that is not understood."""

    def __init__(self, says: str, at: int, length: int) -> None:
        """Say why, and where in the claim it is."""
        super().__init__(says)
        self.says, self.at, self.length = says, at, length


def _in_order(value: str) -> tuple[int, ...]:
    return tuple(map(_number, _CHANGE.findall(value)))


def _by_name(value: str, players: Players) -> tuple[int, ...]:
    changes: dict[int, int] = {}
    if not _PART.search(value):
        raise _NotOneError(_NO_CLAIM, 0, len(value))
    for part in _PART.finditer(value):
        who, has_change, change = part[0].rpartition("=")
        if not has_change or not _CHANGE.fullmatch(change.strip()):
            raise _NotOneError(_NO_CLAIM, part.start(), len(part[0]))
        at = part.start() + len(who) - len(who.lstrip())
        seat = _seat(who.strip(), at, players)
        if seat in changes:
            raise _NotOneError(f"`{who.strip()}` is there twice.", at, len(who.strip()))
        changes[seat] = _number(change)
    return tuple([changes.get(seat, 0) for seat in range(1, len(players) + 1)])


def _seat(called: str, at: int, players: Players) -> int:
    """Return the seat of a player who is called by name, or by the seat."""
    clerk = Clerk(players, None)
    names = [clerk.name(seat) for seat in range(1, len(players) + 1)]
    seats = [seat for seat, name in enumerate(names, start=1) if name.casefold() == called.casefold()]
    found = _SEAT.fullmatch(called)
    if not seats and found and 1 <= int(found[1]) <= len(players):
        return int(found[1])
    if len(seats) == 1:
        return seats[0]
    why = f"There is no player `{called}`." if not seats else f"There are several players called `{called}`."
    advice = did_you_mean(called, names) if not seats else "A seat says which: `Seat 1=-1`."
    raise _NotOneError(f"{why} {advice}", at, len(called))


def _number(text: str) -> int:
    return int(text.strip().translate({0x2212: "-", 0x2013: "-"}))
