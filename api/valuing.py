"""Valuing: what hands are worth, each by itself, and which cards are no hand."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from api.ruling_views import EngineVersion
from engine import VERSION
from engine.clerk import Clerk
from engine.counting import in_points, value_of
from engine.deal import broken_by_cards
from engine.presets import ResolvedRules
from schemas.cards import HAND_SIZE, Card
from schemas.rules import RuleSet
from schemas.ruling import CardList, Citations, CountsAs, Points


class HandValuation(Struct, frozen=True, forbid_unknown_fields=True):
    """What one hand is worth."""

    cards: CardList
    value: Points
    counted: CardList
    counts_as: CountsAs
    citations: Citations


class ValuationAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the hands are worth, in the order in which they were asked for."""

    engine: EngineVersion
    valuations: Annotated[tuple[HandValuation, ...], Meta(max_length=1000, description="One for each hand, in order.")]
    rules: Annotated[RuleSet, Meta(description="The complete rules that the hands were valued by.")]


class NoHandError(ValueError):
    """Cards, at a `place` among those asked about, that one player cannot hold; the message says why."""

    def __init__(self, says: str, place: int) -> None:
        """Say why, and of which cards."""
        super().__init__(says)
        self.place = place


class IncompleteHandError(NoHandError):
    """Fewer cards than a hand has, or more; the message has no full stop."""

    def __init__(self, cards: int, place: int) -> None:
        """Say how many there are."""
        super().__init__(f"A hand has three cards, not {cards}", place)


def valued(hands: Sequence[Sequence[Card]], chosen: ResolvedRules, *, partial: bool) -> ValuationAnswer:
    """Return what each hand is worth; a hand may have fewer than three cards if it is `partial`.

    Raises NoHandError for the first that is no hand.
    """
    valuations = []
    for place, cards in enumerate(hands):
        if len(cards) > HAND_SIZE or (len(cards) < HAND_SIZE and not partial):
            raise IncompleteHandError(len(cards), place)
        for broken in broken_by_cards(cards, chosen.rules, Clerk((), chosen.silent)):
            raise NoHandError(broken.says, place)
        worth, citations = value_of(cards, chosen.rules, chosen.silent)
        valuations.append(
            HandValuation(worth.cards, in_points(worth.half_points), worth.counted, worth.counts_as, citations)
        )
    return ValuationAnswer(VERSION, tuple(valuations), chosen.rules)
