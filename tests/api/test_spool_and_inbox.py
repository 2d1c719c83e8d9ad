"""The spool and the inbox: what waits between a client and the service, in order and in bounds."""

import asyncio

import pytest

from api.inbox import MOST_LINES, Inbox
from api.spool import AT_ONCE, IN_MEMORY, FullSpoolError, Spool
from replays.lines import Line


def test_a_spool_gives_back_what_was_put_in_whatever_the_turns():
    async def run():
        spool = Spool()
        pieces = [bytes([number % 251]) * (number * 7919 % 200_000) for number in range(1, 101)]
        taken = b""
        for number, piece in enumerate(pieces):
            await spool.put(piece)
            if number % 3 == 0:
                taken += await spool.take()
        spool.end()
        while content := await spool.take():
            taken += content
            assert len(content) <= max(IN_MEMORY, AT_ONCE)
        await spool.close()
        return taken == b"".join(pieces)

    assert asyncio.run(run())


def test_a_spool_with_a_reader_who_waits():
    async def run():
        spool = Spool()

        async def read():
            taken = b""
            while content := await spool.take():
                taken += content
            return taken

        reading = asyncio.create_task(read())
        for number in range(50):
            await spool.put(bytes([number]) * 100_000)
            if number % 10 == 0:
                await asyncio.sleep(0)
        spool.end()
        return await reading == b"".join([bytes([number]) * 100_000 for number in range(50)])

    assert asyncio.run(run())


def test_a_spool_has_an_end():
    async def run():
        spool = Spool(most=3_000_000)
        for _ in range(4):  # one of them in memory
            await spool.put(b"x" * 1_000_000)
        with pytest.raises(FullSpoolError):
            await spool.put(b"x")
        await spool.close()

    asyncio.run(run())


def test_an_inbox_gives_what_waits_and_holds_no_more_than_is_taken_together():
    async def run():
        inbox = Inbox()
        for number in range(3):
            await inbox.put(Line(number, b"x"))
        assert len(await inbox.take()) == 3

        async def fill():
            for number in range(2 * MOST_LINES):
                await inbox.put(Line(number, b"x"))
            await inbox.put(Line(0, b"x" * 2_000_000))
            await inbox.put(Line(1, b"y"))
            inbox.end()

        filling = asyncio.create_task(fill())
        await asyncio.sleep(0.01)
        sizes = []
        while lines := await inbox.take():
            sizes.append(len(lines))
            await asyncio.sleep(0.01)
        await filling
        return sizes

    assert asyncio.run(run()) == [MOST_LINES, MOST_LINES, 1, 1]
