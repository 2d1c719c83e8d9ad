"""The writer: what waits is committed together, each caller hears of its own, and nobody waits for ever."""

import asyncio
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event, Thread

import pytest
from msgspec.structs import replace
from sqlite_utils.utils import sqlite3

from replays.connection import open_to_write
from replays.faults import StoreError
from replays.keeping import Keep, Keeper
from replays.store import Store
from replays.writer import ENOUGH_TOGETHER, MOST_TOGETHER, Writer
from tests.store.checking import check_whole
from tests.store.hands import records

PATIENCE = 20
"""Seconds after which a caller is taken to wait for ever."""


class TracingKeeper(Keeper):
    """A keeper that writes down what is asked of it, and can be made to fail."""

    def __init__(self, path, trace):
        super().__init__(open_to_write(path))
        self.trace = trace
        trace.append("connect")

    def begin(self):
        super().begin()
        self.trace.append("begin")

    def commit(self):
        super().commit()
        self.trace.append("commit")

    def close(self):
        super().close()
        self.trace.append("close")


@pytest.fixture
def trace():
    return []


@pytest.fixture
def writer(path, trace):
    writer = Writer(lambda: TracingKeeper(path, trace))
    yield writer
    writer.close()


def keeping(number):
    return Keep([records(600)[number]], 1)


class Gate:
    """A piece of work that is not done before it is told to."""

    def __init__(self):
        self.reached, self.opened = Event(), Event()

    def __call__(self, _keeper):
        self.reached.set()
        assert self.opened.wait(PATIENCE)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(100) as pool:
        yield pool


def shut(writer, pool):
    """Keep the writer busy, so that what comes after waits; return the gate and what waits for it."""
    gate = Gate()
    waiting = pool.submit(writer.do, gate)
    assert gate.reached.wait(PATIENCE)
    return gate, waiting


def queued(writer, count):
    """Wait until so many pieces of work are in the queue."""
    until = Event()
    for _ in range(PATIENCE * 1000):
        if writer._jobs.qsize() == count:  # noqa: SLF001 - nothing else tells
            return
        until.wait(0.001)
    raise AssertionError("They do not come.")


def test_what_waits_is_committed_together(writer, pool, trace, path):
    gate, first = shut(writer, pool)
    futures = [pool.submit(writer.do, keeping(number)) for number in range(50)]
    queued(writer, 50)
    gate.opened.set()
    assert [future.result(PATIENCE) for future in futures] == [[True]] * 50
    assert first.result(PATIENCE) is None
    assert trace == ["connect", "begin", "commit", "begin", "commit"]
    writer.close()
    assert len(check_whole(path)) == 50


def test_no_more_than_so_many_are_committed_together(writer, trace):
    async def all_at_once():
        count = MOST_TOGETHER * 2
        return await asyncio.gather(*[writer.do_soon(keeping(number)) for number in range(count)])

    assert asyncio.run(all_at_once()) == [[True]] * MOST_TOGETHER * 2
    assert 2 <= trace.count("commit") < 20


def test_threads_and_tasks_at_once_need_far_fewer_commits_than_they_keep(writer, trace, pool, path):
    async def half():
        return await asyncio.gather(*[writer.do_soon(keeping(number)) for number in range(300)])

    tasks = pool.submit(asyncio.run, half())
    threads = [pool.submit(writer.do, keeping(number)) for number in range(300, 600)]
    assert tasks.result(PATIENCE) == [[True]] * 300
    assert all(future.result(PATIENCE) == [True] for future in threads)
    assert trace.count("commit") < 300
    writer.close()
    assert len(check_whole(path)) == 600


def test_what_comes_in_one_turn_after_another_is_committed_together(writer, trace):
    async def after(turns):
        for _ in range(turns):
            await asyncio.sleep(0)
        return await writer.do_soon(keeping(turns))

    async def staggered():
        return await asyncio.gather(*[after(turns) for turns in range(ENOUGH_TOGETHER)])

    assert asyncio.run(staggered()) == [[True]] * ENOUGH_TOGETHER
    assert trace.count("commit") == 1
    asyncio.run(asyncio.wait_for(writer.do_soon(keeping(100)), PATIENCE))  # it is not waited for others
    assert trace.count("commit") == 2


def test_the_log_is_written_back_after_those_who_wait_are_told(writer, path):
    writer.do(Keep(records(600), 1))
    writer.do(Keeper.probe)  # what comes next waits for it
    assert path.stat().st_size > 500_000


@pytest.mark.parametrize("error", [sqlite3.OperationalError, MemoryError])
def test_nobody_hears_of_a_log_that_cannot_be_written_back(writer, monkeypatch, error):
    monkeypatch.setattr(TracingKeeper, "write_back", lambda _: (_ for _ in ()).throw(error("no")))
    assert [writer.do(keeping(number)) for number in range(3)] == [[True]] * 3


def fail(error):
    def work(keeper):
        keeper.keep([records(600)[598]], 1)  # must not be found afterwards
        raise error

    return work


