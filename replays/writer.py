"""The writer: one thread and one connection that write; what waits is committed in one transaction.

A commit has to reach the disk, which takes far longer than writing a row. Whoever waits is told after the commit.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from msgspec import Struct
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one that sqlite-utils uses

from replays.faults import TROUBLE, StoreError, sentence_for
from replays.keeping import Keep, Keeper

T = TypeVar("T")

Work = Callable[[Keeper], Any]

MOST_TOGETHER = 256
"""Pieces of work that are committed together at the most, so that nobody waits for long."""

ENOUGH_TOGETHER = 32
"""Pieces of work that are worth a commit, so that the event loop and the thread work side by side under load."""

_OF_ALL = (sqlite3.OperationalError, sqlite3.InternalError)
"""Errors of the store. With any other, also where a part of the file is damaged, other work may go well."""


class _Job(Struct, eq=False):
    """A piece of work, and who waits for it."""

    work: Work
    waiting: "Future[Any] | asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop | None = None
    result: Any = None
    error: Exception | None = None

    def tell(self) -> None:
        """Tell whoever waits how it went; a caller who has gone away is not told."""
        if self.waiting.done():
            return
        if self.error is not None:
            self.waiting.set_exception(self.error)
        else:
            self.waiting.set_result(self.result)


class Writer:
    """Does pieces of work on the store, many in one transaction, each durable before it is reported done."""

    def __init__(self, connect: Callable[[], Keeper]) -> None:
        """Start nothing yet: the thread begins with the first piece of work."""
        self._connect = connect
        self._keeper: Keeper | None = None
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        """What was asked for and is not handed over yet; nobody but the loop's own thread looks at its list."""
        self._thread: Thread | None = None
        self._merging = True
        """Whether what is to be kept is kept as one piece."""
        self._lock = Lock()
        """Held while a job is handed over, and while the thread ends: no job comes to a thread that is not there."""

    @property
    def waiting(self) -> int:
        """How many pieces of work have not been begun; a moment later it may be another number."""
        return self._jobs.qsize() + sum(map(len, list(self._gathered.values())))

    def do(self, work: Callable[[Keeper], T]) -> T:
        """Return what a piece of work returns, once it is committed; raise StoreError if it cannot be."""
        future: Future[T] = Future()
        self._submit(_Job(work, future))
        return future.result()

    async def do_soon(self, work: Callable[[Keeper], T]) -> T:
        """Return what `do` returns, without holding up the event loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        gathered = self._gathered.setdefault(loop, [])
        if not gathered:
            loop.call_soon(self._hand_over, loop, 0)
        gathered.append(_Job(work, future, loop))
        return await future

    def _hand_over(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Submit what was asked for, once there is enough, or a turn of the event loop has brought no more.

        What comes at about the same time is committed together then, and what comes alone waits for nothing. To wake
        the thread for the first piece would also have the two wait for each other at every step.
        """
        jobs = self._gathered[loop]
        if before < len(jobs) < ENOUGH_TOGETHER:
            loop.call_soon(self._hand_over, loop, len(jobs))
            return
        del self._gathered[loop]
        try:
            self._submit(*jobs)
        except StoreError as error:
            for job in jobs:
                job.error = error
            _tell_each(jobs)

    def close(self) -> None:
        """Do what waits, then end the thread and close the connection; further work would begin anew."""
        with self._lock:
            if self._thread is not None:
                self._jobs.put(None)
                self._thread.join()
                self._thread = None

    def _submit(self, *jobs: _Job) -> None:
        with self._lock:
            if self._thread is None:
                thread = Thread(target=self._run, name="replay-writer", daemon=True)
                try:
                    thread.start()
                except RuntimeError as error:  # there are too many threads
                    raise StoreError(sentence_for(error)) from error
                self._thread = thread
            for job in jobs:
                self._jobs.put(job)

    def _run(self) -> None:
        stopping = False
        while not stopping:
            first = self._jobs.get()
            jobs = [] if first is None else [first]
            stopping = first is None
            with suppress(Empty):
                while not stopping and len(jobs) < MOST_TOGETHER:
                    job = self._jobs.get_nowait()
                    if job is None:
                        stopping = True
                    else:
                        jobs.append(job)
            self._do_together(jobs)
            _tell_all(jobs)
            if self._keeper is not None:
                with suppress(Exception):  # of trouble, the next work will tell; this thread has to go on
                    self._keeper.write_back()
        self._disconnect()

    def _do_together(self, jobs: list[_Job]) -> None:
        """Do the work in one transaction; if one piece fails by itself, do the others without it."""
        self._merging = True
        left = jobs
        while left:
            left = self._try_together(left)

    def _try_together(self, jobs: list[_Job]) -> list[_Job]:
        """Return what is still to be done: all but the piece of work that spoiled the transaction by itself."""
        at: list[_Job] = []
        try:
            keeper = self._connected()
            keeper.begin()
            for at in _merged(jobs) if self._merging else [[job] for job in jobs]:
                _work_on(at, keeper)
            at = []
            keeper.commit()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where it is waited for
            self._disconnect()
            told = StoreError(sentence_for(error)) if isinstance(error, TROUBLE) else error
            if not at or isinstance(error, _OF_ALL):
                for job in jobs:
                    job.error = told
                return []
            if len(at) > 1:
                self._merging = False  # to find out which of them it is
                return jobs
            at[0].error = told
            return [job for job in jobs if job is not at[0]]
        return []

    def _connected(self) -> Keeper:
        if self._keeper is None:
            self._keeper = self._connect()
        return self._keeper

    def _disconnect(self) -> None:
        """Close the connection, which rolls back; the next work opens another, so that trouble can pass."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            with suppress(Exception):  # it is let go of all the same; this thread has to go on, whatever happens
                keeper.close()


def _merged(jobs: list[_Job]) -> list[list[_Job]]:
    """Return the jobs in the order of doing them: all keeping as one piece, then every other by itself."""
    keeping = [job for job in jobs if isinstance(job.work, Keep)]
    others = [[job] for job in jobs if not isinstance(job.work, Keep)]
    return [keeping, *others] if keeping else others


def _work_on(piece: list[_Job], keeper: Keeper) -> None:
    """Do a piece of work: one job, or several that keep records."""
    if len(piece) == 1:
        piece[0].result = piece[0].work(keeper)
        return
    works = [job.work for job in piece if isinstance(job.work, Keep)]
    are_new = iter(keeper.keep([record for work in works for record in work.records], max(work.now for work in works)))
    for job, work in zip(piece, works, strict=True):
        job.result = list(islice(are_new, len(work.records)))


def _tell_all(jobs: list[_Job]) -> None:
    """Tell everyone who waits; an event loop is woken once for all that wait in it."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if job.loop is None:
            job.tell()
        else:
            by_loop.setdefault(job.loop, []).append(job)
    for loop, waiting in by_loop.items():
        with suppress(RuntimeError):  # the loop has been closed; nobody waits any more
            loop.call_soon_threadsafe(_tell_each, waiting)


def _tell_each(jobs: list[_Job]) -> None:
    for job in jobs:
        job.tell()
