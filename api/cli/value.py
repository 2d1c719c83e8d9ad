"""`thirtyone value`: what hands are worth."""

import re
from collections.abc import Sequence

import click
import msgspec

from api.cli.choosing import Asked, rules_option
from api.cli.citing import cite
from api.cli.hand_command import HandCommand
from api.cli.pointing import NotUnderstoodError, in_argument
from api.cli.printing import Page
from api.valuing import IncompleteHandError, NoHandError, ValuationAnswer, valued
from engine.wording import points
from schemas.cards import HAND_SIZE, Card

_PART = re.compile(r"[^\s,;]+")
_TOGETHER = re.compile(r"(?:10|[2-9TJQKA])(?:[shdc]|[♠-♧][\ufe0e\ufe0f]?)|X[12]", re.IGNORECASE)
"""A card in a word of several."""


@click.command(cls=HandCommand)
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@rules_option
@click.option("--partial", is_flag=True, help="Value hands of one or two cards, too.")
@click.option("--json", "as_json", is_flag=True, help="Print what the service would answer.")
def command(hands: tuple[str, ...], asked: Asked, *, partial: bool, as_json: bool) -> None:
    """Tell what hands are worth, each by itself.

    A HAND is three cards, such as 'Ks 9s 2h', '10♥,8♥,3♠' or ks9s2h. Cards that are given one by one are one hand.
    """
    rules = asked.over().rules
    written = _written(hands)
    held = [_cards(each) for each in written]
    try:
        answer = valued(held, rules, partial=partial)
    except IncompleteHandError as error:
        advice = "; --partial values fewer" if len(held[error.place]) < HAND_SIZE else ""
        raise NotUnderstoodError(in_argument(f"{error}{advice}.", "", written[error.place])) from None
    except NoHandError as error:
        raise NotUnderstoodError(in_argument(str(error), "", written[error.place])) from None
    if as_json:
        click.echo(msgspec.json.encode(answer))
    else:
        _tell(answer)


def _written(hands: Sequence[str]) -> list[str]:
    """Return the hands as they are written; single cards together are one."""
    if len(hands) > 1 and all(_is_card(each) for each in hands):
        return [" ".join(hands)]
    return list(hands)


def _is_card(text: str) -> bool:
    return _card(text) is not None


def _cards(hand: str) -> tuple[Card, ...]:
    """Return the cards of a hand; raise NotUnderstoodError for what is none."""
    cards: list[Card] = []
    for part in _PART.finditer(hand):
        card = _card(part[0])
        together = _TOGETHER.findall(part[0])
        if card is not None:
            cards.append(card)
        elif "".join(together) == part[0]:
            cards += [Card(each) for each in together]
        else:
            says = f"`{part[0]}` is not a card. A card is a rank and a suit, such as `Ks`."
            raise NotUnderstoodError(in_argument(says, "", hand, part.start(), len(part[0])))
    if not cards:
        raise NotUnderstoodError(in_argument("A hand has three cards, and here is none.", "", hand))
    return tuple(cards)


def _card(text: str) -> Card | None:
    try:
        return Card(text)
    except ValueError:
        return None


def _tell(answer: ValuationAnswer) -> None:
    page = Page()
    page.table(
        ("Cards", "Counted", "Value"),
        [
            (page.cards(each.cards, each.counted), page.cards(each.counted), points(round(2 * each.value)))
            for each in answer.valuations
        ],
    )
    for each in answer.valuations:
        page.gap()
        cite(page, each.citations, answer.rules)
