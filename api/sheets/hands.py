"""The hands of a worked example as every format shows them: whose, which cards, and what came of it."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from engine.examples.sums import tally, worth_of
from engine.wording import lives
from schemas.cards import Card, in_order
from schemas.examples import Story
from schemas.ruling import Ruling, SeatResult, SeatStanding, Settled


class ShownHand(Struct, frozen=True):
    """A hand of an example."""

    name: str
    cards: tuple[Card, ...]
    """Those that count first."""
    faded: frozenset[Card]
    """Those that do not count."""
    says: str


def shown_hands(story: Story) -> Iterator[ShownHand]:
    """Yield the hands of an example as its ruling leaves them, in seat order."""
    seats: Sequence[SeatResult | SeatStanding] = story.ruling.seats
    names = [player.name for player in story.hand.players]
    for given, seat in zip(names, seats, strict=False):
        faded = frozenset() if seat.value is None else frozenset(seat.cards) - frozenset(seat.counted)
        cards = sorted(in_order(seat.cards), key=faded.__contains__)
        name = f"Seat {seat.seat}" if given is UNSET else given
        yield ShownHand(name, tuple(cards), faded, _outcome(story.ruling, seat))


def _outcome(ruling: Ruling, seat: SeatResult | SeatStanding) -> str:
    """Return how a hand counts and what came of it, in a few words: "10 + 9 = 19, loses 1 life"."""
    own = worth_of(seat)
    said = [] if own is None else [tally(own)]
    if isinstance(ruling, Settled) and isinstance(seat, SeatResult):
        if seat.change:
            said.append(f"{'wins back' if seat.change > 0 else 'loses'} {lives(abs(seat.change))}")
        elif ruling.pot_winners and seat.seat in ruling.pot_winners:
            said.append("takes the pot" if len(ruling.pot_winners) == 1 else "shares the pot")
    return ", ".join(said)
