"""Rounds: the contestants take turns, so that what else the machine does hits all of them alike."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class WrongAnswerError(Exception):
    """An answer that was timed is not the right one, so its time means nothing."""


class Plan(NamedTuple):
    """How long to measure."""

    rounds: int
    seconds: float
    """Of one contestant's part in a round over HTTP; what runs in process needs less."""


def interleaved(plan: Plan, contestants: Mapping[str, Callable[[], T]]) -> dict[str, list[T]]:
    """Let every contestant run once a round, each round begun by another one; return what each measured."""
    measured: dict[str, list[T]] = {name: [] for name in contestants}
    names = list(contestants)
    for turn in range(plan.rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            measured[name].append(contestants[name]())
    return measured


def cpu_time(work: Callable[[Any], Any], inputs: Sequence[Any], answers: Sequence[Any], seconds: float) -> float:
    """Return the CPU seconds that one call takes; raise WrongAnswerError unless all calls answer right."""
    spent, calls = 0.0, 0
    while spent < seconds:
        began = process_time()
        given = [work(value) for value in inputs]
        spent += process_time() - began
        calls += len(given)
        if given != answers:
            raise WrongAnswerError(f"{work} gave another answer than before.")
    return spent / calls


def quotients(tops: Sequence[float], bottoms: Sequence[float]) -> list[float]:
    """Return the ratio of each round."""
    return [top / bottom for top, bottom in zip(tops, bottoms, strict=True)]


def microseconds(seconds: Sequence[float]) -> str:
    """Return the median of some times, for a reader."""
    return f"{median(seconds) * 1e6:.1f} µs"
