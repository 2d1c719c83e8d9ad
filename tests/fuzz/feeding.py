"""The process that feeds one target until its time is over or something is wrong.

It is `python -m tests.fuzz.feeding TARGET`, and the other arguments are libFuzzer's.
"""

import logging
import sys

import atheris


def main() -> None:
    """Feed the target; the process ends in here."""
    name, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=["api", "engine", "schemas", "replays", "uvicorn"]):
        from tests.fuzz.targets import TARGETS, mutation  # noqa: PLC0415 - what is imported here is instrumented
    logging.disable()
    with TARGETS[name].open() as check:
        atheris.Setup([sys.argv[0], *arguments], check, custom_mutator=mutation(name, _mutate))
        atheris.Fuzz()


def _mutate(data: bytes, longest: int) -> bytes:
    """Return what libFuzzer itself would make of an input."""
    from atheris.core_with_libfuzzer import Mutate  # noqa: PLC0415 - it is there once the fuzzing has begun

    # `atheris.Mutate` takes the fuzzing not to have begun, in 3.0.
    return Mutate(data, longest)


if __name__ == "__main__":
    main()
