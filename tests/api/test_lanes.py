"""Lanes: work beside the event loop waits its turn, not for long, and not for those who have gone."""

import asyncio
from threading import Event

import pytest

from api.lanes import Lane
from api.problems import Fault
from api.room import Loan, Room

WAIT = 20


async def stays():
    await asyncio.Event().wait()


async def goes():
    return {"type": "http.disconnect"}


def test_work_is_done_in_turn_and_what_it_raises_is_raised():
    async def run():
        lane, done = Lane("test", 1, 10, WAIT), []
        await asyncio.gather(*[lane.do(stays, done.append, number) for number in range(5)])
        with pytest.raises(ZeroDivisionError):
            await lane.do(stays, divmod, 1, 0)
        assert await lane.do(stays, divmod, 7, 2) == (3, 1)
        return done

    assert asyncio.run(run()) == [0, 1, 2, 3, 4]


def test_more_than_may_wait_is_refused_and_the_rest_is_done():
    async def run():
        lane, opened, done = Lane("test", 2, 3, WAIT), Event(), []
        busy = [asyncio.create_task(lane.do(stays, opened.wait, WAIT)) for _ in range(2)]
        waiting = [asyncio.create_task(lane.do(stays, done.append, number)) for number in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Fault) as refused:
            await lane.do(stays, done.append, 3)
        assert refused.value.kind.status == 503
        assert int(refused.value.headers["Retry-After"]) >= 1
        opened.set()
        await asyncio.gather(*busy, *waiting)
        return sorted(done)

    assert asyncio.run(run()) == [0, 1, 2]


def test_whose_turn_would_come_too_late_is_told_so():
    async def run():
        lane, opened = Lane("test", 1, 100, most_seconds=0.001), Event()
        await lane.do(stays, Event().wait, 0.1)
        busy = asyncio.create_task(lane.do(stays, opened.wait, WAIT))
        await asyncio.sleep(0)
        with pytest.raises(Fault) as refused:
            await lane.do(stays, print)
        opened.set()
        await busy
        return refused.value.kind.slug

    assert asyncio.run(run()) == "overloaded"


@pytest.mark.parametrize("receive", [stays, None])
def test_nobody_waits_for_longer_than_that_even_if_it_could_not_be_told_before(receive):
    async def run():
        lane, opened, done = Lane("test", 1, 100, most_seconds=0.1), Event(), []
        busy = asyncio.create_task(lane.do(receive, opened.wait, WAIT))
        await asyncio.sleep(0)
        with pytest.raises(Fault) as refused:
            await lane.do(receive, done.append, "late")
        opened.set()
        await busy
        assert await lane.do(receive, divmod, 7, 2) == (3, 1)
        return refused.value.kind.slug, done, len(asyncio.all_tasks())

    assert asyncio.run(run()) == ("overloaded", [], 1)


@pytest.mark.parametrize("leave", ["disconnect", "cancel"])
def test_the_work_of_a_client_who_has_gone_is_not_begun(leave):
    async def run():
        lane, opened, done = Lane("test", 1, 10, WAIT), Event(), []
        busy = asyncio.create_task(lane.do(stays, opened.wait, WAIT))
        await asyncio.sleep(0)
        gone = asyncio.create_task(lane.do(goes if leave == "disconnect" else stays, done.append, "gone"))
        await asyncio.sleep(0.01)
        if leave == "cancel":
            gone.cancel()
        with pytest.raises((Fault, asyncio.CancelledError)):
            await gone
        after = asyncio.create_task(lane.do(stays, done.append, "there"))
        await asyncio.sleep(0)
        opened.set()
        await asyncio.gather(busy, after)
        assert await lane.do(stays, divmod, 7, 2) == (3, 1)
        return done, len(asyncio.all_tasks())

    assert asyncio.run(run()) == (["there"], 1)


def test_room_is_lent_and_given_back():
    room = Room(100, "No room.")
    one, other = Loan(room), Loan(room)
    one.grow(60)
    one.grow(70)
    with pytest.raises(Fault):
        other.grow(31)
    other.grow(30)
    one.end()
    one.end()
    other.grow(100)
