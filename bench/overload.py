"""Overload: twice as many requests as the service can answer, on many connections, and what comes after that."""

import os
import random
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

from bench.inprocess import right_answers
from bench.load import Connection, Exchange, exchanges, saturate, send_on_schedule
from bench.logs import Log
from bench.report import Finding, Section, Target
from bench.rounds import Plan
from bench.servers import Server, pinned, running

CONNECTIONS = 1024
SETTLING = 2.0
"""Seconds that the service gets to come to rest."""


class Flood(NamedTuple):
    """What came of more requests than can be answered."""

    offered: float
    """Requests a second that were due."""
    good: float
    """Right answers a second."""
    shed: float
    """Requests a second that were turned away."""
    seconds: float
    """The median time to a right answer, from when its request was sent."""
    memory: float
    """Megabytes at the end."""


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure the rate of good answers at twice the capacity, and the latency before, meanwhile and after."""
    work = exchanges([log.body for log in logs], right_answers(logs))
    peaks, floods, before, after, memories = [], [], [], [], []
    with running("service") as servers, pinned():
        server = servers["service"]
        saturate(server, work, plan.seconds)
        flood(server, work, saturate(server, work, plan.seconds).rate * 2, plan.seconds)
        for _ in range(plan.rounds):
            peaks.append(saturate(server, work, plan.seconds).rate)
            before.append(_calm(server, work, peaks[-1], plan.seconds))
            memories.append(memory(server))
            floods.append(flood(server, work, peaks[-1] * 2, plan.seconds * 2))
            sleep(SETTLING)
            after.append(_calm(server, work, peaks[-1], plan.seconds))
    return Section(
        f"Overload (POST /v1/rulings?store=false, {CONNECTIONS} connections, twice the peak rate)",
        [
            f"peak: {median(peaks):,.0f} requests/s; offered: {median(each.offered for each in floods):,.0f}/s",
            f"good: {median(each.good for each in floods):,.0f}/s",
            f"turned away: {median(each.shed for each in floods):,.0f}/s",
            f"median latency of good answers: {median(each.seconds for each in floods) * 1000:.0f} ms",
            f"memory: {median(memories):.0f} MB before, {median(each.memory for each in floods):.0f} MB at the end",
        ],
        [
            Finding(
                "good answers/s at twice the capacity / at the peak",
                [each.good / peak for each, peak in zip(floods, peaks, strict=True)],
                Target(0.8, at_most=False),
            ),
            Finding(
                "median latency meanwhile, in seconds", [each.seconds for each in floods], Target(1.0, at_most=True)
            ),
            Finding(
                "memory at the end / before",
                [each.memory / one for each, one in zip(floods, memories, strict=True)],
                Target(1.2, at_most=True),
            ),
            Finding(
                f"median latency {SETTLING:.0f} s after / before",
                [one / other for one, other in zip(after, before, strict=True)],
                Target(2.0, at_most=True),
            ),
        ],
    )


def _calm(server: Server, work: Sequence[Exchange], peak: float, seconds: float) -> float:
    return median(send_on_schedule(server, work, peak / 4, seconds).answers)


def flood(server: Server, work: Sequence[Exchange], rate: float, seconds: float) -> Flood:
    """Send requests at random moments, so many a second, whatever comes back; count once all connections are busy.

    One that is due while every connection waits for an answer is given up, as by a client who does not wait.
    """
    chance = random.Random(31)
    taken: list[float] = []
    sent = shed = due = 0
    with ExitStack() as stack:
        selector = stack.enter_context(DefaultSelector())
        free: deque[Connection] = deque()
        for _ in range(CONNECTIONS):
            connection = Connection(server.port)
            stack.enter_context(connection.socket)
            selector.register(connection.socket, EVENT_READ, connection)
            free.append(connection)
        next_due = perf_counter()
        began = next_due + SETTLING
        while (now := perf_counter()) < began + seconds:
            if now < began:
                taken.clear()
                due = shed = 0
            while next_due <= now:
                due += 1
                next_due += chance.expovariate(rate)
                if free:
                    connection = free.popleft()
                    connection.due = perf_counter()
                    connection.send(work[sent % len(work)])
                    sent += 1
            for key, _ in selector.select(0):
                connection = key.data
                if connection.turned_away():
                    shed += 1
                    free.append(connection)
                elif connection.answered():
                    taken.append(perf_counter() - connection.due)
                    free.append(connection)
        took = perf_counter() - began
        resident = memory(server)
    return Flood(due / took, len(taken) / took, shed / took, median(taken) if taken else seconds, resident)


def memory(server: Server) -> float:
    """Return the megabytes that a server has in memory; 0 where the system does not tell."""
    path = Path(f"/proc/{server.pid}/statm")
    return int(path.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1_000_000 if path.exists() else 0.0
