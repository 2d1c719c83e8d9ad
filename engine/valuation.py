"""What three cards are worth."""

from collections.abc import Callable, Sequence
from functools import cache
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
    is_plain: bool = False
    """Whether nothing more is to be asked or said of the hand: it has no joker, no three of a kind and no 31.

    Kept, because it is asked of every hand and most are; False where nobody has looked.
    """


def worth(hand: Sequence[Card], rules: RuleSet) -> Worth:
    """Return what one to three cards count, in half points.

    The best suit total, one-card suits included, or the value of three of a kind, whichever is more. Of
    equal totals the suit that is shown first is named.
    """
    best = _best_suit(in_order(hand))
    if best.is_plain or not is_triple(best.cards):
        return best
    triple = _of_triple(rules.three_of_a_kind)
    return best if triple <= best.half_points else Worth(best.cards, triple, best.cards, "three_of_a_kind")


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


def _of_triple(three_of_a_kind: TripleAnswer) -> int:
    """Return what three of a kind is worth in half points."""
    match three_of_a_kind:
        case "none":
            return 0
        case "30":
            return 60
        case "30.5":
            return 61
        case unknown:
            assert_never(unknown)


@cache
def _best_suit(cards: tuple[Card, ...]) -> Worth:
    """Return what cards in order count by their best suit.

    There are 29,259 hands of one to three cards, with a card that faulty records have twice, so all are remembered.
    """
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
    return Worth(cards, 2 * best, counted, is_plain=2 * best != THIRTY_ONE and not is_triple(cards))


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
