"""A long mixed load: memory and the log stay small, answers stay quick, and nothing fails."""

import os
from pathlib import Path
from statistics import linear_regression, quantiles
from threading import Event, Thread
from time import monotonic

import pytest

from tests.store.checking import check_whole
from tests.store.hands import bodies
from tests.store.history import Load
from tests.store.serving import Client, serving
from tests.store.soaking import SOAK, dice

SECONDS = int(os.environ.get("SOAK_SECONDS", "600"))
MEGABYTE = 1_000_000
LARGEST_LOG = 64 * MEGABYTE
LEAST_HANDS = 20
"""Replays that a reader leaves to the others."""


class Reader(Thread):
    """A client that looks at replays, lists them, judges them again, and now and then deletes one."""

    def __init__(self, port, load, chance):
        super().__init__()
        self._port, self._load, self._chance = port, load, chance
        self.deleted = set()
        self.answers = 0
        self.wrong = []

    def run(self):
        known = []
        with Client(self._port) as client:
            while not self._load.stopping.is_set():
                page = client.ask("GET", f"/v1/replays?limit={self._chance.randrange(1, 30)}")
                self._note(page)
                known += [summary["replay"] for summary in page.value.get("replays", ())]
                for replay in self._chance.sample(known, min(10, len(known))):
                    self._note(client.ask("GET", f"/v1/replays/{replay}"), 404)
                    self._note(client.ask("POST", f"/v1/replays/{replay}/reruns", b"{}"), 404)
                if len(known) > LEAST_HANDS:
                    replay = known.pop(self._chance.randrange(len(known)))
                    self._note(client.ask("DELETE", f"/v1/replays/{replay}"), 204, 404)
                    self.deleted.add(replay)
                self._note(client.ask("GET", "/v1/replays?outcome=settled&players=4&cites=lose.lowest"))
                self._note(client.ask("GET", "/health/ready"))
                known = known[-1000:]

    def _note(self, answer, *allowed):
        self.answers += 1
        if answer.status not in {200, *allowed}:
            self.wrong.append(answer)


def resident(process):
    """Return the megabytes of memory that a process uses."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


@pytest.mark.skipif(not SOAK, reason="it takes ten minutes, or SOAK_SECONDS")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell how much memory is used")
def test_a_long_load_changes_nothing(tmp_path):
    path = tmp_path / "replays.sqlite"
    log = path.with_name(f"{path.name}-wal")
    memory, logs = [], []
    with serving(path) as server:
        load = Load([server.port], 8, bodies())
        readers = [Reader(server.port, load, dice()) for _ in range(2)]
        load.start()
        for reader in readers:
            reader.start()
        began, tick = monotonic(), Event()
        while monotonic() - began < SECONDS:
            tick.wait(1)
            memory.append((monotonic() - began, resident(server.process.pid)))
            logs.append(log.stat().st_size)
        load.stopping.set()
        history = load.join()
        for reader in readers:
            reader.join()
    settled = [sample for sample in memory if sample[0] > SECONDS / 4]
    slope = linear_regression(*zip(*settled, strict=True)).slope * 60
    first, last = (quantiles(seconds, n=100)[98] for seconds in parts(history.seconds))
    print(  # noqa: T201 - what a run has shown; pytest keeps it unless asked
        f"{len(history.acknowledged)} kept, {sum(reader.answers for reader in readers)} read; "
        f"memory {settled[0][1]:.0f} to {settled[-1][1]:.0f} MB, {slope:+.2f} MB a minute; "
        f"log up to {max(logs) / MEGABYTE:.0f} MB; p99 {first * 1000:.0f} ms at first, {last * 1000:.0f} ms at last"
    )
    assert history.faults == []
    assert [reader.wrong for reader in readers] == [[], []]
    assert history.lost(check_whole(path)) <= readers[0].deleted | readers[1].deleted
    assert slope < 1
    assert max(logs) < LARGEST_LOG
    assert last < 3 * first  # it may have to share the machine for a while


def parts(seconds):
    """Return the first and the last tenth."""
    tenth = len(seconds) // 10
    return seconds[:tenth], seconds[-tenth:]