def test_a_record_that_cannot_be_kept_does_not_spoil_the_others(writer, pool, path):
    """What is to be kept is kept as one piece, and piece by piece if that fails."""
    gate, _ = shut(writer, pool)
    odd = replace(records(600)[599], replay=bytes(31))
    works = [keeping(0), Keep([records(600)[3], odd], 1), keeping(1), Keep([odd], 1), Keep(records(600)[:3], 1)]
    futures = []
    for place, work in enumerate(works):
        futures.append(pool.submit(writer.do, work))
        queued(writer, place + 1)
    gate.opened.set()
    assert [futures[place].result(PATIENCE) for place in (0, 2, 4)] == [[True], [True], [False, False, True]]
    for place in (1, 3):
        assert isinstance(futures[place].exception(PATIENCE), StoreError)
    writer.close()
    assert check_whole(path) == {record.replay.hex() for record in records(600)[:3]}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no"), ValueError),
        (sqlite3.IntegrityError("no"), StoreError),
        (sqlite3.DatabaseError("a page is damaged"), StoreError),
        (sqlite3.ProgrammingError("no"), StoreError),
        (StoreError("no"), StoreError),
    ],
    ids=repr,
)
def test_a_piece_of_work_that_fails_by_itself_does_not_spoil_the_others(writer, pool, path, error, told):
    gate, _ = shut(writer, pool)
    works = [keeping(0), fail(error), keeping(1), fail(error), keeping(2)]
    futures = []
    for place, work in enumerate(works):
        futures.append(pool.submit(writer.do, work))
        queued(writer, place + 1)
    gate.opened.set()
    assert [futures[place].result(PATIENCE) for place in (0, 2, 4)] == [[True]] * 3
    for place in (1, 3):
        assert isinstance(futures[place].exception(PATIENCE), told)
    writer.close()
    assert check_whole(path) == {record.replay.hex() for record in records(600)[:3]}


def test_trouble_of_the_store_is_everybodys_and_passes(writer, pool, path):
    gate, _ = shut(writer, pool)
    futures = [pool.submit(writer.do, work) for work in (keeping(0), fail(sqlite3.OperationalError("full")))]
    queued(writer, 2)
    gate.opened.set()
    for future in futures:
        assert isinstance(future.exception(PATIENCE), StoreError)
    assert writer.do(keeping(1)) == [True]
    writer.close()
    assert check_whole(path) == {records(600)[1].replay.hex()}


@pytest.mark.parametrize("step", ["begin", "commit"])
@pytest.mark.parametrize("error", [sqlite3.OperationalError, OSError, MemoryError])
def test_a_step_that_fails_is_heard_of_and_passes(writer, trace, monkeypatch, path, step, error):
    assert writer.do(keeping(0)) == [True]
    with monkeypatch.context() as patched:
        patched.setattr(TracingKeeper, step, lambda _: (_ for _ in ()).throw(error("no")))
        with pytest.raises((StoreError, error)):
            writer.do(keeping(1))
    assert writer.do(keeping(2)) == [True]
    assert trace.count("connect") == 2
    writer.close()
    assert {records(600)[0].replay.hex(), records(600)[2].replay.hex()} <= check_whole(path)


@pytest.mark.parametrize("error", [sqlite3.OperationalError, OSError])
def test_a_connection_that_cannot_even_be_closed_is_let_go_of(writer, monkeypatch, error):
    def close(keeper):
        Keeper.close(keeper)
        raise error("no")

    monkeypatch.setattr(TracingKeeper, "close", close)
    with pytest.raises(ValueError, match="no"):
        writer.do(fail(ValueError("no")))
    assert writer.do(keeping(2)) == [True]


def test_a_connection_that_fails_is_heard_of_and_tried_again(path):
    connections = iter([StoreError("one"), sqlite3.OperationalError("two"), KeyError("three")])

    def connect():
        for error in connections:
            raise error
        return Keeper(open_to_write(path))

    writer = Writer(connect)
    for expected in (StoreError, StoreError, KeyError):
        with pytest.raises(expected):
            writer.do(Keeper.probe)
    writer.do(Keeper.probe)
    writer.close()


def test_a_thread_that_cannot_be_started_is_tried_again(writer, monkeypatch):
    def fail(_thread):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", fail)
        with pytest.raises(StoreError, match="at the moment"):
            writer.do(keeping(0))
        with pytest.raises(StoreError, match="at the moment"):
            asyncio.run(asyncio.wait_for(writer.do_soon(keeping(0)), PATIENCE))
    assert writer.do(keeping(0)) == [True]


def test_a_caller_who_gives_up_disturbs_nobody(writer, pool, path):
    gate, _ = shut(writer, pool)

    async def some_give_up():
        tasks = [asyncio.create_task(writer.do_soon(keeping(number))) for number in range(10)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        gate.opened.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    results = asyncio.run(some_give_up())
    assert results[1::2] == [[True]] * 5
    assert all(isinstance(result, asyncio.CancelledError) for result in results[::2])
    writer.close()
    assert len(check_whole(path)) == 10  # it was on its way already


def test_an_event_loop_that_ends_disturbs_nobody(writer, pool):
    gate, _ = shut(writer, pool)

    async def leave():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(writer.do_soon(keeping(0)), 0.01)

    asyncio.run(leave())
    gate.opened.set()
    assert writer.do(keeping(1)) == [True]


def test_what_waits_is_committed_before_it_closes(writer, pool, trace, path):
    gate, _ = shut(writer, pool)
    futures = [pool.submit(writer.do, keeping(number)) for number in range(40)]
    queued(writer, 40)
    closing = pool.submit(writer.close)
    queued(writer, 41)
    gate.opened.set()
    closing.result(PATIENCE)
    assert trace[-1] == "close"
    assert len(check_whole(path)) == 40
    assert all(future.result(PATIENCE) == [True] for future in futures)


def test_work_that_comes_while_it_closes_is_done_all_the_same(path, pool):
    writer = Writer(lambda: Keeper(open_to_write(path)))
    rest = iter(range(400))
    futures = []
    for number in rest:
        futures.append(pool.submit(writer.do, keeping(number)))
        if number % 8 == 0:
            futures.append(pool.submit(writer.close))
    done, waiting = wait(futures, PATIENCE)
    assert not waiting
    assert not any(future.exception() for future in done)
    writer.close()
    assert len(check_whole(path)) == 400


def test_closing_what_was_never_used_does_nothing(path):
    Writer(lambda: pytest.fail("it connects")).close()
    Store(path).close()
    assert not path.exists()
