"""Contrast: whether two rulings of one hand differ for the players, and how a player would put it."""

from collections.abc import Iterator

from engine.clerk import Clerk
from engine.wording import listed, lives
from schemas.ruling import Refused, Ruling, SeatResult, Settled

Ends = tuple[object, ...]


def ends_of(ruling: Ruling) -> Ends:
    """Return what players who end a hand alike have in common: the outcome, each seat's change and status."""
    if not isinstance(ruling, Settled):
        return (ruling.__struct_config__.tag,)
    return ("settled", *[(seat.change, seat.status) for seat in ruling.seats])


def differ(one: Ruling, other: Ruling) -> bool:
    """Return whether two rulings of one hand differ: in how the players end it, in the pot, or in what follows."""
    return ends_of(one) != ends_of(other) or _rest_of(one) != _rest_of(other)


def _rest_of(ruling: Ruling) -> Ends:
    return (ruling.pot_winners, ruling.winners, ruling.play_again) if isinstance(ruling, Settled) else ()


def changes_of(ruling: Ruling) -> tuple[int, ...] | None:
    """Return the change of each player's lives, in seat order; None if the hand has no result."""
    return tuple([seat.change for seat in ruling.seats]) if isinstance(ruling, Settled) else None


def result_of(ruling: Ruling, clerk: Clerk) -> str:
    """Return in a clause what comes of a hand: "Ben loses 2 lives and is out"."""
    if isinstance(ruling, Refused):
        return f"the record is refused: {ruling.broken[0].says}".removesuffix(".")
    if not isinstance(ruling, Settled):
        return f"the hand is not over, and it is {clerk.name(ruling.to_act)}'s turn"
    clauses = [_of_seat(seat, clerk) for seat in ruling.seats if seat.change or seat.status == "out"]
    return listed([*clauses, *_what_follows(ruling, clerk)] or ["nobody loses a life"])


def contrast(before: Ruling, after: Ruling, clerk: Clerk) -> str:
    """Return in a clause what comes of a hand under other rules, as far as it differs from before."""
    if not isinstance(before, Settled) or not isinstance(after, Settled):
        result = result_of(after, clerk)
        return f"the record stands, and {result}" if isinstance(before, Refused) else result
    clauses = [
        f"{_of_seat(now, clerk)}{_instead(was, now)}"
        for was, now in zip(before.seats, after.seats, strict=True)
        if (was.change, was.status) != (now.change, now.status)
    ]
    if _rest_of(before) != _rest_of(after):
        clauses += _what_follows(after, clerk)
    return listed(clauses or ["the hand is not played again"])


def _of_seat(seat: SeatResult, clerk: Clerk) -> str:
    name = clerk.name(seat.seat)
    what = f"loses {lives(-seat.change)}" if seat.change < 0 else "loses nothing"
    if seat.change > 0:
        what = f"wins back {lives(seat.change)}"
    where = {"in": "", "county": " and is on the county", "out": " and is out"}[seat.status]
    return f"{name} {what}{where}"


def _instead(was: SeatResult, now: SeatResult) -> str:
    """Return how the change was before, if there was one, and another."""
    if not was.change or was.change == now.change:
        return ""
    before = lives(-was.change) if was.change < 0 else f"winning back {lives(was.change)}"
    return f" instead of {before}"


def _what_follows(ruling: Settled, clerk: Clerk) -> Iterator[str]:
    if ruling.play_again:
        yield "the hand is played again"
    if ruling.pot_winners:
        yield f"the pot goes to {clerk.names(ruling.pot_winners)}"
    if ruling.winners:
        yield f"{clerk.names(ruling.winners)} {'wins' if len(ruling.winners) == 1 else 'share'} the game"
