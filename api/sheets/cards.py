"""How cards look: drawn as pictures of their own, and coloured where they stand in a sentence.

A picture needs no font and no colour to be read: ranks and suits are drawn as paths, and no two suits have one shape.
"""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from schemas.cards import Card

Colour = Literal["red", "black"]

INKS: dict[Colour, str] = {"red": "#b5121b", "black": "#111111"}
"""The inks of the suits: dark enough to be read on white, and to stay dark on a printer without colours."""

MARKED: dict[Colour, str] = {
    "red": r"\b(?:10|[2-9JQKA])[♥♦]|[♥♦]",
    "black": r"\b(?:10|[2-9JQKA])[♠♣]|[♠♣]",
}
"""What is shown in a colour within a text: a card, or a suit by itself. The patterns mean the same in typst."""

WIDTH, HEIGHT = 24, 32
"""The size of a drawn card, in the units that its paths are drawn in."""

_ANY = re.compile("|".join(f"(?P<{colour}>{pattern})" for colour, pattern in MARKED.items()))

# Ranks are strokes in a box of 10 by 14.
_RANKS = {
    "A": "M.5 14 5 0 9.5 14M2.2 9.4H7.8",
    "K": "M1 0V14M9 0 1 8.4M4.2 5.4 9.5 14",
    "Q": "M5 0C8 0 9.6 2.8 9.6 7S8 14 5 14 .4 11.2.4 7 2 0 5 0ZM5.8 10 9.8 15",
    "J": "M8.2 0V9.6C8.2 12.4 6.9 14 4.6 14S1 12.7 1 10.2",
    "T": "M-1.2 2.6 1 0V14M8 0C10.3 0 11.6 2.8 11.6 7S10.3 14 8 14 4.4 11.2 4.4 7 5.7 0 8 0Z",
    "9": "M1.5 12.4C2.2 13.4 3.3 14 4.7 14 7.7 14 9.2 10.8 9.2 5.8V4.4A4.2 4.4 0 1 0 .8 4.4 4.2 4.4 0 1 0 9.2 4.4",
    "8": "M5 0A3.5 3.2 0 0 1 5 6.5 3.5 3.2 0 0 1 5 0ZM5 6.5A4.2 3.7 0 0 1 5 14 4.2 3.7 0 0 1 5 6.5Z",
    "7": "M.8 0H9.2C6.2 4 4.6 8.6 4.2 14",
    "6": "M8.5 1.6C7.8.6 6.7 0 5.3 0 2.3 0 .8 3.2.8 8.2V9.6A4.2 4.4 0 1 0 9.2 9.6 4.2 4.4 0 1 0 .8 9.6",
    "5": "M8.6 0H2.2L1.5 6.3C2.4 5.6 3.6 5.2 4.8 5.2 7.5 5.2 9.2 7 9.2 9.6S7.4 14 4.7 14C2.6 14 1.2 13 .6 11.4",
    "4": "M7.2 14V0L.6 10H9.8",
    "3": "M1 0H9L4.6 5.5C7.5 5.3 9.2 7.2 9.2 9.7S7.5 14 4.8 14 1 13 .6 10.9",
    "2": "M1 3.6C1 1.3 2.6 0 5 0S9 1.4 9 3.8C9 6.5 6.5 8.2 1 14H9.3",
}

# Suits are filled shapes in a box of 10 by 10.
_STEM = "5.3 8.5 5.9 9.5 7 10H3C4.1 9.5 4.7 8.5 4.7 7.2"
_SUITS = {
    "s": f"M5 0C8 2.5 9.8 4.3 9.8 6.2 9.8 7.6 8.7 8.4 7.6 8.4 6.6 8.4 5.8 8 5.3 7.2 {_STEM} "
    "4.2 8 3.4 8.4 2.4 8.4 1.3 8.4.2 7.6.2 6.2.2 4.3 2 2.5 5 0Z",
    "h": "M5 9.8C2 7.2.2 5.2.2 3 .2 1.4 1.4.3 2.8.3 3.8.3 4.6.9 5 1.8 5.4.9 6.2.3 7.2.3 8.6.3 9.8 1.4 9.8 3 "
    "9.8 5.2 8 7.2 5 9.8Z",
    "d": "M5 0C6 1.8 7.4 3.6 8.8 5 7.4 6.4 6 8.2 5 10 4 8.2 2.6 6.4 1.2 5 2.6 3.6 4 1.8 5 0Z",
    "c": "M2.7 2.4A2.3 2.3 0 0 1 7.3 2.4 2.3 2.3 0 0 1 6.5 4.1 2.3 2.3 0 1 1 5.3 7 "
    f"{_STEM.replace('5.3', 'C5.3', 1)}V7A2.3 2.3 0 1 1 3.5 4.1 2.3 2.3 0 0 1 2.7 2.4Z",
    "": "M5 0 6.5 3.4 10 3.8 7.4 6.2 8.1 9.8 5 8 1.9 9.8 2.6 6.2 0 3.8 3.5 3.4Z",
}


class Part(Struct, frozen=True):
    """A piece of a text: plain, or a card or a suit that is shown in the suit's colour."""

    says: str
    colour: Colour | None = None


def parts(text: str) -> Iterator[Part]:
    """Return the pieces of a text in order: what is plain, and each card (`10♥`) or suit (`♥`) with its colour."""
    start = 0
    for found in _ANY.finditer(text):
        if found.start() > start:
            yield Part(text[start : found.start()])
        yield Part(found[0], "red" if found["red"] else "black")
        start = found.end()
    if start < len(text):
        yield Part(text[start:])


def colour_of(card: Card) -> Colour:
    """Return the colour that a card is shown in: red for hearts, diamonds and the second joker."""
    return "red" if card.suit in {"h", "d"} or card is Card.X2 else "black"


def card_svg(card: Card, *, faded: bool = False) -> str:
    """Return a card as an SVG image: its rank above its suit; a joker has a star, the second one two of them.

    A faded card is shown lighter, as one that does not count.
    """
    opacity = ' opacity=".4"' if faded else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{card.sign}">'
        f"<g{opacity}>{''.join(_drawn(card))}</g></svg>"
    )


def all_cards_svg() -> str:
    """Return one SVG file with every card as a symbol, whose id is the card's name: `cards.svg#Ks`."""
    symbols = [f'<symbol id="{card}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(_drawn(card))}</symbol>' for card in Card]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def _drawn(card: Card) -> Iterator[str]:
    """Yield the outline of a card and the paths on its face."""
    yield '<rect x=".5" y=".5" width="23" height="31" rx="3" fill="#fff" stroke="#777"/>'
    yield from _face(card)


def _face(card: Card) -> Iterator[str]:
    """Yield the paths on the face of a card."""
    ink, suit = INKS[colour_of(card)], _SUITS[card.suit]
    if card.is_joker:
        for place in _STARS[card]:
            yield f'<path transform="{place}" d="{suit}" fill="{ink}"/>'
        return
    yield (
        f'<path transform="translate(7.5 4.2) scale(.9 .8)" d="{_RANKS[card.rank]}" fill="none" stroke="{ink}" '
        'stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>'
    )
    yield f'<path transform="translate(6.5 17.4) scale(1.1)" d="{suit}" fill="{ink}"/>'


_STARS = {
    Card.X1: ("translate(3.5 7.5) scale(1.7)",),
    Card.X2: ("translate(6.5 4) scale(1.1)", "translate(6.5 17) scale(1.1)"),
}
