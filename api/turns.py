"""Turns: the requests of one connection are answered one after the other, in the order in which they came."""

import asyncio
from collections import deque
from collections.abc import Callable

from uvicorn._types import ASGI3Application

from api.cycle import Cycle


class Turns:
    """Those requests of a connection that wait for their turn.

    One task answers all of them, since a task for each would cost a tenth of what lies between a request and its
    answer. It begins with the first request and ends with the connection.
    """

    def __init__(
        self, app: ASGI3Application, answered: Callable[[Cycle], None], tasks: set[asyncio.Task[None]]
    ) -> None:
        """Begin with no request; `answered` is called for each that has its answer, and `tasks` has the task."""
        self._app = app
        self._answered = answered
        self._tasks = tasks
        self._waiting: deque[Cycle] = deque()
        self._current: Cycle | None = None
        """The request that was last answered, or is being answered."""
        self._is_begun = self._is_over = False
        self._more: asyncio.Future[None] | None = None
        """What the task waits for when no request does."""

    def __len__(self) -> int:
        """Return how many requests wait."""
        return len(self._waiting)

    def add(self, cycle: Cycle) -> None:
        """Have a request answered after those before it."""
        self._waiting.append(cycle)
        if not self._is_begun:
            self._is_begun = True
            task = asyncio.get_running_loop().create_task(self._answer_all())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._go_on()

    def end(self) -> None:
        """Answer no more, and have whoever is still answering know."""
        self._waiting.clear()
        if self._current is not None:
            self._current.lose()
        self._is_over = True
        self._go_on()

    def _go_on(self) -> None:
        if self._more is not None:
            self._more.set_result(None)
            self._more = None

    async def _answer_all(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._is_over:
            if self._waiting:
                self._current = self._waiting.popleft()
                await self._current.run(self._app, self._answered)
            else:
                self._more = loop.create_future()
                await self._more
