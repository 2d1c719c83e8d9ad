"""Playing cards and their notation."""

from collections.abc import Iterable
from enum import StrEnum
from operator import attrgetter

SUITS = "shdc"
"""Suits in the order in which cards are shown: spades, hearts, diamonds, clubs."""

RANKS = "AKQJT98765432"
"""Ranks from the highest to the lowest."""

_CODES = [rank + suit for suit in SUITS for rank in RANKS]
_POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10} | {rank: int(rank) for rank in "98765432"}
_SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SUIT_OF_SYMBOL = dict(zip("♠♡♢♣♤♥♦♧", "shdcshdc", strict=True))
_VARIATION_SELECTORS = ("\ufe0e", "\ufe0f")
_LONGEST_NOTATION = len("10♠\ufe0f")

HAND_SIZE = 3
"""Cards in a hand between two turns."""


class Card(StrEnum):
    """A card: rank (`2` to `9`, `T J Q K A`) then suit (`s h d c`), as in `Ks`, `Td`, `9h`; jokers are `X1`, `X2`.

    Answers always use this form. Requests may also write `10` for `T`, any letter case, and a suit symbol
    (U+2660 to U+2667, with or without a variation selector) for the suit letter.
    """

    _ignore_ = ["_names", "_code"]  # noqa: RUF012 - the enum machinery wants a plain list here
    _names = vars()
    for _code in _CODES:
        _names[_code] = _code
    X1 = "X1"
    X2 = "X2"

    def __init__(self, code: str) -> None:
        """Work out once what a card is worth and where it is shown."""
        self.is_joker = code[0] == "X"
        self.rank = code[0]
        self.suit = "" if self.is_joker else code[1]
        self.points = _POINTS.get(code[0], 0)
        """Points in its suit; a joker's are decided by the hand it is in."""
        self.height = 0 if self.is_joker else len(RANKS) - RANKS.index(code[0])
        """Place among the ranks, from 13 for an ace to 1 for a two. A joker has no rank and is below a two."""
        self.place = 52 + int(code[1]) if self.is_joker else SUITS.index(code[1]) * 13 + RANKS.index(code[0])
        """Place in the order in which cards are shown: by suit, from the highest rank down, jokers last."""
        self.sign = f"Joker {code[1]}" if self.is_joker else code[0].replace("T", "10") + _SYMBOLS[code[1]]
        """How a sentence shows the card: `10♠`."""

    @classmethod
    def _missing_(cls, value: object) -> "Card | None":
        """Understand the forgiving notations; anything else is not a card."""
        if not isinstance(value, str) or len(value) > _LONGEST_NOTATION:
            return None
        text = value[:-1] if value.endswith(_VARIATION_SELECTORS) else value
        if len(text) < len("Ks"):
            return None
        front, mark = text[:-1].upper().replace("10", "T"), text[-1]
        if front == "X":
            back = mark if text is value else ""
        else:
            back = _SUIT_OF_SYMBOL.get(mark) or (mark.lower() if text is value else "")
        return cls.__members__.get(front + back)


_PLACE = attrgetter("place")


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards as they are shown: suits s, h, d, c, each from the highest rank down, jokers last."""
    return tuple(sorted(cards, key=_PLACE))


def pack(jokers: int) -> frozenset[Card]:
    """Return the pack: 52 cards and so many jokers (0 to 2)."""
    return _PACKS[jokers]


_PACKS = tuple(frozenset(in_order(Card)[: 52 + jokers]) for jokers in range(3))
