"""The table: the state of a hand between two events, as the referee sees it."""

from typing import Any, Generic, TypeVar

from msgspec import UNSET

from engine.clerk import Clerk
from engine.readings import claim_of_31
from schemas.cards import Card, pack
from schemas.hand import HandLog
from schemas.rules import RuleSet

R_co = TypeVar("R_co", bound=RuleSet, covariant=True)


class Table(Generic[R_co]):
    """Hands, piles, turn and knock after the events judged so far.

    It is built for one hand, changed in place as the fold goes on, and never leaves the engine.
    """

    __slots__ = (
        "at",
        "automatic",
        "bus_ride",
        "calm",
        "changed_at",
        "clerk",
        "count",
        "dealer",
        "drawn",
        "events",
        "first",
        "hands",
        "knocked_at",
        "knocker",
        "pack",
        "pile",
        "players",
        "rules",
        "stock",
        "stock_size",
        "taken",
        "to_act",
        "turns_done",
        "unseen",
        "widow",
    )

    def __init__(self, log: HandLog, rules: R_co, clerk: Clerk, *, automatic: bool | None = None) -> None:
        """Lay out the deal, which must be sound. With `automatic` a 31 may take effect by itself; the rules tell."""
        deal = log.deal
        self.rules = rules
        self.clerk = clerk
        self.players = log.players
        self.dealer = log.dealer
        self.count = count = len(log.players)
        self.first = self.to_act = log.dealer % count + 1
        self.bus_ride = count == 1
        self.automatic = claim_of_31(rules).by_itself if automatic is None else automatic
        """Whether a 31 may take effect without being shown; kept, because it is asked after every discard."""
        self.calm = count > 1 and not self.automatic
        """Whether an ordinary turn cannot end the hand while there is a stock; after a knock, for one, it can."""
        self.hands = {seat: list(hand) for seat, hand in enumerate(deal.hands, start=1)}
        self.pile = [] if deal.upcard is UNSET else [deal.upcard]
        self.widow = [] if deal.widow is UNSET else list(deal.widow)
        self.stock = None if deal.stock is UNSET else list(reversed(deal.stock))
        """The face-down stock, top card last, where its order is known."""
        self.pack = pack(rules.jokers)
        self.unseen = set(self.pack)
        """The cards in no hand and not in the discard pile; in the stock form these are the stock."""
        self.unseen.difference_update(self.pile, *deal.hands)
        self.stock_size = len(self.unseen)
        """Cards that the stock had when it was laid out, or last refilled."""
        self.events = log.events
        self.at = 0
        """Position of the next event."""
        self.drawn = False
        """Whether the player to act has drawn and must discard."""
        self.taken: Card | None = None
        """The card taken from the discard pile in this turn."""
        self.turns_done = 0
        self.knocker: int | None = None
        self.knocked_at: int | None = None
        self.changed_at: dict[int, int] = {}
        """Where each player's three cards last became other cards; the dealt hands are not in it."""

    def copy(self, rules: RuleSet) -> "Table[Any]":
        """Return a table in the same state, to go on by these rules; they must agree in all that was asked so far."""
        other: Table[Any] = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        other.rules = rules
        other.hands = {seat: list(hand) for seat, hand in self.hands.items()}
        other.pile = list(self.pile)
        other.widow = list(self.widow)
        other.stock = None if self.stock is None else list(self.stock)
        other.unseen = set(self.unseen)
        other.changed_at = dict(self.changed_at)
        return other

    @property
    def seats(self) -> range:
        """Return all seats, in order."""
        return range(1, self.count + 1)

    @property
    def untouched(self) -> bool:
        """Return whether nobody has played yet."""
        return self.turns_done == 0 and not self.drawn

    @property
    def stock_left(self) -> int:
        """Return how many cards the stock has."""
        return len(self.unseen)
