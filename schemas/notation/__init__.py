"""The text notation of a hand: one typed at a table, read forgivingly and written in one strict form."""

from schemas.notation.mistakes import Mistake, NotationError
from schemas.notation.notated import Comment, Notated, NotatedRules
from schemas.notation.reading import Span, event_places, read, rules_places
from schemas.notation.writing import write

__all__ = [
    "Comment",
    "Mistake",
    "Notated",
    "NotatedRules",
    "NotationError",
    "Span",
    "event_places",
    "read",
    "rules_places",
    "write",
]
