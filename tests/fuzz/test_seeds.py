"""Every seed of the fuzz targets, and every input that once found a fault, goes through all their checks."""

from random import Random

import pytest

from tests.fuzz.targets import TARGETS, mutation, seeds

SEEDS = [(target, file) for target in TARGETS for file in seeds(target)]


@pytest.fixture(scope="module")
def checks():
    opened = {name: target.open() for name, target in TARGETS.items()}
    yield {name: each.__enter__() for name, each in opened.items()}
    for each in opened.values():
        each.__exit__(None, None, None)


@pytest.mark.parametrize(("target", "file"), SEEDS, ids=[f"{target}/{file.name}" for target, file in SEEDS])
def test_a_seed(checks, target, file):
    checks[target](file.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_mutations_of_the_seeds(checks, target):
    """The fuzzer's own mutations work without it, and what they make goes through the checks too."""
    random = Random(31)
    mutate = mutation(target, lambda data, longest: data[: random.randrange(1 + min(len(data), longest))])
    made = [mutate(random.choice(seeds(target)).read_bytes(), 20_000, seed) for seed in range(200)]
    assert len(set(made)) > 150
    for data in made:
        checks[target](data)
