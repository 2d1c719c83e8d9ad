"""Make the database of this version: `python -m tests.store.released`, once for each release."""

import sys
from pathlib import Path

from engine import VERSION
from replays.records import record_of
from replays.store import Store
from tests.corpus import hands

FOLDER = Path(__file__).parent
COUNT = 12


def make(path: Path) -> None:
    """Make a store of a few hands of the conformance cases, all of them different in kind."""
    cases = hands()
    questions = [case.question() for case in cases[:: len(cases) // COUNT][:COUNT]]
    store = Store(path, now=lambda: 1_800_000_000_000)
    store.keep([record_of(question.hand, question.rules) for question in questions])
    store.close()


if __name__ == "__main__":
    target = FOLDER / f"{VERSION}.sqlite"
    if target.exists():
        sys.exit(f"{target.name} has been made already, and what was released never changes.")
    make(target)
