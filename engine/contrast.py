"""Contrast: whether two rulings of one hand differ for the players, and how a player would put it."""

from collections.abc import Iterator

from engine.clerk import Clerk
from engine.wording import listed, lives, points
from schemas.ruling import Refused, Ruling, SeatResult, Settled, outcome_of

Ends = tuple[object, ...]


def ends_of(ruling: Ruling) -> Ends:
    """Return what players who end a hand alike have in common: the outcome, each seat's change and status, the pot."""
    if not isinstance(ruling, Settled):
        return (outcome_of(ruling),)
    return ("settled", ruling.pot_winners, *[(seat.change, seat.status) for seat in ruling.seats])


def differ(one: Ruling, other: Ruling) -> bool:
    """Return whether two rulings of one hand differ: in how the players end it, or in what follows.

    What follows is for the game, or in a bus ride, which costs nothing, what it was worth.
    """
    return ends_of(one) != ends_of(other) or _rest_of(one) != _rest_of(other)


def _rest_of(ruling: Ruling) -> Ends:
    if not isinstance(ruling, Settled):
        return ()
    if ruling.ended_by == "bus_ride":
        return (ruling.seats[0].value,)
    return ruling.winners, ruling.play_again


def changes_of(ruling: Ruling) -> tuple[int, ...] | None:
    """Return the change of each player's lives, in seat order; None if the hand has no result."""
    return tuple([seat.change for seat in ruling.seats]) if isinstance(ruling, Settled) else None


def result_of(ruling: Ruling, clerk: Clerk) -> str:
    """Return in a clause what comes of a hand: "Ben loses 2 lives and is out"."""
    if isinstance(ruling, Refused):
        return f"the record is refused: {ruling.broken[0].says}".removesuffix(".")
    if not isinstance(ruling, Settled):
        return f"the hand is not over, and it is {clerk.name(ruling.to_act)}'s turn"
    clauses = [_of_seat(seat, clerk) for seat in ruling.seats if seat.change or _goes_out(seat, ruling)]
    return listed([*clauses, *_what_follows(ruling, clerk)] or ["nobody loses a life"])


def contrast(before: Ruling, after: Ruling, clerk: Clerk) -> str:
    """Return in a clause what comes of a hand under other rules, as far as it differs from before."""
    if not isinstance(before, Settled) or not isinstance(after, Settled):
        result = result_of(after, clerk)
        return f"the record stands, and {result}" if isinstance(before, Refused) else result
    clauses = [
        _of_seat(now, clerk, was)
        for was, now in zip(before.seats, after.seats, strict=True)
        if (was.change, was.status) != (now.change, now.status)
    ]
    if (before.pot_winners, *_rest_of(before)) != (after.pot_winners, *_rest_of(after)):
        clauses += _what_follows(after, clerk)
    return listed(clauses or ["the hand is not played again"])


def _goes_out(seat: SeatResult, ruling: Settled) -> bool:
    """Return whether a hand puts a player out, who is not out of the game already."""
    return seat.status == "out" and ruling.ended_by != "bus_ride"


def _of_seat(seat: SeatResult, clerk: Clerk, was: SeatResult | None = None) -> str:
    """Return what becomes of a player, beside what became of the same one before if that was otherwise."""
    what = f"{clerk.name(seat.seat)} {_loses(seat.change)}"
    if was is not None and was.change and was.change != seat.change:
        what += f" instead of {_losing(was.change, seat.change)}"
    if was is None:
        shows_status = seat.status == "out" or (seat.status == "county" and seat.before > 0)
    else:
        shows_status = seat.status != was.status
    return f"{what} and {_STATUS[seat.status]}" if shows_status else what


_STATUS = {"in": "is still in", "county": "is on the county", "out": "is out"}


def _loses(change: int) -> str:
    if change > 0:
        return f"wins back {lives(change)}"
    return f"loses {lives(-change)}" if change else "loses nothing"


def _losing(change: int, now: int) -> str:
    """Return a change from before as it stands beside the one of now."""
    if change > 0:
        return f"winning back {lives(change)}"
    return f"losing {lives(-change)}" if now > 0 else lives(-change)


def _what_follows(ruling: Settled, clerk: Clerk) -> Iterator[str]:
    if ruling.ended_by == "bus_ride":
        yield f"{clerk.name(1)}'s ride is worth {points(round(2 * ruling.seats[0].value))}"
        return
    if ruling.play_again:
        yield "the hand is played again"
    if ruling.pot_winners:
        yield f"the pot goes to {clerk.names(ruling.pot_winners)}"
    if ruling.winners:
        yield f"{clerk.names(ruling.winners)} {'wins' if len(ruling.winners) == 1 else 'share'} the game"
    elif ruling.game_over:
        yield "nobody wins the game"
