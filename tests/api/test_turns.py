"""How the requests of a connection take turns."""

import asyncio

import pytest

from api.turns import Turns


class Request:
    """A request that is answered when somebody lets it, and whose answer may be the last."""

    def __init__(self, name):
        self.name = name
        self.goes_on = asyncio.Event()
        self.task = None
        self.is_lost = False

    async def run(self, app, answered):
        assert app == "the application"
        self.task = asyncio.current_task()
        await self.goes_on.wait()
        answered(self)

    def lose(self):
        self.is_lost = True


async def settled():
    """Let everything be done that can be done now."""
    for _ in range(5):
        await asyncio.sleep(0)


def in_turn(story):
    """Have a story told; it gets the turns of a connection, the names of what was answered, and all tasks."""
    answered, tasks = [], set()

    async def told():
        await story(Turns("the application", lambda request: answered.append(request.name), tasks), answered, tasks)

    asyncio.run(told())


def test_requests_are_answered_by_one_task_in_the_order_in_which_they_came():
    async def story(turns, answered, tasks):
        requests = [Request(name) for name in "abc"]
        for request in requests:
            turns.add(request)
        await settled()
        assert len(turns) == 2
        for request in reversed(requests):
            request.goes_on.set()
        await settled()
        assert (answered, len(turns)) == (["a", "b", "c"], 0)
        late = Request("d")
        late.goes_on.set()
        turns.add(late)
        await settled()
        assert answered == ["a", "b", "c", "d"]
        assert tasks == {late.task} == {request.task for request in requests}
        turns.end()
        await settled()
        assert not tasks

    in_turn(story)


def test_what_waits_at_the_end_is_not_answered():
    async def story(turns, answered, tasks):
        first, second = Request("a"), Request("b")
        turns.add(first)
        turns.add(second)
        await settled()
        turns.end()
        assert (first.is_lost, second.is_lost) == (True, False)
        first.goes_on.set()
        second.goes_on.set()
        await settled()
        assert (answered, second.task, tasks) == (["a"], None, set())

    in_turn(story)


def test_a_connection_without_a_request_has_no_task():
    async def story(turns, answered, tasks):
        turns.end()
        await settled()
        assert (answered, tasks) == ([], set())

    in_turn(story)


def test_an_interrupted_answer_ends_the_task():
    async def story(turns, answered, tasks):
        request = Request("a")
        turns.add(request)
        await settled()
        request.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request.task
        assert (answered, tasks) == ([], set())

    in_turn(story)
