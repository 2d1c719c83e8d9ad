"""Over HTTP: the service as users start it, the usual way with FastAPI and pydantic, and the floor under them."""

from collections.abc import Sequence
from functools import partial
from statistics import median

from bench import bare_echo, fastapi_echo, fastapi_service
from bench.inprocess import decode, right_answers
from bench.load import CONNECTIONS, Exchange, Saturation, exchanges, saturate
from bench.logs import Log
from bench.report import Finding, Section, Target
from bench.rounds import Plan, WrongAnswerError, interleaved, microseconds, quotients
from bench.servers import pinned, running

LABELS = {
    "service": "the service",
    "fastapi": "FastAPI and pydantic, echo",
    "rival": "FastAPI and pydantic, the same answers",
    "bare": "bare ASGI and msgspec, echo",
}


def work_of(logs: Sequence[Log]) -> dict[str, list[Exchange]]:
    """Return what each server is asked, and what it has to answer."""
    bodies = [log.body for log in logs]
    answers = {
        "service": right_answers(logs),
        "fastapi": [fastapi_echo.echo(body) for body in bodies],
        "rival": [fastapi_service.answer(body) for body in bodies],
        "bare": [bare_echo.echo(body) for body in bodies],
    }
    for name in ("fastapi", "bare"):
        if [decode(answer) for answer in answers[name]] != [decode(body) for body in bodies]:
            raise WrongAnswerError(f"What {name} sends back is not what it was sent.")
    if answers["rival"] != answers["service"]:
        raise WrongAnswerError("The rival does not give the service's rulings.")
    return {name: exchanges(bodies, answers[name]) for name in LABELS}


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure requests a second, and CPU time a request, of each."""
    work = work_of(logs)
    with running(*LABELS) as servers, pinned():
        for name, server in servers.items():
            saturate(server, work[name], plan.seconds / 2)  # warm: caches filled, code specialised
        measured = interleaved(
            plan,
            {name: partial(saturate, server, work[name], plan.seconds) for name, server in servers.items()},
        )
    return Section(
        f"HTTP (POST /v1/rulings?store=false, one worker each, {CONNECTIONS} connections)",
        _facts(measured),
        [
            *_findings(measured, "fastapi", Target(1.5, at_most=False)),
            *_findings(measured, "rival"),
            *_findings(measured, "bare", Target(0.3, at_most=False)),
        ],
    )


def _facts(measured: dict[str, list[Saturation]]) -> list[str]:
    facts = []
    for name, rounds in measured.items():
        rate, load_cpu = median(load.rate for load in rounds), median(load.load_cpu for load in rounds)
        cpus = [load.server_cpu for load in rounds if load.server_cpu is not None]
        used = f"{microseconds(cpus)} of CPU a request" if cpus else "CPU time unknown"
        # Whichever of the two needs more time for a request keeps the other waiting.
        limited = load_cpu > median(cpus) if cpus else load_cpu * rate > 0.9
        limit = " (THE LOAD IS THE LIMIT, NOT THE SERVER)" if limited else ""
        facts.append(f"{LABELS[name]}: {rate:,.0f} requests/s, {used}{limit}")
    columns = ([load.load_cpu for load in rounds] for rounds in measured.values())
    cheapest = [min(loads) for loads in zip(*columns, strict=True)]
    facts.append(f"the load: {microseconds(cheapest)} of CPU a request, so it could send {1 / median(cheapest):,.0f}/s")
    return facts


def _findings(measured: dict[str, list[Saturation]], rival: str, target: Target | None = None) -> list[Finding]:
    ours, theirs = measured["service"], measured[rival]
    rates = quotients([load.rate for load in ours], [load.rate for load in theirs])
    findings = [Finding(f"HTTP, requests/s: the service / {LABELS[rival]}", rates, target)]
    our_cpu = [load.server_cpu for load in ours if load.server_cpu]
    their_cpu = [load.server_cpu for load in theirs if load.server_cpu]
    if len(our_cpu) == len(their_cpu) == len(ours):
        what = f"  steadier, CPU time a request: {LABELS[rival]} / the service"
        findings.append(Finding(what, quotients(their_cpu, our_cpu)))
    return findings
