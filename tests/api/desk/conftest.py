"""What the tests of the desk share."""

import pytest

from engine.presets import PRESET_BY_ID
from replays.records import record_of
from schemas.notation import read
from tests.api.desk.replaying import HAND


@pytest.fixture(scope="session")
def kept(store):
    """The id of a stored replay; with it, the store is there."""
    hand = read(HAND).hand
    record = record_of(hand, PRESET_BY_ID["pub"].rules)
    store.keep([record])
    return record.replay.hex()
