"""The service with a store whose statements fail now and then: `python -m tests.store.troubled SEED`."""

import sys

import pytest

from api.__main__ import command
from tests.store.faulty import Faults, suffering

RATE = 0.0002

if __name__ == "__main__":
    faults = Faults(int(sys.argv.pop()))
    faults.rate = RATE
    with suffering(faults, pytest.MonkeyPatch()):
        command()
