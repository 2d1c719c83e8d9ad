"""The targets: what is fed to what, and how it is mutated."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz import hands, notation, oracles, requests
from tests.fuzz.service import Service

SEEDS = Path(__file__).parent / "seeds"

Check = Callable[[bytes], None]
"""Raises where something is wrong."""
Mutate = Callable[[bytes, Random, Callable[[bytes], bytes]], bytes]
"""From an input, chance, and a mutation that knows nothing of the input, to another input."""


class Target(NamedTuple):
    """Something that takes bytes."""

    open: Callable[[], AbstractContextManager[Check]]
    mutate: Mutate


@contextmanager
def _service():
    with closing(Service()) as service:
        yield lambda data: oracles.check(service.hear(data))


@contextmanager
def _alone(check):
    yield check


TARGETS = {
    "requests": Target(_service, requests.mutated),
    "hands": Target(lambda: _alone(hands.check), hands.mutated),
    "notation": Target(lambda: _alone(notation.check), notation.mutated),
}


def seeds(target: str) -> list[Path]:
    """Return the files of a target's seeds."""
    return sorted(SEEDS.joinpath(target).iterdir())


def mutation(target: str, anyhow: Callable[[bytes, int], bytes]) -> Callable[[bytes, int, int], bytes]:
    """Return the function that makes another input, of a length and by a seed that the fuzzer chooses."""

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        return TARGETS[target].mutate(data, Random(seed), partial(_bounded, anyhow, longest))[:longest]

    return mutate


def _bounded(anyhow: Callable[[bytes, int], bytes], longest: int, data: bytes) -> bytes:
    return anyhow(data, max(longest, 1))
