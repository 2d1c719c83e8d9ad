"""Streams whose client goes away or reads slowly, and answers that cannot be put aside."""

import asyncio
import json
from itertools import islice

import pytest
from structlog.testing import capture_logs

from api import replay_lines
from api.spool import FullSpoolError, Spool
from tests.api.stories import LOG, SHOWDOWN
from tests.api.streams.streaming import (
    LINES,
    Connection,
    keep,
    over,
    until,
)
from tests.store.hands import bodies


@pytest.mark.usefixtures("small_pages")
def test_a_client_who_goes_away_ends_the_reading(watched):
    keep(watched, 20 * replay_lines.PAGE)

    class Leaving(Connection):
        async def send(self, message):
            await super().send(message)
            if len(self.sent) == 3:  # the start and two pages
                self.gone.set()
                await asyncio.sleep(0)

    async def run():
        connection = Leaving(over(watched), "GET", "/v1/replays", accept=LINES)
        await connection.run()

    with capture_logs() as log:
        asyncio.run(run())
    assert watched.pages <= 4
    (line,) = log
    assert line["gone"] is True
    assert line["replays"] <= 3 * replay_lines.PAGE


@pytest.mark.usefixtures("small_pages")
def test_no_more_is_read_than_the_client_takes(watched):
    keep(watched, 20 * replay_lines.PAGE)

    class Slow(Connection):
        async def send(self, message):
            await super().send(message)
            if len(self.sent) == 3:
                await asyncio.sleep(0.3)
                self.pages = watched.pages

    async def run():
        connection = Slow(over(watched), "GET", "/v1/replays", accept=LINES)
        await connection.run()
        return connection

    connection = asyncio.run(run())
    assert connection.pages <= 3
    assert connection.content.count(b"\n") == 20 * replay_lines.PAGE
    assert connection.is_whole


def test_a_client_who_goes_away_leaves_what_was_kept_and_nothing_half(watched):
    whole = [json.dumps({"hand": LOG}).encode() + b"\n", json.dumps({"hand": SHOWDOWN}).encode()]

    async def run():
        app = over(watched)
        connection = Connection(app, "POST", "/v1/rulings/batch", whole, content_type=LINES)
        original = connection.receive

        async def receive():
            message = await original()
            if not connection.body:  # the last line has come, but not its end
                message["more_body"] = True
                await until(lambda: connection.content)  # the first line is answered
                connection.gone.set()
            return message

        connection.receive = receive
        await connection.run()
        return connection

    with capture_logs() as log:
        connection = asyncio.run(run())
    assert watched.count() == 1
    assert len(connection.content.splitlines()) == 1
    (line,) = log
    assert (line["status"], line["hands"], line["kept"], line["gone"]) == (200, 1, 1, True)


def test_an_answer_that_cannot_be_put_aside_cuts_the_response_off(watched, monkeypatch):
    async def full(_self, content):
        if len(kept) == 1:
            raise FullSpoolError
        kept.append(content)
        await put(_self, content)

    kept, put = [], Spool.put
    monkeypatch.setattr(Spool, "put", full)
    monkeypatch.setattr("api.inbox.MOST_LINES", 1)

    async def run():
        app = over(watched)
        lines = [line + b"\n" for line in islice(bodies(), 3)]
        connection = Connection(app, "POST", "/v1/rulings/batch", lines, content_type=LINES)

        original = connection.receive

        async def receive():
            await until(lambda: connection.sent or len(connection.body) == 3)
            return await original()

        connection.receive = receive
        await connection.run()
        return connection

    with capture_logs() as log:
        connection = asyncio.run(run())
    assert len(connection.content.splitlines()) == 1
    assert not connection.is_whole
    assert [line["exception"] for line in log] == ["FullSpoolError"]
