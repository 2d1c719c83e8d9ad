"""Run the benchmark: `python -m bench [--quick] [NAME]`, where NAME is one of `BENCHMARKS`; all of them by default.

It ends with a table of ratios, each with its target. A missed target is no failure; a wrong answer is one.
"""

import argparse
import os
import platform
from collections.abc import Callable, Sequence

from api.serving import settle_memory
from bench import disputed, inprocess, latency, many, over_http, overload, poker, stored, worked
from bench.logs import Log, standard_logs
from bench.report import Section, print_facts, print_table
from bench.rounds import Plan
from bench.servers import cores
from engine import VERSION

BENCHMARKS: dict[str, Callable[[Sequence[Log], Plan], Section]] = {
    "inprocess": inprocess.measure,
    "disputed": disputed.measure,
    "worked": worked.measure,
    "http": over_http.measure,
    "latency": latency.measure,
    "overload": overload.measure,
    "stored": stored.measure,
    "many": many.measure,
    "pokerkit": poker.measure,
}
FULL = Plan(rounds=9, seconds=2.0)
QUICK = Plan(rounds=3, seconds=0.5)


def main() -> None:
    """Measure what was asked for, and report."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the service, in ratios.")
    parser.add_argument("--quick", action="store_true", help="few and short rounds")
    parser.add_argument("only", nargs="?", choices=BENCHMARKS, help="run this one alone")
    arguments = parser.parse_args()
    plan = QUICK if arguments.quick else FULL
    logs = standard_logs(300)
    _print_circumstances(logs, plan)
    # As in the service: what start-up made is kept out of the garbage collections that are timed.
    settle_memory()
    sections: list[Section] = []
    for name, measure in BENCHMARKS.items():
        if arguments.only in (None, name):
            sections.append(measure(logs, plan))
            print_facts(sections[-1])
    print_table(sections)


def _print_circumstances(logs: Sequence[Log], plan: Plan) -> None:
    where = cores()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    pinning = (
        f"the load on core {min(where.load)}, the servers on core {min(where.server)}"
        if where.apart
        else "the load and the servers share them, so figures over HTTP are rough"
    )
    print(f"Thirty-One Adjudicator {VERSION}: benchmark")
    print(f"{python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; {pinning}")
    if hasattr(os, "getloadavg"):
        print(f"load average before: {os.getloadavg()[0]:.1f} (above 0.5 the figures over HTTP are rough)")
    events = sorted({log.events for log in logs})
    size = sum(len(log.body) for log in logs) / len(logs)
    print(
        f"{len(logs)} different standard logs of {events[0]} to {events[-1]} events, {size:,.0f} bytes on average; "
        f"{plan.rounds} rounds; every answer is checked"
    )


if __name__ == "__main__":
    main()
