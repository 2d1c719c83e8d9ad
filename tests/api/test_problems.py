"""Bad input of every kind gets a clear problem with the right status, and never a 500."""

import json

import msgspec
import pytest

from api.problems import PROBLEM_TYPES
from tests.api.problems import check
from tests.api.stories import LOG, changed

JSON = {"content-type": "application/json"}
PACKED = {"content-type": "application/x-msgpack"}
HAND = json.dumps(LOG)

UNDECODABLE = {
    "empty": b"",
    "truncated": HAND.encode()[:200],
    "truncated after a wrong type": b'{"rules": 5, "hand": {',
    "not JSON": b"hello",
    "NaN": b'{"hand": {"kind": "log", "players": [{"lives": NaN}]}}',
    "Infinity": b'{"hand": {"kind": "log", "players": [{"lives": Infinity}]}}',
    "a trailing comma": b'{"hand": {},}',
    "two values": b'{"hand": {}} {}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": HAND.encode("utf-16"),
    "not UTF-8": b'{"hand": {"kind": "log", "players": [{"lives": 3, "name": "\xff"}]}}',
    "a lone surrogate": b'{"hand": {"kind": "log", "players": [{"lives": 3, "name": "\\ud800"}]}}',
    "100,000 open brackets": b"[" * 100_000,
    "100,000 nested brackets": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"hand":' * 100_000,
    "nested brackets in a field": b'{"hand": {"kind": "log", "players": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
    "an object of the wrong shape, cut short": b'{"z": [1, 2',
    "a leading zero": b'{"hand": {"kind": "log", "players": [{"lives": 03}]}}',
}


@pytest.mark.parametrize("body", UNDECODABLE.values(), ids=UNDECODABLE)
@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/rulings/batch", "/v1/games", "/v1/cuts", "/v1/valuations"])
def test_a_body_that_cannot_be_decoded(client, path, body):
    check(client.post(path, content=body, headers=JSON), 400, "not-decodable")


NAMED = msgspec.msgpack.encode({"hand": changed(LOG, "players", 0, "name", to="name")})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x81\xa4hand",
        b"\x91" * 100_000,
        NAMED[:-1],
        NAMED.replace(b"\xa4name\xa4name", b"\xa4name\xa4\xff\xff\xff\xff"),
    ],
)
def test_messagepack_that_cannot_be_decoded(client, body):
    check(client.post("/v1/rulings", content=body, headers=PACKED), 400, "not-decodable")


@pytest.mark.parametrize("content_type", ["text/csv", "application/xml", "application/jsonp", "json", ""])
def test_a_media_type_that_bodies_are_not_read_in(client, content_type):
    response = client.post("/v1/rulings", content=b"{}", headers={"content-type": content_type})
    check(response, 415, "unsupported-media-type")
    assert "application/json" in response.headers["accept"]


def test_a_body_without_a_media_type_or_with_an_encoding(client):
    check(client.post("/v1/rulings", content=b"{}"), 415, "unsupported-media-type")
    encoded = client.post("/v1/rulings", content=b"{}", headers={**JSON, "content-encoding": "gzip"})
    check(encoded, 415, "unsupported-media-type")
    assert encoded.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/cuts", "/v1/valuations"])
def test_a_body_of_more_than_a_megabyte(client, path):
    check(client.post(path, content=b" " * 1_000_001, headers=JSON), 413, "too-large")
    chunks = (b" " * 100_000 for _ in range(11))
    check(client.post(path, content=chunks, headers=JSON), 413, "too-large")
    check(client.post(path, content=b" " * 1_000_000, headers=JSON), 400, "not-decodable")


