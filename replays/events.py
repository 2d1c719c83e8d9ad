"""The events of a log as the canonical form writes them: without what the piles imply, without idle order."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from schemas.cards import Card, in_order
from schemas.hand import Deal, Discard, DrawStock, Event, Exchange, Reshuffle, TakeDiscard


def canonical_events(deal: Deal, events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events as they are written, but draws without the card that the piles imply.

    The piles are followed mechanically, event by event, without asking any rule, so that the same record is written
    alike under all rules. A card that contradicts its pile stays, and so does one that nothing implies: a draw from a
    stock of unknown order, or from an empty pile. The top card leaves its pile all the same. An exchange names its
    cards in the order in which cards are shown.
    """
    pile: list[Card] = [] if deal.upcard is UNSET else [deal.upcard]
    stock: list[Card] = [] if deal.stock is UNSET else list(reversed(deal.stock))
    for event in events:
        if isinstance(event, Discard):
            pile.append(event.card)
            yield event
        elif isinstance(event, DrawStock):
            implied = stock.pop() if stock else UNSET
            yield DrawStock(event.seat) if event.card is implied else event
        elif isinstance(event, TakeDiscard):
            implied = pile.pop() if pile else UNSET
            yield TakeDiscard(event.seat) if event.card is implied else event
        elif isinstance(event, Reshuffle):
            pile = pile[-1:]
            stock = [] if event.stock is UNSET else list(reversed(event.stock))
            yield event
        elif isinstance(event, Exchange):
            yield Exchange(event.seat, in_order(event.give), in_order(event.take))
        else:
            yield event
