"""What a hand is worth, told as a sum that a child can check."""

from collections.abc import Iterable, Iterator

from engine.valuation import Worth
from engine.wording import points, shown
from schemas.cards import SUITS, Card
from schemas.ruling import SeatResult, SeatStanding

_SUIT_NAMES = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))
_JOKER = 11
"""What a joker counts among the counted cards; one that counts 0 is not among them."""


def worth_of(seat: SeatResult | SeatStanding) -> Worth | None:
    """Return what a ruling says a hand counts; None in mid-turn, when it counts nothing yet."""
    if seat.value is None or seat.counts_as is None:
        return None
    return Worth(seat.cards, int(2 * seat.value), seat.counted, seat.counts_as)


def tally(own: Worth) -> str:
    """Return how a value comes about, for the end of a sentence: "10 + 9 = 19", "11 by A♠ alone"."""
    if own.counts_as == "three_of_a_kind":
        return f"{points(own.half_points)} by three of a kind"
    if len(own.counted) == 1:
        return f"{points(own.half_points)} by {shown(own.counted)} alone"
    jokers = _jokers(own)
    return f"{_sum(own)}, with {jokers}" if jokers else _sum(own)


def laid_open(own: Worth) -> str:
    """Return shown cards and what they count: "K♠ 9♠ 2♥. The spades count: 10 + 9 = 19."."""
    cards = shown(own.cards)
    if own.counts_as == "three_of_a_kind":
        return f"{cards}. Three of a kind counts {points(own.half_points)}."
    if len(own.counted) == 1:
        return f"{cards}. {shown(own.counted)} alone counts: {points(own.half_points)}."
    suit = own.counted[0].suit
    jokers = _jokers(own)
    which = f"The {_SUIT_NAMES[suit] if suit else 'jokers'} count{f', with {jokers}' if jokers else ''}"
    return f"{cards}. {which}: {_sum(own)}."


def asides(hands: Iterable[Worth | None]) -> Iterator[str]:
    """Yield what to add to each hand: to the first sum that leaves a card out, why; the others are read like it."""
    said = False
    for own in hands:
        if said or own is None or not _leaves_one_out(own):
            yield ""
            continue
        said = True
        (card,) = set(own.cards).difference(own.counted)
        yield f" The {card.sign} is of another suit and adds nothing."


def _leaves_one_out(own: Worth) -> bool:
    """Return whether a hand counts two cards of a suit and a third card is of another one."""
    return own.counts_as == "suit" and len(own.counted) == len(own.cards) - 1 and not own.cards[-1].is_joker


def _sum(own: Worth) -> str:
    parts = [_JOKER if card.is_joker else card.points for card in own.counted]
    total = f"{' + '.join(map(str, parts))} = {sum(parts)}"
    return f"{total}, which counts {points(own.half_points)}" if own.counts_as == "unclaimed_31" else total


def _jokers(own: Worth) -> str:
    """Return what the jokers of a hand count as: "the joker as 11"; empty if it has none."""
    if not own.cards[-1].is_joker:
        return ""
    held, counted = _number_of_jokers(own.cards), _number_of_jokers(own.counted)
    if 0 < counted < held:
        return f"one joker as {_JOKER} and the other as 0"
    return f"{'the joker' if held == 1 else 'both jokers'} as {_JOKER if counted else 0}"


def _number_of_jokers(cards: tuple[Card, ...]) -> int:
    return sum(card.is_joker for card in cards)
