"""What comparisons and disputes hold to, whoever asks: how much they may be, and whom a claim is about."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import UNSET

from schemas.disputes import Claim

MOST_WORK = 2_000_000
"""Events that are judged for a question at the most, or so: a few seconds."""

MOST_RULE_SETS = 64
"""Rule sets that are compared at once."""


class Misplaced(NamedTuple):
    """A claim that is not about the players of a hand: why, its place, and the field that is at fault."""

    says: str
    place: int
    field: Literal["changes", "by"]


def misplaced(claims: Sequence[Claim], players: int) -> Iterator[Misplaced]:
    """Yield what is wrong with claims about a hand of so many players."""
    for place, claim in enumerate(claims):
        if len(claim.changes) != players:
            says = f"A claim has a change for each of the {players} players, but this one has {len(claim.changes)}."
            yield Misplaced(says, place, "changes")
        if claim.by is not UNSET and claim.by > players:
            yield Misplaced(f"There is no seat {claim.by} at a table of {players}.", place, "by")
