"""What each player's hand counts, with the citations that made the number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, assert_never

from engine import rulebook
from engine.clerk import Clerk
from engine.valuation import THIRTY_ONE, Worth, is_31, is_triple, unclaimed, worth, worth_now
from engine.wording import points, shown
from schemas.cards import HAND_SIZE, Card, in_order
from schemas.rules import RuleSet
from schemas.ruling import Citation, SeatStanding

Hands = Mapping[int, Sequence[Card]]
"""Cards by seat."""

Fate = Literal["counts", "unclaimed", "top_hand", "never_late"]
"""What becomes of a 31 at the end of a hand: it counts, it was not shown in time, or it counts without having
been shown, because it was made after the knock as the top hand or was still waiting to be shown."""


def count_all(
    hands: Hands, rules: RuleSet, clerk: Clerk, fate: Callable[[int], Fate]
) -> tuple[dict[int, Worth], list[Citation]]:
    """Return what each hand counts at the end, by seat, and the citations of what is special about it."""
    counts: dict[int, Worth] = {}
    citations: list[Citation] = []
    for seat, hand in hands.items():
        counts[seat] = counted = worth(hand, rules)
        if counted.is_plain:
            continue
        if is_31(counted):
            match fate(seat):
                case "counts":
                    pass
                case "unclaimed":
                    counts[seat] = counted = unclaimed(counted)
                case "top_hand":
                    citations.append(clerk.cite(rulebook.TOP_HAND, seat, player=clerk.name(seat)))
                case "never_late":
                    citations.append(clerk.cite(rulebook.NEVER_LATE, seat, player=clerk.name(seat)))
                case unknown:
                    assert_never(unknown)
        citations.extend(_cite_worth(clerk, seat, counted))
    return counts, citations


def standings(
    hands: Hands, rules: RuleSet, clerk: Clerk, lapsed: Callable[[int], bool]
) -> tuple[tuple[SeatStanding, ...], tuple[Citation, ...]]:
    """Return every player's hand as it stands, and the citations that its values rest on."""
    seats: list[SeatStanding] = []
    citations: list[Citation] = []
    for seat, hand in hands.items():
        if len(hand) != HAND_SIZE:
            seats.append(SeatStanding(seat, in_order(hand), None, (), None))
            continue
        counted = worth_now(hand, rules, partial(lapsed, seat))
        seats.append(
            SeatStanding(seat, counted.cards, in_points(counted.half_points), counted.counted, counted.counts_as)
        )
        citations.extend(_cite_worth(clerk, seat, counted))
    return tuple(seats), tuple(citations)


def value_of(hand: Sequence[Card], rules: RuleSet, silent: frozenset[str]) -> tuple[Worth, tuple[Citation, ...]]:
    """Return what one to three cards count by themselves, and the rules that say so."""
    clerk = Clerk((), silent)
    counted = worth(hand, rules)
    citations = list(_cite_worth(clerk, None, counted))
    if counted.counts_as == "suit":
        cards, value = shown(counted.counted), points(counted.half_points)
        citations.append(clerk.cite(rulebook.BEST_SUIT, cards=cards, points=value))
    return counted, tuple(citations)


def in_points(half_points: int) -> float:
    """Return a value as it is written: 19, 30.5."""
    return half_points / 2 if half_points % 2 else half_points // 2


def _cite_worth(clerk: Clerk, seat: int | None, counted: Worth) -> Iterator[Citation]:
    """Yield the citations of what is special about a hand's value; most hands need none."""
    player = "The player" if seat is None else clerk.name(seat)
    seats = () if seat is None else (seat,)
    value = points(counted.half_points)
    if is_triple(counted.cards):
        plain = counted.counts_as == "suit"
        what = f"which has no value of its own, so they count {value}" if plain else f"which counts {value}"
        yield clerk.cite(rulebook.TRIPLE, *seats, player=player, cards=shown(counted.cards), what=what)
    if counted.cards[-1].is_joker:
        total = points(THIRTY_ONE) if counted.counts_as == "unclaimed_31" else value
        yield clerk.cite(rulebook.JOKER, *seats, player=player, cards=shown(counted.counted), points=total)
    if counted.counts_as == "unclaimed_31":
        yield clerk.cite(rulebook.UNCLAIMED, *seats, player=player)
