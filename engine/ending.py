"""The ending: how a hand came to be over."""

from msgspec import Struct

from engine.rulebook import Rule
from engine.table import Table
from schemas.rules import RuleSet
from schemas.ruling import Citation, EndedBy


class Ending(Struct):
    """How a hand ended: what ended it, who showed or held a 31, and who may still show one."""

    by: EndedBy
    citations: list[Citation]
    holders: list[int] = []
    """The players who are safe because they showed a 31, or hold one where it takes effect by itself."""
    claims: list[int] = []
    """The players who could still show a 31 that changes the result."""
    by_itself: bool = False
    """Whether the 31s took effect without being shown; showing them after the end then changes nothing."""


def cite_last(table: Table[RuleSet], rule: Rule, *seats: int, **facts: str) -> Citation:
    """Return the citation of a rule for the event that was applied last."""
    return table.clerk.cite(rule, *seats, event=table.at - 1, **facts)
