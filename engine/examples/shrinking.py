"""Shrinking: a hand made smaller while it still shows what it is for."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from schemas.hand import Event, HandLog, Reshuffle

Shows = Callable[[HandLog], bool]


def shrunk(hand: HandLog, shows: Shows, full: int | None) -> HandLog | None:
    """Return the smallest hand found by leaving out events and players one by one; None if this one shows nothing.

    Neither the last event nor any player can be left out of the result. Players have their lives all in `full` where it
    does not matter how many they have.
    """
    if not shows(hand):
        return None
    while (smaller := next(filter(shows, _smaller(hand)), None)) is not None:
        hand = smaller
    if full is not None:
        for place, player in enumerate(hand.players):
            players = (*hand.players[:place], replace(player, lives=full), *hand.players[place + 1 :])
            hand = next(filter(shows, [replace(hand, players=players)]), hand)
    return hand


def _smaller(hand: HandLog) -> Iterator[HandLog]:
    """Yield hands with a little less: the last event, or a player with all that the player did."""
    if hand.events:
        yield replace(hand, events=hand.events[:-1])
    if len(hand.players) > 1:
        for seat in range(len(hand.players), 0, -1):
            yield _without(hand, seat)


def _without(hand: HandLog, seat: int) -> HandLog:
    """Return a hand that a player has left, the others moving up; the deal goes to the seat before where it has to."""
    left = len(hand.players) - 1
    dealer = hand.dealer if hand.dealer < seat else (hand.dealer - 1 or left)
    return replace(
        hand,
        players=(*hand.players[: seat - 1], *hand.players[seat:]),
        dealer=dealer,
        deal=replace(hand.deal, hands=(*hand.deal.hands[: seat - 1], *hand.deal.hands[seat:])),
        events=tuple(
            [_moved_up(event, seat) for event in hand.events if isinstance(event, Reshuffle) or event.seat != seat]
        ),
    )


def _moved_up(event: Event, seat: int) -> Event:
    """Return an event as it is when the player of a seat has left."""
    if isinstance(event, Reshuffle) or event.seat < seat:
        return event
    return replace(event, seat=event.seat - 1)
