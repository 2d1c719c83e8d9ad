"""The cut for the first deal: who has the lowest or the highest card."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from engine.wording import listed
from schemas.cards import Card

CutRule = Literal["lowest", "highest"]


class Cut(Struct, frozen=True):
    """What a cut decides."""

    dealer: int | None
    tied: tuple[int, ...]
    """The seats with equal cards, who cut again."""
    says: str


def unfit(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Return the place of the first card that cannot be cut, and why in a sentence; None if all can be."""
    for place, card in enumerate(cards):
        if card.is_joker:
            return place, f"{card.sign} has no rank: whoever cuts a joker cuts again."
        if card in cards[:place]:
            return place, f"{card.sign} cannot be cut twice: the cards are of one pack."
    return None


def cut(cards: Sequence[Card], rule: CutRule) -> Cut:
    """Return who deals first, from one card a player in seat order; the ace is the highest rank.

    The cards must be fit for it: see `unfit`.
    """
    deciding = (min if rule == "lowest" else max)(card.height for card in cards)
    tied = tuple(seat for seat, card in enumerate(cards, start=1) if card.height == deciding)
    if len(tied) == 1:
        (dealer,) = tied
        return Cut(dealer, (), f"Seat {dealer} cut the {rule} card, {cards[dealer - 1].sign}, and deals first.")
    seats = listed([f"Seat {seat}" for seat in tied])
    shown = listed([cards[seat - 1].sign for seat in tied])
    return Cut(None, tied, f"{seats} tie for the {rule} card with {shown}, and cut again.")
