"""Whether the long forms of the tests are asked for: `make soak` does so by setting SOAK=1."""

import os
from random import Random, SystemRandom
from typing import TypeVar

T = TypeVar("T")

SOAK = os.environ.get("SOAK") == "1"


def either(short: T, *, soak: T) -> T:
    """Return what a test does in the suite, or what it does in a soak."""
    return soak if SOAK else short


def dice() -> Random:
    """Return a source of chance: the same in every run of the suite, another one in every soak.

    SEED sets it, to see a failure again. The seed is printed, which pytest shows if the test fails.
    """
    seed = int(os.environ.get("SEED") or either(31, soak=SystemRandom().randrange(1_000_000)))
    print(f"SEED={seed}")  # noqa: T201 - what a run has shown; pytest keeps it unless asked
    return Random(seed)
