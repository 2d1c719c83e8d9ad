"""Traffic: what all connections of a process come to, and whether it is too much.

A request that is turned away costs a fraction of one that is answered, so that the service goes on answering as many as
it can. Those it takes wait for each other in the event loop; how many it takes at once decides how long they wait.
"""

import asyncio
from collections.abc import Collection
from time import monotonic
from typing import Protocol

from api.bounds import LIMITS, Limits
from api.cors import Cors
from api.tallies import Tallies
from api.tracing import log_turned_away

_TICK = 0.1
"""Seconds between two looks at the event loop."""
_TICKS_A_SECOND = 10
_FEWEST = 64
"""Requests that are no reason for the event loop to come late, so that the machine must be busy with something else."""


class Watched(Protocol):
    """A connection that is looked at once a second."""

    def check(self, now: float) -> None:
        """Cut the connection off if it has kept the service waiting for too long; `now` is in the loop's time."""


class Traffic:
    """The connections and requests of one event loop."""

    def __init__(self, limits: Limits = LIMITS, tallies: Tallies | None = None, cors: Cors | None = None) -> None:
        """Begin with nothing; the watch begins with the first connection.

        Requests that never come to the application are counted in its tallies, and may be read by the same pages.
        """
        self.limits = limits
        self.tallies = tallies or Tallies()
        self.cors = cors
        self.under_way = 0
        """Requests that have come whole, or are answered before that, and have no whole answer yet; without streams."""
        self.is_ending = False
        """Whether the service is about to stop."""
        self.requests_turned_away = 0
        self.connections_turned_away = 0
        self._most = limits.requests
        self._is_watching = False
        self._unchecked: list[Watched] = []
        self._share = 1

    @property
    def is_too_much(self) -> bool:
        """Return whether another request is to be turned away."""
        return self.under_way >= self._most

    def watch(self, loop: asyncio.AbstractEventLoop, connections: Collection[Watched]) -> None:
        """Look after these connections until there are none."""
        if not self._is_watching:
            self._is_watching = True
            loop.call_later(_TICK, self._tick, loop, connections, monotonic() + _TICK, 1)

    def _tick(self, loop: asyncio.AbstractEventLoop, connections: Collection[Watched], due: float, count: int) -> None:
        now = monotonic()
        self._adapt(now - due)
        self._check_some(loop.time(), connections)
        if count % _TICKS_A_SECOND == 0 or not connections:
            self.log_turned_away()
        self._is_watching = bool(connections)
        if connections:
            loop.call_later(_TICK, self._tick, loop, connections, now + _TICK, count + 1)

    def _check_some(self, now: float, connections: Collection[Watched]) -> None:
        """Check a tenth of the connections, so that many that are to be cut off at the same time hold up nobody."""
        if not self._unchecked:
            self._unchecked = list(connections)
            self._share = len(self._unchecked) // _TICKS_A_SECOND + 1
        some, self._unchecked = self._unchecked[: self._share], self._unchecked[self._share :]
        for connection in some:
            if connection in connections:
                connection.check(now)

    def _adapt(self, lag: float) -> None:
        """Take fewer requests at once while the loop comes late to what is due, and slowly more when it does not."""
        if lag > self.limits.lag and self.under_way > _FEWEST:
            self._most = min(self._most, max(_FEWEST, self.under_way * 3 // 4))
        else:
            self._most = min(self.limits.requests, self._most + self._most // 8)

    def log_turned_away(self) -> None:
        """Log what was turned away since the last time, in one line: a line for each would cost more than it does."""
        requests, self.requests_turned_away = self.requests_turned_away, 0
        connections, self.connections_turned_away = self.connections_turned_away, 0
        if requests or connections:
            log_turned_away(requests, connections)
