"""A rule sheet before it is written down in a format: the whole of what it says, in plain text.

Cards are written as people write them (`K♠`). Nothing here is escaped or marked up: whoever shows a sheet does that.
"""

from msgspec import Struct

from schemas.examples import Story


class Sentence(Struct, frozen=True):
    """One sentence of rule text, and where it stands to the standard game and to its source."""

    says: str
    house: bool = False
    """Whether it is a house rule: the standard game of the form has another one."""
    reading: bool = False
    """Whether it is our reading, because the source is silent on it."""


class Section(Struct, frozen=True):
    """The sentences on one part of the game, in the order in which a table needs them."""

    heading: str
    sentences: tuple[Sentence, ...]


class Fact(Struct, frozen=True):
    """One of the few things to know at a glance: what it is about, and what it is."""

    label: str
    says: str


class Table(Struct, frozen=True):
    """A small table: a caption, a heading for each column, and rows with as many cells."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class HouseRule(Struct, frozen=True):
    """A question that this table answers otherwise than the standard game of its form."""

    question: str
    says: str
    """The sentence of the answer that is played here."""
    standard: str
    """The sentence of the standard game's answer."""


class Sheet(Struct, frozen=True):
    """A rule sheet: one rule set, told for the players at a table."""

    title: str
    summary: str
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    values: Table
    """What hands are worth; the first column shows cards, such as `A♠ K♠ 10♠`."""
    losses: Table
    """Who loses what, or who takes what, in every ending."""
    examples: tuple[Story, ...]
    house_rules: tuple[HouseRule, ...]
    sources: tuple[str, ...]
