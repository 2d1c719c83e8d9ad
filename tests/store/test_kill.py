"""The service is killed at any moment: what it acknowledged is there afterwards, and all that is there is whole."""

import subprocess
import sys
from contextlib import closing
from time import monotonic, sleep

from replays.store import Store
from tests.store.checking import check_whole, ids_in
from tests.store.hands import bodies
from tests.store.history import Load
from tests.store.serving import ROOT, SERVICE, SLOW, Client, started
from tests.store.soaking import SOAK, dice, either

CLIENTS = 8
ROUNDS = either(3, soak=50)
ENOUGH = either(100, soak=50_000)
SECONDS_TO_START = either(20, soak=10)
"""What a start may take on a machine that is busy with other tests; alone, it is one or two."""


def killed_under_load(server, hands, chance):
    """Let clients store hands, kill the service at some moment, and return what the clients were told."""
    load = Load([server.port], CLIENTS, hands)
    load.start()
    enough = chance.randrange(ENOUGH // ROUNDS * 3 // 4, ENOUGH // ROUNDS * 3 // 2)
    while len(load.history.acknowledged) < enough and server.process.poll() is None:
        sleep(0.005)
    sleep(chance.random() * 0.05)
    server.kill()
    return load.join()


def test_nothing_that_was_acknowledged_is_lost_when_the_service_is_killed(tmp_path):
    path = tmp_path / "replays.sqlite"
    chance, hands = dice(), bodies()
    acknowledged = set()
    for number in range(ROUNDS):
        began = monotonic()
        server = started(path, SLOW if number % 4 == 2 else SERVICE)
        assert monotonic() - began < SECONDS_TO_START
        with Client(server.port) as client:
            assert client.ask("GET", "/health/ready").status == 200
            for replay in chance.sample(sorted(acknowledged), min(10, len(acknowledged))):
                assert client.ask("GET", f"/v1/replays/{replay}").value["replay"] == replay
        history = killed_under_load(server, hands, chance)
        assert history.faults == []
        assert history.refused == 0
        acknowledged |= history.acknowledged
        assert acknowledged <= ids_in(path)
    stored = check_whole(path)
    assert acknowledged <= stored
    assert len(stored) <= len(acknowledged) + ROUNDS * CLIENTS  # what was under way may be there or not
    assert len(acknowledged) >= ENOUGH // 2
    if SOAK:
        assert len(acknowledged) >= ENOUGH
        print(f"{len(acknowledged)} acknowledged in {ROUNDS} rounds")  # noqa: T201 - what a run has shown; pytest keeps it unless asked


def test_the_same_test_finds_what_a_store_loses_that_acknowledges_too_early(tmp_path):
    path = tmp_path / "replays.sqlite"
    chance, hands = dice(), bodies()
    lost = set()
    for _ in range(10):
        history = killed_under_load(started(path, (*SLOW, "early")), hands, chance)
        lost |= history.lost(ids_in(path))
        if lost:
            break
    assert lost
    check_whole(path)  # it is lost, not damaged


def test_the_making_of_a_store_can_be_cut_off_at_any_moment(tmp_path):
    chance = dice()
    for number in range(either(1, soak=40)):
        folder = tmp_path / str(number)
        folder.mkdir()
        process = subprocess.Popen([sys.executable, "-c", MAKE_STORES, folder], cwd=ROOT)  # noqa: S603 - our own
        while not (folder / "0.sqlite").exists() and process.poll() is None:
            sleep(0.001)
        sleep(chance.random() * 0.1)
        process.kill()
        process.wait()
        for path in folder.glob("*.sqlite"):
            with closing(Store(path)) as store:
                store.open()
            assert check_whole(path) == set()


MAKE_STORES = """
import sys
from itertools import count
from pathlib import Path
from replays.connection import open_to_write

for number in count():
    open_to_write(Path(sys.argv[1]) / f"{number}.sqlite").close()
"""
