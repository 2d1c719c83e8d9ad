"""Tiny hands: two players, telling cards and a few events, in every combination.

They are not made to be played well but to be small: most rules that decide anything decide some hand like these.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from engine.valuation import makes_31
from schemas.cards import Card
from schemas.hand import Deal, Declare, Discard, DrawStock, Event, Exchange, HandLog, Knock, Player, Stand, TakeDiscard
from schemas.rules import StockRules

_Hand = tuple[Card, ...]
_Script = tuple[Event, ...]


def _cards(text: str) -> _Hand:
    return tuple([Card(code) for code in text.split()])


# Each pair of hands: what they are worth to each other.
_PAIRS = [
    tuple(map(_cards, pair.split(",")))
    for pair in (
        "As Ks Qs,Ad Kd Qd",
        "As Ks Qs,9d 7c 2c",
        "9s 7h 2h,Ad Kd Qd",
        "As Ks Qs,Kd Qd Jd",
        "Ks Qs 9s,Ad Kd Qd",
        "As Ks 2h,9d 7c 2c",
        "9s 7h 2h,Ad Kd 2c",
        "Ks Qs Js,Ad Kd 2c",
        "Ks Qs Js,Kd Qd Jd",
        "Ks Qs Js,8d 8c 8h",
        "7s 7h 7d,Kd Qd Jd",
        "Ks Qs 3h,Kd Qd 3c",
        "Ks Qs 3h,9d 7c 2c",
        "9s 7h 2h,Kd Qd 3c",
        "As 5s 4s,Kd Qd 3c",
        "2s 2h 3d,9d 7c 2c",
        "2s 2h 4d,9d 7c 3c",
        "X1 Ks Qs,9d 7c 2c",
        "X1 9s 2h,Kd 8d 2c",
        "X1 X2 9h,9d 7c 2c",
    )
]
_LIVES = (3, 1, 0)
_UPCARD, _WIDOW = Card("5c"), _cards("Jd Js 4c")
_TENS = {1: Card("Ts"), 2: Card("Td")}
"""Cards that make 31 of an ace and a ten-point card."""
_DULL = {1: Card("4c"), 2: Card("4d")}


@cache
def tiny_hands(form: type[object]) -> tuple[HandLog, ...]:
    """Return the tiny hands of a form of the game, the shortest first."""
    found = dict.fromkeys(
        HandLog((Player(lives), Player(lives)), 2, deal, script)
        for pair in _PAIRS
        for deal in _deals(pair, form)
        for script in _scripts(pair, form)
        for lives in (_LIVES if form is StockRules else _LIVES[:1])
        if _shows_only_31s(pair, script)
    )
    return tuple(sorted(found, key=lambda hand: len(hand.events)))


def _shows_only_31s(pair: Sequence[_Hand], script: _Script) -> bool:
    """Return whether nobody shows a 31 without having been dealt one or having drawn or taken a card for it."""
    able = {seat for seat, hand in enumerate(pair, start=1) if makes_31(hand)}
    able |= {event.seat for event in script if isinstance(event, DrawStock | Exchange)}
    return all(event.seat in able for event in script if isinstance(event, Declare))


def _deals(pair: Sequence[_Hand], form: type[object]) -> Iterator[Deal]:
    if form is StockRules:
        yield Deal(tuple(pair), _UPCARD)
    elif set(_WIDOW).isdisjoint({*pair[0], *pair[1]}):
        yield Deal(tuple(pair), widow=_WIDOW)


def _scripts(pair: Sequence[_Hand], form: type[object]) -> Iterator[_Script]:
    """Yield what happens: 31s shown, a knock, and turns before and after it."""
    turns = {seat: list((_turns if form is StockRules else _exchanges)(seat, pair[seat - 1])) for seat in (1, 2)}
    shown: list[_Script] = [(), (Declare(1),), (Declare(2),), (Declare(1), Declare(2))]
    yield from shown
    for first, last in product(shown, shown):
        yield (*first, Knock(1), *last)
    for turn, last in product(turns[2], shown):
        yield (Knock(1), *turn, *last)
    for turn, last in product(turns[1], shown):
        yield (*turn, *last)
        yield (*turn, Knock(2), *last)
    for turn, other in product(turns[1], turns[1]):
        yield (*turn, Knock(2), *other)


def _turns(seat: int, hand: _Hand) -> Iterator[_Script]:
    """Yield turns of a player: a good card drawn, a dull one, the upcard taken, and no draw at all."""
    worst = min(hand, key=lambda card: card.points if not card.is_joker else 99)
    yield (DrawStock(seat, _TENS[seat]), Discard(seat, worst))
    yield (DrawStock(seat, _DULL[seat]), Discard(seat, _DULL[seat]))
    yield (TakeDiscard(seat), Discard(seat, _UPCARD))
    yield (Stand(seat),)


def _exchanges(seat: int, hand: _Hand) -> Iterator[_Script]:
    """Yield turns of a player with a widow: one card, two, or none."""
    ranked = sorted(hand, key=lambda card: card.points)
    yield (Exchange(seat, (ranked[0],), (_WIDOW[2 - seat],)),)
    yield (Exchange(seat, tuple(ranked[:2]), _WIDOW[:2]),)
    yield (Stand(seat),)
