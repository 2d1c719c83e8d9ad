"""Lanes: threads for work that would hold up the event loop, each with a queue that is kept short.

Python runs one thread at a time, so more threads for what only computes would not do more, but each would have to wait
longer, and the event loop with them.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from math import ceil
from time import monotonic
from typing import Literal, ParamSpec, TypeVar

from litestar.types import Receive

from api.bounds import LIMITS, Limits
from api.problems import BAD_REQUEST, OVERLOADED, Fault

P = ParamSpec("P")
T = TypeVar("T")


class Lane:
    """Some threads, and the requests that wait for one. All of it is used from one event loop."""

    def __init__(self, name: str, threads: int, most_waiting: int, most_seconds: float) -> None:
        """Start no thread yet. So many may wait, and none of them longer than so many seconds."""
        self._executor = ThreadPoolExecutor(threads, name)
        self._free = threads
        self._threads = threads
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._most_waiting = most_waiting
        self._most_seconds = most_seconds
        self._seconds = 0.0
        """What a piece of work has taken lately."""

    async def do(self, receive: Receive | None, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what a piece of work returns, once it had its turn.

        Raises a 503 fault if the turn does not come in good time, at once where that can be told. With `receive`, the
        work is not begun if the client goes away before its turn, but a fault raised that nobody gets.
        """
        await self._turn(receive)
        began = monotonic()
        context = copy_context()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._executor, lambda: context.run(work, *arguments, **named)
            )
        finally:
            self._seconds += (monotonic() - began - self._seconds) / 8
            self._pass_on()

    async def _turn(self, receive: Receive | None) -> None:
        """Wait for a thread."""
        if self._free:
            self._free -= 1
            return
        wait = (len(self._waiting) + 1) * self._seconds / self._threads
        if len(self._waiting) >= self._most_waiting or wait > self._most_seconds:
            raise _too_much(wait)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            # How long work takes is known when it is done, which may be too late for those who wait already.
            async with asyncio.timeout(self._most_seconds):
                if receive is None:
                    await turn
                else:
                    await _before_it_is_gone(turn, receive)
        except TimeoutError:
            self._leave(turn)
            raise _too_much(self._most_seconds) from None
        except BaseException:
            self._leave(turn)
            raise

    def _leave(self, turn: asyncio.Future[None]) -> None:
        """Wait for a turn no longer."""
        if turn.done() and not turn.cancelled():
            self._pass_on()  # it came at the same time
        else:
            self._waiting.remove(turn)

    def _pass_on(self) -> None:
        """Give the thread to the next who waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


def _too_much(seconds: float) -> Fault:
    """Return the fault of work whose turn does not come; it may be asked for again after so many seconds."""
    detail = "Too much work waits for its turn already."
    return Fault(OVERLOADED, detail, headers={"Retry-After": str(min(60, max(1, ceil(seconds))))})


async def _before_it_is_gone(turn: asyncio.Future[None], receive: Receive) -> None:
    """Wait for a turn; raise a fault if the client, all of whose body has come, goes away first."""
    watching = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((turn, watching), return_when=asyncio.FIRST_COMPLETED)
        if not turn.done():
            raise Fault(BAD_REQUEST, "The client went away before its turn came.")
    finally:
        watching.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


LaneName = Literal["long", "store", "health"]
"""What only computes; what reads the store, and is short; and whether the service is ready, which has to be told even
if nothing else can be."""


class Lanes:
    """The lanes of an application. No work of one waits for that of another."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        """Start no thread yet."""
        waiting, seconds = limits.waiting, limits.waiting_seconds
        threads: dict[LaneName, int] = {"long": limits.threads, "store": limits.store_threads, "health": 1}
        self._lanes = {name: Lane(name, count, waiting, seconds) for name, count in threads.items()}

    def of(self, name: LaneName) -> Lane:
        """Return the lane of this name."""
        return self._lanes[name]
