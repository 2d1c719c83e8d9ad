"""Bad days: more than can be answered, rude clients, a store that fails, and a service that is killed."""

import os
from pathlib import Path
from random import Random
from statistics import linear_regression
from threading import Event, Lock, Thread
from time import monotonic

import pytest

from tests.api.test_clients_who_go import ASKED, ask_and_go
from tests.store.checking import check_whole, ids_in
from tests.store.hands import bodies
from tests.store.history import Load
from tests.store.serving import Client, Server, started
from tests.store.soaking import SOAK, dice
from tests.store.test_soak import resident

SECONDS = float(os.environ.get("SOAK_MINUTES", "30")) * 60
STORING, ASKING, RUDE = 16, 16, 4
"""Clients of each kind; no pause between their requests."""
MOST_GROWTH = 20
"""Megabytes over half of the time, in which nothing is killed."""
DELIBERATE = {"/problems/overloaded", "/problems/store-unavailable"}


class Crowd:
    """Clients that ask for what is not kept, and rude ones, until the service is gone or they are told to stop."""

    def __init__(self, server: Server, chance: Random) -> None:
        self.answers = 0
        self.turned_away = 0
        self.wrong = []
        self._server = server
        self._stopping = Event()
        self._lock = Lock()
        seeds = [chance.randrange(10**9) for _ in range(ASKING + RUDE)]
        self._threads = [Thread(target=self._ask, args=(Random(seed),)) for seed in seeds[:ASKING]]
        self._threads += [Thread(target=self._be_rude, args=(Random(seed),)) for seed in seeds[ASKING:]]
        for thread in self._threads:
            thread.start()

    def _ask(self, chance):
        body = next(bodies(chance.randrange(1, 30)))
        asked = [
            *[("POST", "/v1/rulings?store=false", body)] * 50,
            ("POST", "/v1/disputes", body),
            ("GET", "/v1/replays?limit=5", b""),
            ("GET", "/v1/presets", b""),
            ("GET", "/health/live", b""),
        ]
        try:
            with Client(self._server.port) as client:
                while not self._stopping.is_set():
                    self._note(client.ask(*chance.choice(asked)))
        except OSError:
            pass  # the service is gone

    def _be_rude(self, chance):
        try:
            while not self._stopping.is_set():
                ask_and_go(self._server, chance.choice(list(ASKED.values())), 1)
                self._stopping.wait(chance.random() / 2)
        except OSError:
            pass  # likewise

    def _note(self, answer):
        with self._lock:
            self.answers += 1
            self.turned_away += answer.status == 503
            if answer.status != 200 and not is_deliberate(answer):
                self.wrong.append(answer)

    def leave(self):
        self._stopping.set()
        for thread in self._threads:
            thread.join()


def is_deliberate(answer):
    return answer.status == 503 and answer.value["type"] in DELIBERATE and answer.header("retry-after") is not None


@pytest.mark.skipif(not SOAK, reason="it takes half an hour, or SOAK_MINUTES")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell how much memory is used")
def test_bad_days_lose_nothing_and_leave_nothing(tmp_path):
    path = tmp_path / "replays.sqlite"
    chance, hands, tick = dice(), bodies(), Event()
    acknowledged, faults, wrong, memory = set(), [], [], []
    answers = turned_away = lives = 0
    began = monotonic()
    while monotonic() < began + SECONDS:
        is_last = monotonic() > began + SECONDS / 2
        seconds = began + SECONDS - monotonic() if is_last else 5 + chance.random() * 20
        server = started(path, ("-m", "tests.store.troubled", str(chance.randrange(10**9))))
        load, crowd = Load([server.port], STORING, hands), Crowd(server, chance)
        load.start()
        until = monotonic() + seconds
        while monotonic() < until:
            tick.wait(1)
            assert server.process.poll() is None, "it ended by itself"
            if is_last:
                memory.append((monotonic() - began, resident(server.process.pid)))
        if is_last:
            load.stopping.set()
            crowd.leave()
        server.kill()
        history = load.join()
        crowd.leave()
        acknowledged |= history.acknowledged
        faults += [answer for answer in history.faults if not is_deliberate(answer)]
        wrong += crowd.wrong
        answers += crowd.answers
        turned_away += crowd.turned_away + history.refused
        lives += 1
        assert acknowledged <= ids_in(path)
    settled = [sample for sample in memory if sample[0] > SECONDS * 5 / 8]
    slope = linear_regression(*zip(*settled, strict=True)).slope * SECONDS / 2
    print(  # noqa: T201 - what a run has shown; pytest keeps it unless asked
        f"{len(acknowledged)} kept, {answers} others answered, {turned_away} refused or turned away, {lives} lives; "
        f"memory {settled[0][1]:.0f} to {settled[-1][1]:.0f} MB, growth {slope:+.1f} MB"
    )
    assert faults == []
    assert wrong == []
    assert acknowledged <= check_whole(path)
    assert slope < MOST_GROWTH
    assert lives > 1
