"""What a text says: the record of a hand, and what people at a table note beside it."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from schemas.hand import Hand
from schemas.options import Choice


class NotatedRules(Struct, frozen=True):
    """The rules that a table thought it was playing, as far as the text says them."""

    preset: str | UnsetType = UNSET
    """A preset's id. Which ids there are, whoever reads the text has to say."""
    changes: Mapping[str, Choice] = {}
    """The options that are answered otherwise, by name."""


class Comment(Struct, frozen=True):
    """What somebody noted on an event, or on the hand if `event` is None."""

    event: int | None
    """Position in `events`, from 0."""
    says: str
    """One line, without `}`, with single blanks between its words and none at its ends; not empty."""


class Notated(Struct, frozen=True):
    """A hand as a text has it."""

    hand: Hand
    rules: tuple[NotatedRules, ...] = ()
    """In the order of the text."""
    disputed: tuple[int, ...] = ()
    """Positions of the events in dispute, ascending."""
    comments: tuple[Comment, ...] = ()
    """Those on the hand first, then in the order of the events."""
