"""What a rule sheet is made of, before it is written in a format. All text is plain; whoever shows it escapes it."""

from msgspec import Struct

from schemas.examples import Story


class Sentence(Struct, frozen=True):
    """A sentence of rule text."""

    says: str
    house: bool = False
    """Whether it differs from the standard game."""
    reading: bool = False
    """Whether the source is silent on it, so that it is our reading."""


class Section(Struct, frozen=True):
    """What belongs under one heading."""

    heading: str
    sentences: tuple[Sentence, ...]


class Fact(Struct, frozen=True):
    """Something to know at a glance."""

    label: str
    says: str


class Table(Struct, frozen=True):
    """A table; every row has a cell for each heading, and the first cell says what the row is about."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class HouseRule(Struct, frozen=True):
    """An answer that differs from the standard game's."""

    question: str
    says: str
    standard: str
    """What the standard game says instead."""


class Sheet(Struct, frozen=True):
    """A rule sheet."""

    title: str
    summary: str
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    values: Table
    """What representative hands are worth."""
    losses: Table
    """Who loses what, or who takes the pot, in every ending."""
    examples: tuple[Story, ...]
    house_rules: tuple[HouseRule, ...]
    sources: tuple[str, ...]
