"""Pages of other origins: which may read what, on every kind of answer, and that nothing is said where it is off."""

import json
import re

import pytest
from limits import parse
from litestar.testing import TestClient

from api.access import Access
from api.app import create_app
from api.configuration import configured
from api.cors import cors_for
from api.gate import Gate
from api.keys import ApiKey, digest_of, new_key
from api.limits import Limiter
from api.resources import Resources
from replays.store import Store
from tests.api.problems import check
from tests.api.stories import LOG

CLUB, STRANGER = "https://club.example", "https://other.example"
KEY = new_key()


def serving(path, origins, gate=None):
    cors = cors_for(configured({"THIRTYONE_CORS_ORIGINS": origins}).settings)
    store = Store(path / "replays.sqlite")
    store.open()
    return TestClient(create_app(Resources(store, gate or Gate(), cors)), raise_server_exceptions=False)


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path, f"{CLUB} http://localhost:5173") as client:
        yield client


@pytest.fixture
def guarded(tmp_path):
    """A service with a key, and a limit that one request uses up."""
    gate = Gate(Access((ApiKey("one", frozenset({"read"}), digest_of(KEY.encode())),)), Limiter(parse("1/hour")))
    with serving(tmp_path, CLUB, gate) as client:
        yield client


def said(response):
    """Return what an answer says of CORS."""
    return {name: value for name, value in response.headers.items() if name.startswith("access-control-")}


def varies(response):
    return re.split(", *", response.headers.get("vary", ""))


JSON = {"content-type": "application/json"}
LINES = {"content-type": "application/x-ndjson"}
RULING = json.dumps({"hand": LOG}).encode()
ANSWERS = [
    ("POST", "/v1/rulings?store=false", JSON, RULING, 200),
    ("POST", "/v1/rulings/?store=false", JSON, RULING, 200),
    ("POST", "/v1/rulings/batch?store=false", LINES, RULING, 200),
    ("POST", "/v1/rulings", JSON, b"{", 400),
    ("POST", "/v1/rulings", {"content-type": "text/plain"}, RULING, 415),
    ("POST", "/v1/rulings", JSON, b"{}", 422),
    ("PUT", "/v1/rulings", {}, b"", 405),
    ("GET", "/v1/replays", {"accept": "application/x-ndjson"}, None, 200),
    ("GET", "/v1/presets", {}, None, 200),
    ("HEAD", "/v1/presets", {}, None, 200),
    ("GET", "/v1/presets", {"accept": "text/plain"}, None, 406),
    ("GET", "/v1/presets/none", {}, None, 404),
    ("DELETE", "/v1/presets", {}, None, 405),
    ("GET", "/nowhere", {}, None, 404),
    ("GET", "/openapi.json", {}, None, 200),
    ("GET", "/v1/presets/pagat/sheet", {}, None, 200),
    ("OPTIONS", "/v1/presets", {}, None, 204),
]


@pytest.mark.parametrize(("method", "path", "headers", "body", "status"), ANSWERS)
@pytest.mark.parametrize("origin", [CLUB, "http://localhost:5173"])
def test_a_page_of_a_listed_origin_may_read_every_answer(client, method, path, headers, body, status, origin):
    response = client.request(method, path, headers={**headers, "origin": origin}, content=body)
    assert response.status_code == status
    assert said(response).keys() == {"access-control-allow-origin", "access-control-expose-headers"}
    assert response.headers["access-control-allow-origin"] == origin
    assert "Origin" in varies(response)
    assert response.headers["x-request-id"]


@pytest.mark.parametrize(("method", "path", "headers", "body", "status"), ANSWERS)
@pytest.mark.parametrize(
    "origin", [STRANGER, "null", "*", "", None, f"{CLUB}:8443", f"{CLUB}.other.example", CLUB[:-1]]
)
def test_a_page_of_another_origin_may_not(client, method, path, headers, body, status, origin):
    sent = headers if origin is None else {**headers, "origin": origin}
    response = client.request(method, path, headers=sent, content=body)
    assert response.status_code == status
    assert said(response) == {}
    assert "Origin" in varies(response)


def test_what_the_answer_varies_by_otherwise_still_stands(client):
    response = client.get("/v1/presets", headers={"origin": CLUB})
    assert {"Accept", "Origin"} <= set(varies(response))
    etag = response.headers["etag"]
    again = client.get("/v1/presets", headers={"origin": CLUB, "if-none-match": etag})
    assert (again.status_code, again.headers["access-control-allow-origin"]) == (304, CLUB)


