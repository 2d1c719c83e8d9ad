"""Tallies: what one application has done so far, in plain numbers that cost next to nothing to keep.

`metrics` reads them. Nothing that a client chooses is a key of any of them, so they do not grow with what is asked.
"""

from bisect import bisect_left
from threading import Lock
from typing import get_args

from msgspec import Struct

from schemas.ruling import Outcome

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds up to which answers are counted together."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"
NO_ROUTE = "none"
"""Stands for the route of a request for an address where nothing is."""


class Answered(Struct, gc=False):
    """The requests of one kind that have been answered."""

    counts: list[int]
    """How many took up to each of BOUNDS, but longer than the one before; the last took longer than all."""
    seconds: float = 0.0
    """How long all of them took."""


class Tallies:
    """What has been answered, judged and kept since the application was made."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.answered: dict[tuple[str, str, int], Answered] = {}
        """By route, method and status."""
        self.rulings = dict.fromkeys(get_args(Outcome), 0)
        """By outcome."""
        self.kept = 0
        """Replays that were new."""
        self._judging = Lock()

    def count_answer(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answer that has been sent; the event loop's own thread does so, one at a time."""
        answered = self.answered.get((route, method, status)) or self._answered(route, method, status)
        answered.counts[bisect_left(BOUNDS, seconds)] += 1
        answered.seconds += seconds

    def count_ruling(self, outcome: str) -> None:
        """Count a ruling; several threads may judge at once."""
        with self._judging:
            self.rulings[outcome] += 1

    def _answered(self, route: str, method: str, status: int) -> Answered:
        """Return the tally of a kind that there is none of yet, or that is counted with others."""
        kind = (route or NO_ROUTE, method if method in _METHODS else OTHER_METHOD, status)
        return self.answered.setdefault(kind, Answered([0] * (len(BOUNDS) + 1)))
