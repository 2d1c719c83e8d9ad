"""Rate limits: how often each may ask, counted in memory by the process that answers.

A window begins with the first request in it. It is the plainest strategy of the library's, and the only one whose
counter is one number and whose headers are exact; the price is that twice the limit can pass around a window's end.
"""

from collections.abc import Callable, Mapping
from math import ceil
from time import monotonic

from limits import RateLimitItem
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from msgspec import Struct

from api.problems import TOO_MANY_REQUESTS, Fault

MOST_COUNTED = 50_000
"""How many are counted at once, in some 10 MB."""


class Limiter:
    """Counts the requests of each, and refuses those over the limit."""

    def __init__(
        self, limit: RateLimitItem, *, most_counted: int = MOST_COUNTED, now: Callable[[], float] = monotonic
    ) -> None:
        self._limit = limit
        self._seconds = limit.get_expiry()
        self._now = now
        self._strategy = FixedWindowRateLimiter(_Windows(most_counted, now))
        self._policy = f'"default";q={limit.amount};w={self._seconds}'

    def check(self, who: str) -> Mapping[str, str]:
        """Count a request; return the headers that say how many are left, and raise a 429 fault for one too many.

        The headers are those of draft-ietf-httpapi-ratelimit-headers-10. The fault has them too.
        """
        admitted = self._strategy.hit(self._limit, who)
        reset, remaining = self._strategy.get_window_stats(self._limit, who)
        seconds = max(1, ceil(reset - self._now()))
        headers = {"RateLimit-Policy": self._policy, "RateLimit": f'"default";r={remaining};t={seconds}'}
        if not admitted:
            raise Fault(
                TOO_MANY_REQUESTS,
                f"The limit is {self._limit.amount} in {self._seconds} seconds; try again in {seconds}.",
                headers={"Retry-After": str(seconds), **headers},
            )
        return headers


class _Window(Struct, gc=False):
    """The requests of one, up to a time."""

    end: float
    count: int = 0


class _Windows(Storage):
    """The library's storage, for one limit and with a bound.

    The library's own memory storage has none: it holds whatever has not expired. It also looks for what has in a
    thread, through all that there is, up to a hundred times a second. All windows of one limit have the same length, so
    the first to begin is the first to end, and it is enough to look at the front.
    """

    STORAGE_SCHEME = None  # not to be had by an address

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        super().__init__()
        self._most = most
        self._now = now
        self._windows: dict[str, _Window] = {}

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count requests in the window under way, or in a new one."""
        window = self._open(key)
        if window is None:
            self._make_room(key)
            window = self._windows[key] = _Window(self._now() + expiry)
        window.count += amount
        return window.count

    def get(self, key: str) -> int:
        """Return how many have been counted in the window under way."""
        window = self._open(key)
        return window.count if window else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window under way ends."""
        window = self._open(key)
        return window.end if window else self._now()

    def clear(self, key: str) -> None:
        """Forget a window."""
        self._windows.pop(key, None)

    def reset(self) -> int:
        """Forget every window; return how many there were."""
        count = len(self._windows)
        self._windows.clear()
        return count

    def check(self) -> bool:
        """Return that the storage works."""
        return True

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return what the storage may raise: nothing of its own."""
        return LookupError

    def _open(self, key: str) -> _Window | None:
        window = self._windows.get(key)
        return window if window and window.end > self._now() else None

    def _make_room(self, key: str) -> None:
        """Forget the windows that are over, and the oldest where there are too many.

        Whoever asks from so many addresses at once could use each of them up to the limit anyway; to refuse newcomers
        instead would let them shut everybody out.
        """
        self._windows.pop(key, None)
        while self._windows:
            oldest = next(iter(self._windows))
            if self._windows[oldest].end > self._now() and len(self._windows) < self._most:
                return
            del self._windows[oldest]
