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

    They are started while work is given to them. If interrupts are ignored meanwhile, they go on ignoring them.
    """
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _end_with_parent) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def on_signal(number: signal.Signals, handler: Any) -> Iterator[None]:  # noqa: ANN401 - a function, or a number for none
    """Handle a signal so inside the block."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, even if that was killed and could not say so."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()
