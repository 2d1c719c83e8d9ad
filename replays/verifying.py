"""Verifying: stored replays judged once more by this version of the engine, a range of rows at a time.

The ranges are for several processes to share; each of them opens the store by itself.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from replays.canonical import FORMAT
from replays.finding import Filters, Stored
from replays.rerun import Drift, answer_now, answer_to_compare, drift
from replays.store import Store
from replays.walking import Gap, walk

Verdict = Literal["same", "drifted", "damaged", "unreadable"]
"""What became of a replay; a gap in the file is `damaged`."""

Comparison = Literal["same"] | Drift
"""How a stored answer compares with that of now."""


Answers = Counter[tuple[str, Comparison]]
"""How many answers of a version of the engine compare so with those of now."""


class Found(NamedTuple):
    """What was found in a part of the store."""

    verdicts: Counter[Verdict]
    compared: Answers
    """The answers that the verdicts rest on."""
    others: Answers
    """The other answers to the same replays. They may differ: that is why there is a newer one."""
    report: list[str]
    """A sentence for each thing that is wrong."""


def verify_rows(database: Path, rows: tuple[int, int]) -> Found:
    """Return what is found from the first to the last of these rows; raise StoreError if they cannot be read."""
    found = nothing_found()
    first, last = rows
    for stored in walk(_store(database), Filters(), last + 1, first):
        if isinstance(stored, Gap):
            found.verdicts["damaged"] += 1
            found.report.append(str(stored))
        else:
            found.verdicts[_verdict(stored, found)] += 1
    return found


def verify_file(database: Path) -> Found:
    """Return what SQLite finds wrong with the file, indexes included; raise StoreError if it cannot be read."""
    found = nothing_found()
    found.report.extend([f"The file is damaged: {fault.removesuffix('.')}." for fault in _store(database).faults()])
    return found


def nothing_found() -> Found:
    """Return what is found where there is nothing."""
    return Found(Counter(), Counter(), Counter(), [])


@lru_cache(maxsize=1)
def _store(database: Path) -> Store:
    """Return the store of this process."""
    return Store(database)


def _verdict(stored: Stored, found: Found) -> Verdict:
    if not stored.sound:
        found.report.append(f"Replay {stored.id} is damaged: {_damage(stored)}.")
        return "damaged"
    try:
        comparisons = dict(_comparisons(stored))
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not keep the other replays from being verified
        found.report.append(f"Replay {stored.id} cannot be judged by this version: {_why(error)}.")
        return "unreadable"
    compared = answer_to_compare(stored.answers).engine
    for engine, comparison in comparisons.items():
        (found.compared if engine == compared else found.others)[engine, comparison] += 1
    if comparisons[compared] == "same":
        return "same"
    found.report.append(f"Replay {stored.id} has drifted from its answer of {compared} in {comparisons[compared]}.")
    return "drifted"


def _comparisons(stored: Stored) -> Iterator[tuple[str, Comparison]]:
    """Yield how each answer compares with that of now."""
    if stored.question.format != FORMAT:
        raise ValueError(f"its question is of format {stored.question.format}")
    now = answer_now(stored.question)
    for answer in stored.answers:
        yield answer.engine, drift(answer, now) or "same"


def _why(error: Exception) -> str:
    return str(error).removesuffix(".") or type(error).__name__


def _damage(stored: Stored) -> str:
    try:
        if stored.question.digest.hex() != stored.id:
            return "its question does not match its id"
    except (AttributeError, TypeError):
        return "its question is not there"
    return "an answer does not match its digest, or belongs to another replay" if stored.answers else "it has no answer"
