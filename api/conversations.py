"""Conversations: lines in, lines out, while both come and go.

Three tasks share a conversation. One reads, one has what was read answered, one sends. Each goes on while the others
wait, so that it does not matter whether the client reads while it sends, or sends one line at a time and waits.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from litestar.types import Receive
from msgspec import Struct
from msgspec.structs import replace

from api.arriving import next_message
from api.body import MEGABYTE
from api.inbox import Inbox
from api.operations import Call
from api.problems import TOO_LARGE, Fault, Problem, fault_of
from api.spool import Spool
from api.streams import Outgoing, Stream
from api.tracing import log_crash
from replays.lines import Line, LineCutter
from replays.records import Record

LONGEST_LINE = MEGABYTE
"""Bytes that a line may have, its end not counted."""
_AT_ONCE = 16 * 1024
"""Bytes that are looked through for lines before others have their turn."""
_JUDGING = ThreadPoolExecutor(1, "conversations")
"""One thread for all conversations. More would only take turns, and each would keep the memory that it once had."""


class Reply(Struct):
    """What is to be answered to a line."""

    content: bytes
    """A line, with its end."""
    record: Record | None = None
    """What must be on disk before it is sent."""
    is_problem: bool = False


class Conversation(Stream, frozen=True, kw_only=True):
    """A question of any number of lines, each answered by itself."""

    respond: Callable[[Call[None], bytes], Reply]
    """Answers one line. What it raises becomes a problem, and stops nothing."""
    refuse: Callable[[Problem], bytes]
    """Writes the answer to a line that gets a problem, with its end."""

    async def answer(self, call: Call[None], outgoing: Outgoing, receive: Receive) -> None:
        """Answer line by line, until there are no more or the client is gone."""
        inbox, spool = Inbox(), Spool()
        try:
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(_read(receive, inbox, outgoing))
                tasks.create_task(self._answer_all(call, inbox, spool, outgoing))
                while outgoing.is_wanted and (content := await spool.take()):
                    await outgoing.send(content)
                reading.cancel()
        except ExceptionGroup as group:
            if not outgoing.begun:
                raise group.exceptions[0] from None
            # What has been sent cannot be taken back. The response is cut off, so that nobody takes it for whole.
            log_crash(group.exceptions[0])
        else:
            await outgoing.end()
        finally:
            await spool.close()

    async def _answer_all(self, call: Call[None], inbox: Inbox, spool: Spool, outgoing: Outgoing) -> None:
        """Answer what waits, again and again."""
        outgoing.counts.update(hands=0, kept=0, problems=0)
        while lines := await inbox.take():
            await spool.put(await self._answer_some(call, lines, outgoing.counts))
        if inbox.fault is not None:
            await spool.put(self.refuse(inbox.fault.problem()))
        spool.end()

    async def _answer_some(self, call: Call[None], lines: Sequence[Line], counts: Counter[str]) -> bytes:
        """Return the answers to lines that are kept together: judged in a thread, and on disk by then."""
        context = copy_context()
        replies = await asyncio.get_running_loop().run_in_executor(_JUDGING, context.run, self._replies, call, lines)
        records = [reply.record for reply in replies if reply.record]
        if records:
            try:
                await call.resources.keep(records)
            except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
                fault, records = fault_of(exception), []
                pairs = zip(lines, replies, strict=True)
                replies = [self._refusal(line, fault) if reply.record else reply for line, reply in pairs]
        counts.update(hands=len(replies), kept=len(records), problems=sum(reply.is_problem for reply in replies))
        return b"".join([reply.content for reply in replies])

    def _replies(self, call: Call[None], lines: Sequence[Line]) -> list[Reply]:
        return [self._reply(call, line) for line in lines]

    def _reply(self, call: Call[None], line: Line) -> Reply:
        try:
            if line.content is None:
                raise Fault(TOO_LARGE, f"The line is longer than {LONGEST_LINE:,} bytes.")  # noqa: TRY301 - as all else
            return self.respond(call, line.content)
        except Exception as exception:  # noqa: BLE001 - whatever it is, it is answered
            return self._refusal(line, fault_of(exception))

    def _refusal(self, line: Line, fault: Fault) -> Reply:
        problem = fault.problem()
        problem = replace(problem, detail=f"Line {line.number}: {problem.detail}")
        return Reply(self.refuse(problem), is_problem=True)


async def _read(receive: Receive, inbox: Inbox, outgoing: Outgoing) -> None:
    """Put every line of the body into the inbox, then watch for the client to go away.

    Raises the fault for which the rest of the body is not waited for, as long as that can be the whole answer.
    """
    cutter = LineCutter(LONGEST_LINE)
    more = True
    while more:
        try:
            message = await next_message(outgoing.scope, receive)
        except Fault as fault:
            if not outgoing.begun:
                raise
            inbox.end(fault)
            return
        if message["type"] == "http.disconnect":
            # The beginning of a line is not taken for a line, and nobody waits for the answers to those before it.
            inbox.empty()
            inbox.end()
            outgoing.lose()
            return
        body = message.get("body", b"")
        for begin in range(0, len(body), _AT_ONCE):
            for line in cutter.cut(body[begin : begin + _AT_ONCE]):
                await inbox.put(line)
            await asyncio.sleep(0)
        more = message.get("more_body", False)
    for line in cutter.rest():
        await inbox.put(line)
    inbox.end()
    await outgoing.watch(receive)
