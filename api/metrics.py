"""Metrics: how the service does, in the text format of Prometheus.

The figures are read when they are asked for. Labels have values that the service chooses, never those of a client.
"""

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import Metric, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from api.media import FIGURES
from api.operations import Answer, Call, Operation
from api.problems import NOT_FOUND
from api.resources import Resources
from api.routes import route
from api.tallies import BOUNDS, Answered, Tallies
from engine import VERSION
from replays.faults import StoreError

_LIMITS = (*map(str, BOUNDS), "+Inf")
_PROCESS = ProcessCollector(registry=None)


@route(
    "GET",
    "/metrics",
    Operation(
        id="showMetrics",
        tag="Service",
        summary="Show how the service does, for Prometheus",
        description="Counts and times since the start of this process, in the text format of Prometheus "
        "(`text/plain; version=0.0.4`). Where a setting turns it off, there is nothing at this address.",
        schema=str,
        answer="The figures.",
        needs=None,
        writes=(FIGURES,),
        problems=(NOT_FOUND,),
        slow=True,
    ),
)
def show_metrics(call: Call[None]) -> Answer:
    """Answer every figure there is."""
    return Answer(generate_latest(_Figures(call.resources)), headers={"Cache-Control": "no-store"})


class _Figures(Collector):
    """The figures of an application, as they are now."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        store, tallies = self._resources.store, self._resources.tallies
        yield InfoMetricFamily("thirtyone", "The service.", {"engine": VERSION})
        yield from _requests(tallies)
        rulings = CounterMetricFamily("thirtyone_rulings", "Rulings made, by outcome.", labels=["outcome"])
        for outcome, count in tallies.rulings.items():
            rulings.add_metric([outcome], count)
        yield rulings
        yield CounterMetricFamily("thirtyone_replays_kept", "Replays kept that were new.", tallies.kept)
        yield GaugeMetricFamily("thirtyone_store_up", "Whether the store can be written to.", self._is_up())
        yield GaugeMetricFamily("thirtyone_store_waiting", "Pieces of work that wait for the store.", store.waiting)
        yield from _PROCESS.collect()

    def _is_up(self) -> bool:
        try:
            self._resources.store.open()
        except StoreError:
            return False
        return True


def _requests(tallies: Tallies) -> Iterator[Metric]:
    """Yield how many requests were answered, and how long that took."""
    counts = CounterMetricFamily("thirtyone_http_requests", "Requests answered.", labels=["route", "method", "status"])
    times = HistogramMetricFamily(
        "thirtyone_http_request_duration_seconds",
        "Seconds from the head of a request to the end of its answer.",
        labels=["route", "method"],
    )
    together: dict[tuple[str, str], Answered] = {}
    for (path, method, status), answered in sorted(tallies.answered.items()):
        counts.add_metric([path, method, str(status)], sum(answered.counts))
        every = together.setdefault((path, method), Answered([0] * len(_LIMITS)))
        every.counts = [one + other for one, other in zip(every.counts, answered.counts, strict=True)]
        every.seconds += answered.seconds
    for labels, answered in together.items():
        times.add_metric(labels, list(zip(_LIMITS, accumulate(answered.counts), strict=True)), answered.seconds)
    yield counts
    yield times