def preflight(client, path, origin=CLUB, method="POST"):
    return client.options(path, headers={"origin": origin, "access-control-request-method": method})


def every_address(client):
    document = client.get("/openapi.json").json()
    for path, item in document["paths"].items():
        parameters = next(iter(item.values()))["parameters"]
        given = {each["name"]: each["example"] for each in parameters if each["in"] == "path"}
        yield path.format(**given), {method.upper() for method in item}


def test_a_preflight_is_told_the_methods_of_every_address(client):
    for path, methods in every_address(client):
        response = preflight(client, path)
        assert (response.status_code, response.content) == (204, b"")
        assert response.headers["access-control-allow-origin"] == CLUB
        assert set(re.split(", *", response.headers["access-control-allow-methods"])) == {*methods, "OPTIONS"}
        assert response.headers["access-control-allow-headers"] == (
            "Authorization, Content-Type, Accept, If-None-Match, X-Request-ID"
        )
        assert int(response.headers["access-control-max-age"]) > 0
        assert "access-control-expose-headers" not in response.headers
        assert "Origin" in varies(response)


def test_a_preflight_of_another_origin_is_told_nothing(client):
    response = preflight(client, "/v1/rulings", STRANGER)
    assert response.status_code == 204
    assert said(response) == {}


def test_a_preflight_of_an_address_where_nothing_is_fails(client):
    response = preflight(client, "/v1/nothing")
    check(response, 404, "not-found")
    assert "access-control-allow-methods" not in response.headers


def test_a_preflight_needs_no_key_and_counts_for_no_limit(guarded):
    for _ in range(3):
        assert preflight(guarded, "/v1/presets", method="GET").status_code == 204
    bearing = {"origin": CLUB, "authorization": f"Bearer {KEY}"}
    refusals = [guarded.get("/v1/presets", headers={"origin": CLUB})]
    refusals += [guarded.get("/v1/presets", headers=bearing) for _ in range(2)]
    assert [response.status_code for response in refusals] == [401, 200, 429]
    for response in refusals:
        assert response.headers["access-control-allow-origin"] == CLUB


def test_every_origin_is_one_answer_for_all(tmp_path):
    with serving(tmp_path, "*") as client:
        for headers in ({}, {"origin": STRANGER}):
            response = client.get("/v1/presets", headers=headers)
            assert response.headers["access-control-allow-origin"] == "*"
            assert "Accept" in varies(response)
            assert "Origin" not in varies(response)
        assert preflight(client, "/v1/rulings", STRANGER).headers["access-control-allow-origin"] == "*"


def test_credentials_are_never_allowed(client):
    for response in (client.get("/v1/presets", headers={"origin": CLUB}), preflight(client, "/v1/rulings")):
        assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize(("method", "path", "headers", "body", "status"), ANSWERS)
def test_off_by_default_nothing_is_said(tmp_path, method, path, headers, body, status):
    with serving(tmp_path, "") as client:
        response = client.request(method, path, headers={**headers, "origin": CLUB}, content=body)
        assert response.status_code == status
        assert said(response) == {}
        assert "Origin" not in varies(response)
        assert said(preflight(client, path)) == {}


def test_a_page_may_read_the_headers_that_tell_it_something(client, guarded):
    exposed = client.get("/v1/presets", headers={"origin": CLUB}).headers["access-control-expose-headers"].split(", ")
    bearing = {"authorization": f"Bearer {KEY}"}
    told = [
        ("ETag", client.get("/v1/presets")),
        ("Repr-Digest", client.get("/v1/presets")),
        ("Location", client.post("/v1/rulings", json={"hand": LOG})),
        ("Allow", client.put("/v1/rulings")),
        ("Accept", client.post("/v1/rulings", content=b"", headers={"content-type": "text/plain"})),
        ("X-Request-ID", client.get("/nowhere")),
        ("WWW-Authenticate", guarded.get("/v1/presets")),
        ("RateLimit", guarded.get("/v1/presets", headers=bearing)),
        ("RateLimit-Policy", guarded.get("/v1/presets", headers=bearing)),
        ("Retry-After", guarded.get("/v1/presets", headers=bearing)),
    ]
    for name, response in told:
        assert name in response.headers
        assert name in exposed
    assert "Link" in exposed
