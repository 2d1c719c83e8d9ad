"""The table of hand values: representative hands, each counted by the engine."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from api.sheets.sheet import Table
from engine.readings import claim_of_31
from engine.valuation import Worth, is_triple, unclaimed, worth
from engine.wording import counted, points, shown
from schemas.cards import HAND_SIZE, Card, in_order, pack
from schemas.rules import RuleSet

_SUIT_NAMES = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}
_JOKER_COUNTS = 11
_HANDS = ("Ah Jh Th", "Qs Js Ts", "5s 5h 5d", "Ad 9d Kc", "8c 6c Jd", "Qh 8c 3d")
"""The best; the best without an ace; three of a kind; two of a suit, twice; and no two of a suit."""
_WITH_ONE_JOKER = ("Td 9d X1", "As Ks X1")
_WITH_TWO_JOKERS = ("9h X1 X2",)
_LATE = "Ac Kc Qc"


def values_table(rules: RuleSet) -> Table:
    """Return what representative hands are worth under the rules, the best first."""
    rows = [_row(found) for found in sorted(_worths(rules), key=lambda found: -found.half_points)]
    lowest = worth(lowest_hand(rules), rules)
    rows.append(_row(lowest, "; no hand is worth less"))
    return Table("What hands are worth", ("Hand", "How it counts", "Worth"), tuple(rows))


def _row(found: Worth, remark: str = "") -> tuple[str, str, str]:
    return shown(found.cards), how_it_counts(found) + remark, points(found.half_points)


def _worths(rules: RuleSet) -> Iterator[Worth]:
    for hand in (*_HANDS, *(_WITH_ONE_JOKER if rules.jokers else ()), *(_WITH_TWO_JOKERS if rules.jokers > 1 else ())):
        yield worth(cards_of(hand), rules)
    if claim_of_31(rules).lapses:
        yield unclaimed(worth(cards_of(_LATE), rules))


def cards_of(hand: str) -> tuple[Card, ...]:
    """Return the cards of a hand that is written with spaces."""
    return tuple(Card(code) for code in hand.split())


@lru_cache(maxsize=64)
def lowest_hand(rules: RuleSet) -> tuple[Card, ...]:
    """Return a hand that is worth the least; no card above a four is in one, since two, three and four will do."""
    low = [card for card in in_order(pack(0)) if card.points <= HAND_SIZE + 1]
    return min(combinations(low, HAND_SIZE), key=lambda hand: worth(hand, rules).half_points)


def how_it_counts(found: Worth) -> str:
    """Return how a hand comes to its value: "10 + 9 = 19, the 2 spades"."""
    if found.counts_as == "unclaimed_31":
        return "a 31 that was not shown in time"
    if found.counts_as == "three_of_a_kind":
        return "three of a kind"
    total = points(found.half_points)
    if len(found.counted) == 1:
        return f"{total}, {'one of the three' if is_triple(found.cards) else 'the highest card alone'}"
    numbers = " + ".join(str(_JOKER_COUNTS if card.is_joker else card.points) for card in found.counted)
    return f"{numbers} = {total}, {_which(found)}"


def _which(found: Worth) -> str:
    """Return which cards of a hand are counted."""
    suited = [card for card in found.counted if not card.is_joker]
    suit = _SUIT_NAMES[suited[0].suit]
    jokers = len(found.counted) - len(suited)
    if jokers:
        return f"{counted(len(suited), suit)} and {counted(jokers, 'joker')}"
    if any(card.is_joker for card in found.cards):
        return f"the {counted(len(suited), suit)}; the joker counts 0"
    return f"all {suit}s" if len(suited) == HAND_SIZE else f"the {counted(len(suited), suit)}"
