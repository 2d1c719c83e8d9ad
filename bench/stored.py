"""Stored rulings: the service with its store, against itself without; every hand, on both sides, is another one."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from api.choice import rules_of
from api.ruling_views import RulingAnswer
from bench.inprocess import decode, encode
from bench.load import CONNECTIONS, Exchange, Saturation, exchanges, saturate
from bench.logs import Log, check, standard_logs
from bench.report import Finding, Section, Target
from bench.rounds import Plan, WrongAnswerError, interleaved, microseconds, quotients
from bench.servers import Server, pinned, running
from engine import VERSION
from engine.adjudicate import adjudicate
from replays.records import record_of
from replays.store import Store

HANDS_A_SECOND = 750
"""Hands that a round stores for each second of the plan; a fixed number, so that all are known before."""


def measure(_logs: Sequence[Log], plan: Plan) -> Section:
    """Measure requests a second, kept and not kept, and that what was acknowledged is there."""
    per_round = int(HANDS_A_SECOND * plan.seconds)
    logs = iter(standard_logs(2 * per_round * (plan.rounds + 1), seed=32))
    work = {
        name: [_work(list(islice(logs, per_round)), store=store) for _ in range(plan.rounds + 1)]
        for name, store in (("stored", True), ("unstored", False))
    }
    with running("service") as servers, pinned():
        server = servers["service"]
        for rounds in work.values():
            saturate(server, rounds.pop())
        measured = interleaved(plan, {name: partial(_next, server, iter(rounds)) for name, rounds in work.items()})
        _check_kept(server.database, per_round * (plan.rounds + 1))
    return Section(
        f"Stored (POST /v1/rulings, one worker, {CONNECTIONS} connections, {per_round:,} different hands a round)",
        [_fact(name, rounds_of) for name, rounds_of in measured.items()],
        [
            Finding(
                "stored / unstored, requests/s",
                quotients([load.rate for load in measured["stored"]], [load.rate for load in measured["unstored"]]),
                Target(0.5, at_most=False),
            )
        ],
    )


def _next(server: Server, rounds: Iterator[list[Exchange]]) -> Saturation:
    return saturate(server, next(rounds))


def _work(logs: Sequence[Log], *, store: bool) -> list[Exchange]:
    return exchanges([log.body for log in logs], [_answer(log, store=store) for log in logs], store=store)


def _answer(log: Log, *, store: bool) -> bytes:
    """Return the right answer to a log, checked against what is known without the engine."""
    request = decode(log.body)
    rules = rules_of(request.rules)
    replay = record_of(request.hand, rules.rules).question.id if store else None
    answer = encode(RulingAnswer(replay, VERSION, adjudicate(request.hand, rules.rules, rules.silent)))
    check(log, answer)
    return answer


def _check_kept(database: Path, replays: int) -> None:
    store = Store(database)
    try:
        if store.count() != replays:
            raise WrongAnswerError(f"{replays} replays were acknowledged, but {store.count()} are stored.")
    finally:
        store.close()


def _fact(name: str, rounds: Sequence[Saturation]) -> str:
    cpus = [load.server_cpu for load in rounds if load.server_cpu is not None]
    used = f"{microseconds(cpus)} of CPU a request" if cpus else "CPU time unknown"
    return f"{name}: {median(load.rate for load in rounds):,.0f} requests/s, {used}"
