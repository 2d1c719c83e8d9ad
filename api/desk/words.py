"""The words of the desk: all that it says by itself, from one file, so that others can translate it."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import SimpleNamespace

from schemas.cards import Card

Words = Mapping[str, Mapping[str, str]]
"""Sentences by part of the desk, and by what they are for."""


def spoken() -> Mapping[str, SimpleNamespace]:
    """Return all words for the templates, which name them with dots."""
    return {part: SimpleNamespace(**sentences) for part, sentences in words().items()}


@cache
def words() -> Words:
    """Return all words of the desk."""
    found: Words = tomllib.loads((files("api.desk") / "words.toml").read_text(encoding="utf-8"))
    return found


def name_of(card: Card) -> str:
    """Return what a card is called when it is read aloud: "king of spades"."""
    say = words()["cards"]
    if card.is_joker:
        return say["X"].format(number=card.value[1])
    return say["named"].format(rank=say.get(card.rank, card.rank), suit=say[card.suit])


def sentence(clause: str) -> str:
    """Return a clause as a sentence."""
    return f"{clause[:1].upper()}{clause[1:]}."
