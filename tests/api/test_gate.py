"""Where keys are asked for, a request needs one that is good for what it does; where limits are on, they count."""

import pytest
from limits import parse
from litestar.testing import TestClient

from api.access import Access
from api.app import create_app
from api.gate import Gate
from api.keys import ApiKey, digest_of, new_key
from api.limits import Limiter
from api.resources import Resources
from replays.store import Store
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN
from tests.game_stories import TO_A_WINNER

KEYS = {scope: new_key() for scope in ("read", "write", "delete")}
ACCESS = Access(tuple(ApiKey(scope, frozenset({scope}), digest_of(key.encode())) for scope, key in KEYS.items()))


def serving(path, gate):
    store = Store(path / "replays.sqlite")
    store.open()
    return TestClient(create_app(Resources(store, gate)), raise_server_exceptions=False)


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path, Gate(ACCESS)) as client:
        yield client


def bearing(scope):
    return {"authorization": f"Bearer {KEYS[scope]}"}


REQUESTS = [
    ("read", "GET", "/v1/presets", None),
    ("read", "GET", "/v1/options/lives", None),
    ("read", "GET", "/v1/replays", None),
    ("read", "GET", f"/v1/replays/{'0' * 64}", None),
    ("read", "POST", f"/v1/replays/{'0' * 64}/reruns", {}),
    ("read", "POST", "/v1/valuations", {"hands": []}),
    ("read", "POST", "/v1/cuts", {"rule": "lowest", "cards": ["Ks", "9h"]}),
    ("read", "POST", "/v1/games?store=false", TO_A_WINNER),
    ("write", "POST", "/v1/games", TO_A_WINNER),
    ("read", "POST", "/v1/rulings?store=false", {"hand": LOG}),
    ("read", "POST", "/v1/rulings/batch?store=false", {"hands": [LOG]}),
    ("write", "POST", "/v1/rulings", {"hand": LOG}),
    ("write", "POST", "/v1/rulings/batch", {"hands": [SHOWDOWN]}),
    ("delete", "DELETE", f"/v1/replays/{'0' * 64}", None),
]


@pytest.mark.parametrize(("scope", "method", "path", "body"), REQUESTS)
def test_a_request_needs_a_key_that_is_good_for_it(client, scope, method, path, body):
    problem = client.request(method, path, json=body)
    check(problem, 401, "unauthenticated")
    assert problem.headers["www-authenticate"].startswith("Bearer")
    check(client.request(method, path, json=body, headers={"authorization": "Bearer x"}), 401, "unauthenticated")
    for other in KEYS.keys() - {scope}:
        refused = client.request(method, path, json=body, headers=bearing(other))
        check(refused, 403, "forbidden")
        assert f'scope="{scope}"' in refused.headers["www-authenticate"]
        assert KEYS[other] not in refused.text
    assert client.request(method, path, json=body, headers=bearing(scope)).status_code not in (401, 403)


def test_a_stream_needs_a_key_too(client):
    lines = {"content-type": "application/x-ndjson"}
    check(client.post("/v1/rulings/batch", content=b"{}\n", headers=lines), 401, "unauthenticated")
    check(client.post("/v1/rulings/batch", content=b"{}\n", headers=lines | bearing("read")), 403, "forbidden")
    check(client.get("/v1/replays", headers={"accept": "application/x-ndjson"}), 401, "unauthenticated")


def test_nothing_is_kept_of_a_request_that_is_not_let_in(client):
    client.post("/v1/rulings", json={"hand": LOG}, headers=bearing("read"))
    assert client.get("/v1/replays", headers=bearing("read")).json()["replays"] == []


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics", "/problems/forbidden", "/openapi.json"])
def test_health_problems_and_the_document_need_no_key(client, path):
    assert client.get(path).status_code == 200


def test_what_is_not_there_needs_no_key(client):
    check(client.get("/v1/nothing"), 404, "not-found")
    check(client.put("/v1/rulings"), 405, "method-not-allowed")


def test_a_limit_counts_and_says_so_on_every_answer(tmp_path):
    with serving(tmp_path, Gate(limiter=Limiter(parse("3/minute")))) as client:
        answers = [
            client.post("/v1/rulings", json={"hand": LOG}),
            client.post("/v1/rulings", content=b"{", headers={"content-type": "application/json"}),
            client.get("/v1/presets"),
        ]
        assert [answer.status_code for answer in answers] == [201, 400, 200]
        assert [answer.headers["ratelimit"].split(";")[1] for answer in answers] == ["r=2", "r=1", "r=0"]
        assert all("ratelimit-policy" in answer.headers for answer in answers)
        over = client.get("/v1/presets")
        check(over, 429, "too-many-requests")
        assert int(over.headers["retry-after"]) >= 1
        assert client.get("/health/live").status_code == 200


def test_without_limits_nothing_is_said_of_them(client):
    assert "ratelimit" not in client.get("/v1/presets", headers=bearing("read")).headers