def test_a_batch_may_have_sixteen_megabytes(client):
    padding = b" " * 15_000_000
    assert client.post("/v1/rulings/batch", content=b'{"hands": []}' + padding, headers=JSON).status_code == 200
    check(client.post("/v1/rulings/batch", content=b" " * 16_000_001, headers=JSON), 413, "too-large")


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/presets", "/v1/options/lives", "/health/live"])
@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "application/json; q=0.0, text/*"])
def test_nothing_acceptable(client, path, accept):
    call = client.post if path == "/v1/rulings" else client.get
    check(call(path, headers={"accept": accept, **JSON}), 406, "not-acceptable")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/rulings", {"POST", "OPTIONS"}),
        ("DELETE", "/v1/rulings/batch", {"POST", "OPTIONS"}),
        ("POST", "/v1/presets", {"GET", "HEAD", "OPTIONS"}),
        ("PUT", "/v1/options/lives", {"GET", "HEAD", "OPTIONS"}),
        ("POST", "/openapi.json", {"GET", "HEAD", "OPTIONS"}),
        ("BREW", "/v1/valuations", {"POST", "OPTIONS"}),
    ],
)
def test_a_method_that_is_not_allowed(client, method, path, allow):
    response = client.request(method, path)
    check(response, 405, "method-not-allowed")
    assert {name.strip() for name in response.headers["allow"].split(",")} == allow


@pytest.mark.parametrize("path", ["/v1/rulings", "/v1/presets", "/openapi.json"])
def test_options_lists_the_methods(client, path):
    response = client.request("OPTIONS", path)
    assert response.status_code == 204
    assert "OPTIONS" in response.headers["allow"]


@pytest.mark.parametrize(
    "path",
    [
        "/desk/nowhere",
        "/v1",
        "/v2/rulings",
        "/v1/rulings/1",
        "/v1/presets/scat",
        "/v1/options/x",
        "/v1/rulebook/x",
        "/%00",
        "/problems/x",
    ],
)
def test_an_address_where_nothing_is(client, path):
    check(client.get(path), 404, "not-found")


@pytest.mark.parametrize(
    "query", ["store=maybe", "store=", "stored=true", "store=true&x=1", "store=TRUE", "store=true&store=true"]
)
def test_a_parameter_that_is_not_understood(client, query):
    problem = check(client.post(f"/v1/rulings?{query}", json={"hand": LOG}), 400, "bad-parameter")
    assert problem["errors"][0]["parameter"] in {"store", "stored", "x"}


def test_parameters_of_get_requests_are_checked_too(client):
    check(client.get("/v1/presets?x=1"), 400, "bad-parameter")
    check(client.get("/v1/options/lives?form=other"), 400, "bad-parameter")


@pytest.mark.parametrize("kind", PROBLEM_TYPES, ids=lambda kind: kind.slug)
def test_every_problem_type_resolves_to_its_explanation(client, kind):
    explanation = client.get(kind.uri).json()
    assert (explanation["type"], explanation["title"], explanation["status"]) == (
        kind.uri,
        kind.title,
        kind.status,
    )
    assert explanation["explanation"]


def test_titles_and_slugs_are_unique():
    assert (
        len({kind.slug for kind in PROBLEM_TYPES}) == len({kind.title for kind in PROBLEM_TYPES}) == len(PROBLEM_TYPES)
    )


@pytest.mark.parametrize(
    "accept", ["*/*;q=1e309", "application/json;q=inf", "application/json;q=-1e999", ";;,;q=", "*" * 9000]
)
def test_a_strange_accept_header_is_answered_or_refused(client, accept):
    for response in (
        client.get("/health/live", headers={"accept": accept}),
        client.post("/v1/rulings?store=false", json={"hand": LOG}, headers={"accept": accept}),
    ):
        assert response.status_code in (200, 406)


def test_several_accept_headers_are_one_list(client):
    headers = [("accept", "text/html"), ("accept", "application/json"), ("accept", "text/csv")]
    assert client.get("/health/live", headers=headers).status_code == 200
    assert client.post("/v1/rulings?store=false", json={"hand": LOG}, headers=headers).status_code == 200


def test_an_endless_content_length_is_too_large(client):
    headers = {**JSON, "content-length": "9" * 5000}
    check(client.post("/v1/rulings", content=b"{}", headers=headers), 413, "too-large")
    assert (
        client.post("/v1/rulings", content=b"{}", headers={**JSON, "content-length": "0" * 5000 + "2"}).status_code
        == 422
    )
