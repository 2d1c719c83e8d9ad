"""Latency: how much longer than usual the slowest answers take when the service is half busy."""

from collections.abc import Sequence
from functools import partial
from statistics import median, quantiles

from bench.load import Latencies, saturate, send_on_schedule
from bench.logs import Log
from bench.over_http import LABELS, work_of
from bench.report import Finding, Section, Target
from bench.rounds import Plan, interleaved
from bench.servers import pinned, running

SERVERS = ("service", "bare")
"""The bare application is the control: what it cannot keep, this machine cannot keep."""


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure latencies at half of what each server can do at the most."""
    work = work_of(logs)
    with running(*SERVERS) as servers, pinned():
        for name, server in servers.items():
            saturate(server, work[name], plan.seconds / 2)
        rates = interleaved(
            plan, {name: partial(saturate, servers[name], work[name], plan.seconds / 2) for name in SERVERS}
        )
        half = {name: median(load.rate for load in rates[name]) / 2 for name in SERVERS}
        measured = interleaved(
            plan,
            {name: partial(send_on_schedule, servers[name], work[name], half[name], plan.seconds) for name in SERVERS},
        )
    return Section(
        "Latency (requests sent on schedule, at half of the saturation rate; from the time a request was due)",
        [_fact(name, half[name], measured[name]) for name in SERVERS],
        [
            Finding(
                "latency: 99th percentile / median, the service",
                [_tail(round_.answers) for round_ in measured["service"]],
                Target(3, at_most=True),
            ),
            Finding(
                "  the control, for what the machine itself does: bare ASGI, echo",
                [_tail(round_.answers) for round_ in measured["bare"]],
            ),
        ],
    )


def _fact(name: str, rate: float, rounds: Sequence[Latencies]) -> str:
    middle = median(median(round_.answers) for round_ in rounds)
    slow = median(_percentile_99(round_.answers) for round_ in rounds)
    late = median(_percentile_99(round_.late) for round_ in rounds)
    return (
        f"{LABELS[name]} at {rate:,.0f} requests/s: median {middle * 1000:.2f} ms, 99th percentile "
        f"{slow * 1000:.2f} ms; 1% of the requests were sent {late * 1000:.2f} ms late or more"
    )


def _tail(times: Sequence[float]) -> float:
    return _percentile_99(times) / median(times)


def _percentile_99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[-1]
