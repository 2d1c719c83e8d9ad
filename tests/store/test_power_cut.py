"""The power is cut at any moment: what was acknowledged is on the disk, unless `synchronous` is less than FULL."""

from contextlib import closing, suppress
from random import Random

import pytest
from sqlite_utils.utils import sqlite3

from replays.faults import StoreError
from replays.store import Store
from tests.store.checking import check_whole
from tests.store.hands import records
from tests.store.power import Disk, PowerCutError, on
from tests.store.soaking import dice, either

SEEDS = either(20, soak=300)


def cut_off(folder, seed, monkeypatch, synchronous="FULL", *, killed_before=False):
    """Keep replays until the power is cut; return those acknowledged, and the file that is found afterwards.

    The service may be killed before, so that some of what is read back from the log has never been synced.
    """
    before, after = folder / "before", folder / "after"
    before.mkdir(parents=True)
    after.mkdir()
    chance = Random(seed)
    disk = Disk(chance, chance.randrange(10, 1500), at_a_sync=killed_before)
    waiting = chance.sample(records(200), 200)
    acknowledged = set()

    def keep():
        for start in range(0, chance.randrange(20, 200), 3):
            together = waiting[start : start + 3]
            store.keep(together)
            acknowledged.update(record.replay.hex() for record in together)

    with on(disk, monkeypatch, synchronous):
        for _ in range(2 if killed_before else 1):
            acknowledged.clear()
            store = Store(before / "replays.sqlite")
            with suppress(PowerCutError):
                keep()
            disk.power_on(0)  # before the store is closed: that would sync what is left
            store.close()
            disk.power_on(chance.randrange(10, 1500))
        disk.after_the_cut(after)
    return acknowledged, after / "replays.sqlite"


def lost(acknowledged, path):
    """Return what was acknowledged and is not there; fail if anything is damaged."""
    with closing(Store(path)) as store:
        store.open()
    return acknowledged - check_whole(path)


@pytest.mark.parametrize("killed_before", [False, True], ids=["cut", "killed, then cut"])
def test_nothing_that_was_acknowledged_is_lost(folder, monkeypatch, killed_before):
    chance, acknowledged = dice(), 0
    for _ in range(SEEDS):
        seed = chance.randrange(10**9)
        promised, path = cut_off(folder / str(seed), seed, monkeypatch, killed_before=killed_before)
        assert lost(promised, path) == set(), f"with the seed {seed}"
        acknowledged += len(promised)
    print(f"{acknowledged} acknowledged, 0 lost, 0 damaged files in {SEEDS}")  # noqa: T201 - what a run has shown; pytest keeps it unless asked
    assert acknowledged >= 10 * SEEDS


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_with_less_than_full_it_is(folder, monkeypatch, synchronous):
    chance, losses, damages = dice(), 0, 0
    for _ in range(SEEDS // 2):
        seed = chance.randrange(10**9)
        promised, path = cut_off(folder / str(seed), seed, monkeypatch, synchronous)
        try:
            losses += bool(lost(promised, path))
        except (AssertionError, StoreError, sqlite3.Error):
            damages += 1
    print(f"of {SEEDS // 2} files, {losses} with losses, {damages} damaged")  # noqa: T201 - what a run has shown; pytest keeps it unless asked
    assert losses + damages > SEEDS / 8
    assert bool(damages) == (synchronous == "OFF")
