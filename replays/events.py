"""The events of a log as the canonical form writes them: without what the piles imply, without idle order."""

from collections.abc import Sequence

from msgspec import UNSET

from schemas.cards import Card, in_order
from schemas.hand import Deal, Discard, DrawStock, Event, Exchange, Reshuffle, TakeDiscard


def canonical_events(deal: Deal, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events as they are written, but draws without the card that the piles imply.

    The piles are followed mechanically, event by event, without asking any rule, so that the same record is written
    alike under all rules. A card that contradicts its pile stays, and so does one that nothing implies: a draw from a
    stock of unknown order, or from an empty pile. The top card leaves its pile all the same. An exchange names its
    cards in the order in which cards are shown.
    """
    pile: list[Card] = [] if deal.upcard is UNSET else [deal.upcard]
    stock: list[Card] = [] if deal.stock is UNSET else list(reversed(deal.stock))
    written: list[Event] = []
    for event in events:
        if isinstance(event, Discard):
            pile.append(event.card)
        elif isinstance(event, DrawStock):
            if stock and event.card is stock.pop():
                event = DrawStock(event.seat)  # noqa: PLW2901 - the same event, in fewer words
        elif isinstance(event, TakeDiscard):
            if pile and event.card is pile.pop():
                event = TakeDiscard(event.seat)  # noqa: PLW2901 - likewise
        elif isinstance(event, Reshuffle):
            pile = pile[-1:]
            stock = [] if event.stock is UNSET else list(reversed(event.stock))
        elif isinstance(event, Exchange):
            event = Exchange(event.seat, in_order(event.give), in_order(event.take))  # noqa: PLW2901 - likewise
        written.append(event)
    return tuple(written)
