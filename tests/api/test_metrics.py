"""What `GET /metrics` says: every answer, ruling and kept replay counted, and nothing that a client can choose."""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from limits import parse
from litestar.testing import TestClient
from prometheus_client.parser import text_string_to_metric_families

from api.access import Access
from api.app import create_app
from api.gate import Gate
from api.keys import ApiKey
from api.limits import Limiter
from api.resources import Resources
from api.tallies import BOUNDS, Tallies
from engine import VERSION
from replays.store import Store
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed
from tests.game_stories import TO_A_WINNER

PROMETHEUS = (
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;"
    "version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
)
"""What a Prometheus server accepts."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LABELS = ("route", "method", "status", "outcome", "engine", "le")
BEGUN = changed(LOG, "events", to=[])
IMPOSSIBLE = changed(LOG, "dealer", to=9)


def serving(path, **settings):
    store = Store(path / "replays.sqlite")
    store.open()
    return TestClient(create_app(Resources(store, **settings)), raise_server_exceptions=False)


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path) as client:
        yield client


def samples(client):
    """Return every figure, by its name and the values of its labels."""
    response = client.get("/metrics")
    assert (response.status_code, response.headers["content-type"]) == (200, CONTENT_TYPE)
    found = {}
    for family in text_string_to_metric_families(response.text):
        assert family.documentation
        for sample in family.samples:
            assert sample.labels.keys() <= set(LABELS)
            key = (sample.name, *[sample.labels[label] for label in LABELS if label in sample.labels])
            assert key not in found
            found[key] = sample.value
    return found


def requests(client):
    found = samples(client)
    return {key[1:]: value for key, value in found.items() if key[0] == "thirtyone_http_requests_total"}


def rulings(client):
    found = samples(client)
    return [found["thirtyone_rulings_total", outcome] for outcome in ("settled", "refused", "unfinished")]


def test_requests_are_counted_by_route_method_and_status(client):
    client.get("/v1/presets/pagat")
    client.get("/v1/presets/casual")
    client.get("/v1/presets/none")
    client.head("/v1/presets/pagat")
    client.post("/v1/rulings", json={"hand": LOG})
    client.post("/v1/rulings/", json={"hand": LOG})
    client.post("/v1/rulings", content=b"{", headers={"content-type": "application/json"})
    client.put("/v1/rulings")
    client.options("/v1/rulings")
    client.get("/Ben-holds-Ks")
    client.get("/health/live")
    assert requests(client) == {
        ("/v1/presets/{preset}", "GET", "200"): 2,
        ("/v1/presets/{preset}", "GET", "404"): 1,
        ("/v1/presets/{preset}", "HEAD", "200"): 1,
        ("/v1/rulings", "POST", "201"): 1,
        ("/v1/rulings", "POST", "200"): 1,
        ("/v1/rulings", "POST", "400"): 1,
        ("/v1/rulings", "PUT", "405"): 1,
        ("/v1/rulings", "OPTIONS", "204"): 1,
        ("none", "GET", "404"): 1,
        ("/health/live", "GET", "200"): 1,
    }
    assert requests(client)["/metrics", "GET", "200"] == 1


def test_the_times_are_of_all_requests(client):
    for path in ("/v1/presets/pagat", "/v1/presets/none", "/health/live"):
        client.get(path)
    found = samples(client)
    name = "thirtyone_http_request_duration_seconds"
    for route, count in (("/v1/presets/{preset}", 2), ("/health/live", 1)):
        buckets = [value for key, value in found.items() if key[:3] == (f"{name}_bucket", route, "GET")]
        assert len(buckets) == len(BOUNDS) + 1
        assert buckets == sorted(buckets)
        assert buckets[-1] == found[f"{name}_count", route, "GET"] == count
        assert found[f"{name}_sum", route, "GET"] > 0


@pytest.mark.parametrize(("seconds", "bucket"), [(0.0, 0), (0.0005, 0), (0.0006, 1), (10.0, 13), (11.0, 14)])
def test_a_time_is_counted_up_to_the_bound_that_it_does_not_pass(seconds, bucket):
    tallies = Tallies()
    tallies.count_answer("/", "GET", 200, seconds)
    ((_, answered),) = tallies.answered.items()
    assert (answered.counts.index(1), sum(answered.counts), answered.seconds) == (bucket, 1, seconds)


def test_rulings_are_counted_by_outcome_wherever_they_are_made(client):
    assert rulings(client) == [0, 0, 0]
    for hand in (LOG, LOG, IMPOSSIBLE, BEGUN):
        client.post("/v1/rulings?store=false", json={"hand": hand})
    client.post("/v1/rulings", json={"hand": SHOWDOWN})
    assert rulings(client) == [3, 1, 1]
    client.post("/v1/rulings/batch", json={"hands": [LOG, IMPOSSIBLE, BEGUN, {}]})
    assert rulings(client) == [4, 2, 2]
    lines = b"".join(json.dumps({"hand": hand}).encode() + b"\n" for hand in (LOG, BEGUN, {}))
    client.post("/v1/rulings/batch?store=false", content=lines, headers={"content-type": "application/x-ndjson"})
    assert rulings(client) == [5, 2, 3]
    game = client.post("/v1/games?store=false", json=TO_A_WINNER).json()
    assert rulings(client) == [5 + len(game["hands"]), 2, 3]


def test_no_ruling_is_lost_where_several_threads_judge():
    tallies = Tallies()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda _: [tallies.count_ruling("settled") for _ in range(2000)], range(4)))
    finally:
        sys.setswitchinterval(interval)
    assert tallies.rulings["settled"] == 8000


def test_replays_are_counted_where_they_are_new(client):
    def kept():
        return samples(client)["thirtyone_replays_kept_total",]

    client.post("/v1/rulings?store=false", json={"hand": LOG})
    assert kept() == 0
    client.post("/v1/rulings", json={"hand": LOG})
    client.post("/v1/rulings", json={"hand": LOG})
    assert kept() == 1
    client.post("/v1/rulings/batch", json={"hands": [LOG, SHOWDOWN, SHOWDOWN]})
    assert kept() == 2
    lines = json.dumps({"hand": IMPOSSIBLE}).encode()
    client.post("/v1/rulings/batch", content=lines, headers={"content-type": "application/x-ndjson"})
    assert kept() == 3


def test_the_store_is_up_or_it_is_not(tmp_path):
    with serving(tmp_path) as client:
        assert samples(client)["thirtyone_store_up",] == 1
        assert samples(client)["thirtyone_store_waiting",] == 0
    with TestClient(create_app(Resources(Store(tmp_path / "nowhere" / "replays.sqlite")))) as client:
        assert samples(client)["thirtyone_store_up",] == 0


def test_the_version_and_the_process_are_told(client):
    found = samples(client)
    assert found["thirtyone_info", VERSION] == 1
    if Path("/proc/self/stat").exists():
        assert found["process_resident_memory_bytes",] > 1_000_000
        assert found["process_cpu_seconds_total",] > 0


def test_each_application_counts_for_itself(client, tmp_path):
    client.get("/v1/presets")
    with serving(tmp_path) as other:
        assert requests(other) == {}


def test_nothing_that_a_client_chooses_becomes_a_label(client):
    async def ask(method, path):
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"Ks=Ben",
            "headers": [(b"host", b"x")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_):
            pass

        await client.app(scope, receive, send)

    for number in range(50):
        for path in ("/v1/rulings", "/v1/presets/{}", "/{}", "/v1/replays/{}/reruns", "/v1/rulings/{}//"):
            asyncio.run(ask(f"BREW{number}", path.format(f"Ben-{number}")))
            asyncio.run(ask("GET", path.format(f"Ben-{number}")))
    text = client.get("/metrics").text
    assert "Ben" not in text
    assert "BREW" not in text
    assert len(requests(client)) < 20
    assert requests(client)["/v1/rulings", "other", "405"] == 50


@pytest.mark.parametrize(
    "accept", ["", "*/*", "text/*", "text/plain", "text/plain;version=0.0.4", "text/plain; version=0.0.4", PROMETHEUS]
)
def test_it_is_plain_text_for_whoever_takes_it(client, accept):
    response = client.get("/metrics", headers={"accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (200, CONTENT_TYPE)
    assert response.headers["cache-control"] == "no-store"
    assert "Accept" in response.headers["vary"]


@pytest.mark.parametrize("accept", ["application/json", "application/openmetrics-text", "text/plain;q=0", "text/html"])
def test_it_is_nothing_else(client, accept):
    check(client.get("/metrics", headers={"accept": accept}), 406, "not-acceptable")


def test_it_answers_as_every_address_does(client):
    head = client.head("/metrics")
    assert (head.status_code, head.content, head.headers["content-type"]) == (200, b"", CONTENT_TYPE)
    refused = client.post("/metrics")
    check(refused, 405, "method-not-allowed")
    assert set(refused.headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert client.options("/metrics").status_code == 204
    check(client.get("/metrics?name=one"), 400, "bad-parameter")


def test_it_needs_no_key_and_counts_for_no_limit(tmp_path):
    gate = Gate(Access((ApiKey("one", frozenset({"read"}), b"\0" * 32),)), Limiter(parse("1/hour")))
    with serving(tmp_path, gate=gate) as client:
        for _ in range(3):
            assert client.get("/metrics").status_code == 200


def test_it_is_not_there_where_it_is_turned_off(tmp_path):
    with serving(tmp_path, has_metrics=False) as client:
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            assert client.request(method, "/metrics").status_code == 404
        check(client.get("/metrics"), 404, "not-found")
        assert client.get("/v1/presets").status_code == 200
