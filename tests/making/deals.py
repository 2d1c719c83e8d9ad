"""Tables that are set up for a hand: players, and cards dealt so that what matters happens often."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.valuation import makes_31
from schemas.cards import SUITS, Card, in_order, pack
from schemas.rules import RuleSet, StockRules
from tests.making.dice import Dice

_IN_ORDER = in_order(pack(2))
_DULL_ORDER = (*(_IN_ORDER[place * 7 % 52] for place in range(52)), *_IN_ORDER[52:])
"""An order of the pack in which nothing special is dealt."""

MOST_PLAYERS = 16


class Cards(NamedTuple):
    """The dealt hands, and the rest of the pack in the order of the stock."""

    hands: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]


def deal(dice: Dice, rules: RuleSet, players: int) -> Cards:
    """Return hands for so many players, often such as somebody wishes for."""
    in_pack = pack(rules.jokers)
    rest = dice.shuffled([card for card in _DULL_ORDER if card in in_pack])
    wishes = dice.pick(_TABLES)
    hands = []
    for _ in range(players):
        wish = dice.pick(wishes)
        hand = wish(rest) or rest[:3]
        hands.append(tuple(hand))
        rest = [card for card in rest if card not in hand]
    return Cards(tuple(hands), tuple(rest))


def number_of_players(dice: Dice, rules: RuleSet) -> int:
    """Return how many sit at the table: mostly few, at times so many that the stock is short, or one."""
    if isinstance(rules, StockRules) and rules.ride_the_bus and dice.chance(30):
        return 1
    return dice.pick((2, 3, 2, 3, 4, 2, 3, 5, 8, 14, 16, 16))


def lives_of_players(dice: Dice, rules: RuleSet, players: int) -> list[int]:
    """Return what each player has left; at times everyone's next loss is the last."""
    fewest = 0 if not isinstance(rules, StockRules) or rules.county == "all" or dice.chance(3) else 1
    if dice.chance(25):
        return [fewest] * players
    return [max(fewest, dice.pick((3, 2, 1, 1, 0, 0, 4, 10))) for _ in range(players)]


def redeemed(dice: Dice) -> bool:
    """Return whether a player has won a life back before, which is rare."""
    return dice.chance(10)


Wish = Callable[[Sequence[Card]], Sequence[Card] | None]
"""A choice of three cards among those left, or None where they do not allow it."""


def _any(rest: Sequence[Card]) -> Sequence[Card]:
    return rest[:3]


def _thirty_one(rest: Sequence[Card]) -> Sequence[Card] | None:
    return next((hand for hand in _aces_and_tens(rest, 2) if makes_31(hand)), None)


def _one_short_of_31(rest: Sequence[Card]) -> Sequence[Card] | None:
    pair = next(_aces_and_tens(rest, 1), None)
    return pair and (*pair, next(card for card in rest if card not in pair))


def _triple(rest: Sequence[Card]) -> Sequence[Card] | None:
    return _three(rest, lambda card: card.rank)


def _suited_30(rest: Sequence[Card]) -> Sequence[Card] | None:
    return _three(rest, lambda card: card.suit if card.points == 10 else "")


def _worth_ten(rest: Sequence[Card]) -> Sequence[Card] | None:
    """Return three ten-point cards of different suits, as other players can hold as well."""
    hand = [next((card for card in rest if card.suit == suit and card.points == 10), None) for suit in SUITS]
    held = [card for card in hand if card is not None]
    return held[:3] if len(held) >= 3 else None


def _joker_and_tens(rest: Sequence[Card]) -> Sequence[Card] | None:
    joker = next((card for card in rest if card.is_joker), None)
    tens = next(_pairs_of_tens(rest), None)
    return (joker, *tens) if joker and tens else None


def _three(rest: Sequence[Card], likeness: Callable[[Card], str]) -> Sequence[Card] | None:
    """Return the first three cards that are alike in something."""
    for like in dict.fromkeys(likeness(card) for card in rest if not card.is_joker):
        alike = [card for card in rest if not card.is_joker and like and likeness(card) == like]
        if len(alike) >= 3:
            return alike[:3]
    return None


def _aces_and_tens(rest: Sequence[Card], tens: int):
    for ace in (card for card in rest if card.points == 11):
        suited = [card for card in rest if card.suit == ace.suit and card.points == 10]
        if len(suited) >= tens:
            yield (ace, *suited[:tens])


def _pairs_of_tens(rest: Sequence[Card]):
    for pair in combinations([card for card in rest if card.points == 10], 2):
        if pair[0].suit == pair[1].suit:
            yield pair


_TABLES: tuple[tuple[Wish, ...], ...] = (
    (_any,),
    (_any,),
    (_any, _any, _any, _thirty_one),
    (_one_short_of_31, _any),
    (_thirty_one, _one_short_of_31),
    (_worth_ten,),
    (_worth_ten, _any),
    (_triple, _suited_30, _thirty_one, _joker_and_tens, _any),
)
"""What the players of a table wish for: each gets one of these hands while the pack allows it."""
