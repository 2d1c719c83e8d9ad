"""What three cards are worth."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import assert_never

from msgspec import Struct

from schemas.cards import HAND_SIZE, SUITS, Card, in_order
from schemas.rules import RuleSet
from schemas.ruling import CountsAs
from schemas.shared_options import TripleAnswer

THIRTY_ONE = 62
"""The best suit total, in half points, in which all values are counted here."""


class Worth(Struct, frozen=True, gc=False):
    """What a hand counts: its cards as they are shown, half points, and the cards counted."""

    cards: tuple[Card, ...]
    half_points: int
    counted: tuple[Card, ...]
    counts_as: CountsAs = "suit"


def worth(hand: Sequence[Card], rules: RuleSet) -> Worth:
    """Return what one to three cards count, in half points.

    The best suit total, one-card suits included, or the value of three of a kind, whichever is more. Of
    equal totals the suit that is shown first is named.
    """
    cards = in_order(hand)
    return _worth(cards, rules.three_of_a_kind if is_triple(cards) else "none")


@lru_cache(maxsize=2**15)
def _worth(cards: tuple[Card, ...], three_of_a_kind: TripleAnswer) -> Worth:
    """Return what cards in order count. There are but 22,100 hands without jokers, so most are known soon."""
    best = _best_suit(cards)
    triple = _triple(cards, three_of_a_kind)
    return best if triple <= best.half_points else Worth(cards, triple, cards, "three_of_a_kind")


def unclaimed(best: Worth) -> Worth:
    """Return what a 31 counts that was not shown in time."""
    return Worth(best.cards, 60, best.counted, "unclaimed_31")


def worth_now(hand: Sequence[Card], rules: RuleSet, is_late: Callable[[], bool]) -> Worth:
    """Return what one to three cards count, in half points, where a 31 may not have been shown in time."""
    best = worth(hand, rules)
    return unclaimed(best) if is_31(best) and is_late() else best


def is_31(best: Worth) -> bool:
    """Return whether a hand is worth 31 by its suit, so that it can be shown."""
    return best.half_points == THIRTY_ONE and best.counts_as == "suit"


def makes_31(cards: Sequence[Card]) -> bool:
    """Return whether these are three cards that make 31; four cards never do."""
    if len(cards) != HAND_SIZE:
        return False
    first, second, third = cards
    if first.suit == second.suit == third.suit:
        return first.points + second.points + third.points == THIRTY_ONE // 2
    if first.is_joker or second.is_joker or third.is_joker:
        return _best_suit(in_order(cards)).half_points == THIRTY_ONE
    return False


def is_triple(cards: Sequence[Card]) -> bool:
    """Return whether these are three cards of one rank."""
    return len(cards) == HAND_SIZE and cards[0].rank == cards[1].rank == cards[2].rank


def _triple(cards: tuple[Card, ...], three_of_a_kind: TripleAnswer) -> int:
    """Return what a hand is worth in half points as three of a kind; 0 if it is none, or that counts nothing."""
    if not is_triple(cards):
        return 0
    match three_of_a_kind:
        case "none":
            return 0
        case "30":
            return 60
        case "30.5":
            return 61
        case unknown:
            assert_never(unknown)


def _best_suit(cards: tuple[Card, ...]) -> Worth:
    if cards[-1].is_joker:
        return _best_suit_with_jokers(cards)
    best, counted = 0, cards
    suit, total, begins = "", 0, 0
    for place, card in enumerate(cards):
        if suit != card.suit:
            suit, total, begins = card.suit, 0, place
        total += card.points
        if total > best:
            best, counted = total, cards[begins : place + 1]
    return Worth(cards, 2 * best, counted)


def _best_suit_with_jokers(cards: tuple[Card, ...]) -> Worth:
    """Let each joker join a suit as 11 or 0, whichever gives the best total not above 31."""
    jokers = [card for card in cards if card.is_joker]
    ways = []
    for suit in SUITS:
        held = [card for card in cards if card.suit == suit]
        total = sum(card.points for card in held)
        joining = min(len(jokers), (THIRTY_ONE // 2 - total) // 11)
        ways.append(Worth(cards, 2 * (total + 11 * joining), (*held, *jokers[:joining])))
    return max(ways, key=lambda way: way.half_points)
