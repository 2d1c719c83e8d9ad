"""Several processes for one command, none of which outlives it."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread
from typing import Any


def cores() -> int:
    """Return how many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Lend so many processes; what they have not begun when the block is left is not done.

    They are started while work is given to them, which has to be done undisturbed. They ignore interrupts, which are
    for the process that started them.
    """
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals to end wait until the block is left.

    A process that is broken off while it starts another leaves that one with half of what it needs, and with much to
    say about it. The one that is started has such signals wait, too, until it has begun.
    """
    _let_wait(wait=True)
    try:
        yield
    finally:
        _let_wait(wait=False)


@contextmanager
def on_signal(number: signal.Signals, handler: Any) -> Iterator[None]:  # noqa: ANN401 - a function, or a number for none
    """Handle a signal so inside the block."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _let_wait(*, wait: bool) -> None:
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK if wait else signal.SIG_UNBLOCK, _TO_END)


_TO_END = (signal.SIGINT, signal.SIGTERM)


def _begin() -> None:
    """Make this process one that ends when it is told to, and with the one that started it, but not on an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _let_wait(wait=False)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, even if that was killed and could not say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
