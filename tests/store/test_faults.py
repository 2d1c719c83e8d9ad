"""Statements fail at any point: what was acknowledged is true afterwards, and each caller hears of trouble in words."""

from concurrent.futures import Future
from contextlib import closing
from enum import Enum
from threading import Event

from replays.faults import StoreError
from replays.finding import Filters
from replays.keeping import Keep, Keeper
from replays.store import Store
from replays.writer import _Job
from tests.store.checking import check_whole
from tests.store.faulty import Faults, suffering
from tests.store.hands import records
from tests.store.soaking import dice, either

SEEDS = either(50, soak=500)
ROUNDS = 5


class State(Enum):
    """What is known of a replay from what was answered."""

    THERE = "there"
    GONE = "gone"
    UNKNOWN = "unknown"


class Client:
    """Asks for one thing after another, and checks that the answers can all be true."""

    def __init__(self, store, chance, now):
        self._store, self._chance, self._now = store, chance, now
        self._records = records(12)
        self.states = dict.fromkeys((record.replay for record in self._records), State.GONE)
        self.acknowledged = 0
        self.refused = 0

    def write(self):
        """Let some requests wait together, then be done."""
        asked = [self._made_up() for _ in range(self._chance.randrange(1, 7))]
        asked.sort(key=lambda each: each[0], reverse=True)  # as it is done: what is to be kept comes first
        for (kind, chosen, _), future in zip(asked, self._together([work for _, _, work in asked]), strict=True):
            error = future.exception(timeout=20)
            if error is None:
                self.acknowledged += 1
                self._note(kind, chosen, future.result())
            else:
                assert isinstance(error, StoreError)
                assert str(error).endswith(".")
                self.refused += 1
                self._doubt(kind, chosen)

    def _made_up(self):
        if self._chance.random() < 0.7:
            chosen = self._chance.sample(self._records, self._chance.randrange(1, 4))
            return "keep", chosen, Keep(chosen, self._now())
        record = self._chance.choice(self._records)
        return "delete", [record], lambda keeper: [keeper.delete(record.replay)]

    def _together(self, works):
        """Hand over the work while the writer is busy with something else, so that it is done as one group."""
        reached, opened = Event(), Event()

        def wait(_: Keeper):
            reached.set()
            assert opened.wait(20)

        gate = self._submit(wait)
        while not reached.wait(0.001) and not gate.done():
            pass
        futures = [self._submit(work) for work in works]
        opened.set()
        return futures

    def _submit(self, work):
        future = Future()
        self._store._writer._submit(_Job(work, future))  # noqa: SLF001 - as `do` does, without waiting
        return future

    def _note(self, kind, chosen, results):
        for record, was_new in zip(chosen, results, strict=True):
            before = self.states[record.replay]
            if kind == "keep":
                assert before in {State.UNKNOWN, State.GONE if was_new else State.THERE}
                self.states[record.replay] = State.THERE
            else:
                assert before in {State.UNKNOWN, State.THERE if was_new else State.GONE}
                self.states[record.replay] = State.GONE

    def _doubt(self, kind, chosen):
        same = State.THERE if kind == "keep" else State.GONE
        for record in chosen:
            if self.states[record.replay] != same:
                self.states[record.replay] = State.UNKNOWN

    def read(self):
        """Look for a replay, and for all."""
        record = self._chance.choice(self._records)
        try:
            stored = self._store.get(record.replay)
            found = {stored.id for stored in self._store.find(Filters(), None, 50)}
        except StoreError:
            self.refused += 1
            return
        assert stored is None or stored.sound
        assert (stored is not None) == (record.replay.hex() in found)
        self.compare(found)

    def compare(self, found):
        """Learn what is there; fail if that cannot be after what was answered."""
        for replay, state in self.states.items():
            there = State.THERE if replay.hex() in found else State.GONE
            assert state in {State.UNKNOWN, there}
            self.states[replay] = there


def survives(path, seed, monkeypatch):
    """Return how many requests were acknowledged and refused, and how many faults there were."""
    faults = Faults(seed)
    times = iter(range(10**9))
    with suffering(faults, monkeypatch), closing(Store(path)) as store:
        client = Client(store, faults.chance, lambda: next(times))
        for _ in range(ROUNDS):
            client.write()
            client.read()
    with closing(Store(path)) as store:
        store.open()  # it may never have come to that
    client.compare(check_whole(path))
    return client.acknowledged, client.refused, faults.count


def test_what_was_answered_is_true_whatever_fails(folder, monkeypatch):
    chance = dice()
    totals = [0, 0, 0]
    for number in range(SEEDS):
        seed = chance.randrange(10**9)
        try:
            outcome = survives(folder / f"{number}.sqlite", seed, monkeypatch)
        except BaseException:
            print(f"the seed of the faults is {seed}")  # noqa: T201 - what a run has shown; pytest keeps it unless asked
            raise
        totals = [total + each for total, each in zip(totals, outcome, strict=True)]
    print("{} acknowledged, {} refused, {} faults".format(*totals))  # noqa: T201 - what a run has shown; pytest keeps it unless asked
    assert min(totals) > SEEDS


def test_the_same_seed_brings_the_same_faults(folder, monkeypatch):
    outcomes = {survives(folder / f"{number}.sqlite", 7, monkeypatch) for number in range(3)}
    assert len(outcomes) == 1
