"""Cards, one by one and as lists, as a text has them."""

from collections.abc import Iterable

from schemas.cards import Card
from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.scanning import Entry, Token

MOST_IN_PILE = 54
NOTHING = "nothing"
"""What stands for no cards."""


def card_of(token: Token) -> Card | None:
    """Return the card that a token is, in any notation; None if it is none."""
    try:
        return Card(token.text) if token.kind == "word" else None
    except ValueError:
        return None


def cards_of(of: Token, tokens: Entry, mistakes: Mistakes, most: int = MOST_IN_PILE) -> tuple[Card, ...]:
    """Return the cards that tokens name; what else there is, and a card beyond the `most`, is a mistake.

    That there are none has to be said: without a token the mistake is at the one that they are `of`.
    """
    listed = [token for token in tokens if token.text != ","]
    if not listed:
        mistakes.add(of, f"no cards are named here, not even `{NOTHING}`", "Ks 9s 2h")
    if len(listed) == 1 and listed[0].word == NOTHING:
        return ()
    if len(listed) > most:
        mistakes.add(listed[most], f"there are more than {most} cards", "Ks 9s 2h", listed[-1])
    found = [(card_of(token), token) for token in listed[:most]]
    for card, token in found:
        if card is None:
            not_a_card(token, mistakes)
    return tuple([card for card, _ in found if card is not None])


def not_a_card(token: Token, mistakes: Mistakes) -> None:
    """Note that a token is no card, where there has to be one."""
    if token.kind == "query":
        mistakes.add(token, "the record has to say which card this is", "Ks")
    else:
        mistakes.add(token, f"{shown(token.text)} is not a card", "Ks")


def written(cards: Iterable[Card]) -> str:
    """Return cards as the strict form has them."""
    return " ".join(cards) or NOTHING
