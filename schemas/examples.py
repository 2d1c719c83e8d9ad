"""Worked examples: whole hands that show one situation each, judged and told."""

from msgspec import Struct

from schemas.hand import Hand
from schemas.ruling import Ruling


class Passage(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a story in plain text: a paragraph, and the items of a list under it, if there is one.

    Cards are written as people write them (`K♠`), and names as they were given: whoever shows a passage escapes them.
    """

    says: str
    items: tuple[str, ...] = ()
    is_showdown: bool = False
    """Whether the items are the hands at the end, which can be drawn instead."""


class Story(Struct, frozen=True):
    """A worked example before it is written down in a format: the hand, its ruling, and what happens in it."""

    scenario: str
    title: str
    hand: Hand
    ruling: Ruling
    passages: tuple[Passage, ...]


class NoStory(Struct, frozen=True):
    """A scenario without an example under some rules, and why there is none."""

    scenario: str
    why: str
