"""What the standards of HTTP say of every answer: negotiation, caching, compression, security, the way to the rest."""

import base64
import gzip
import hashlib
import json
import zlib

import msgspec
import pytest
import zstandard
from litestar.testing import TestClient
from structlog.testing import capture_logs

from api.app import ROUTES, create_app
from api.compression import coding_for
from api.resources import Resources
from api.routes import OPERATION
from replays.store import Store
from tests.api.stories import LOG

PLAIN = {"accept-encoding": "identity"}
TAGGED = [
    "/openapi.json",
    "/v1/presets",
    "/v1/presets/pagat",
    "/v1/presets/pagat/sheet.html",
    "/.well-known/api-catalog",
]
SEVERAL = ["/v1/replays", "/nowhere", "/v1/rulings", "/health/live", "/v1/presets/pagat/score-sheet.pdf"]


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    """A client that sends no `Accept-Encoding` of its own."""
    resources = Resources(Store(tmp_path_factory.mktemp("http") / "replays.sqlite"))
    with TestClient(create_app(resources), raise_server_exceptions=False) as client:
        del client.headers["accept-encoding"]
        yield client


@pytest.mark.parametrize(
    ("accept_encoding", "coding"),
    [
        (b"gzip, deflate, br, zstd", "zstd"),
        (b"gzip, deflate", "gzip"),
        (b"x-gzip", "gzip"),
        (b"GZIP", "gzip"),
        (b"*", "zstd"),
        (b"zstd;q=0, *", "gzip"),
        (b"gzip;q=0.5, zstd;q=0.4", "gzip"),
        (b"gzip ; q=0.5", "gzip"),
        (b"", None),
        (b"identity", None),
        (b"br, deflate", None),
        (b"gzip;q=0", None),
        (b"gzip;q=0.000, *;q=0", None),
        (b"identity, gzip;q=0.5", None),
        (b"gzip;q=2, zstd;q=nan", None),
        (b"\xff;q=1,,;;,=", None),
    ],
)
def test_the_coding_that_a_client_likes_best(accept_encoding, coding):
    found = coding_for(accept_encoding)
    assert (found.name if found else None) == coding


@pytest.mark.parametrize("name", [b"gzip", b"zstd"])
def test_two_answers_that_are_compressed_side_by_side_do_not_mix(name):
    coding = coding_for(name)
    undo = {
        b"gzip": zlib.decompressobj(31).decompress,
        b"zstd": zstandard.ZstdDecompressor().decompressobj().decompress,
    }
    what_both_say = hashlib.shake_256(name).digest(1000)
    mine = coding.begin()
    sent = mine.part(b"mine ")
    coding.begin().part(what_both_say)
    sent += mine.last(what_both_say)
    assert undo[name](sent) == b"mine " + what_both_say


@pytest.mark.parametrize(
    ("coding", "undo"), [("gzip", gzip.decompress), ("zstd", lambda sent: zstandard.decompress(sent, 10_000_000))]
)
@pytest.mark.parametrize("path", ["/openapi.json", "/v1/options", "/v1/presets/pagat/sheet.md"])
def test_a_large_answer_is_compressed_for_whoever_likes_that(raw, path, coding, undo):
    plain = raw.get(path)
    assert "content-encoding" not in plain.headers
    with raw.stream("GET", path, headers={"accept-encoding": coding}) as response:
        sent = b"".join(response.iter_raw())
    assert response.headers["content-encoding"] == coding
    assert int(response.headers["content-length"]) == len(sent) < len(plain.content) / 2
    assert undo(sent) == plain.content
    for each in (plain, response):
        assert "Accept-Encoding" in each.headers["vary"]
    assert response.headers["etag"] != plain.headers["etag"]
    digest = base64.b64encode(hashlib.sha256(sent).digest()).decode()
    assert response.headers["repr-digest"] == f"sha-256=:{digest}:"
    again = raw.get(path, headers={"accept-encoding": coding, "if-none-match": response.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["etag"] == response.headers["etag"]


def test_a_posted_answer_is_compressed_too(raw):
    body = {"hand": LOG, "rules": "all-presets"}
    plain = raw.post("/v1/comparisons", json=body)
    packed = raw.post("/v1/comparisons", json=body, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


def test_a_header_in_several_lines_is_one_list(raw):
    for path in ("/v1/presets", "/openapi.json"):
        etag = raw.get(path).headers["etag"]
        for tags in ([etag, '"other"'], ['"other"', etag]):
            assert raw.get(path, headers=[("if-none-match", tag) for tag in tags]).status_code == 304
    for lines in (["gzip", "br"], ["br", "gzip"]):
        headers = [("accept-encoding", line) for line in lines]
        for answer in (
            raw.get("/v1/options", headers=headers),
            raw.post("/v1/comparisons", json={"hand": LOG, "rules": "all-presets"}, headers=headers),
        ):
            assert answer.headers["content-encoding"] == "gzip"
    stored = raw.post("/v1/rulings", json={"hand": LOG}).headers["location"]
    etag = raw.get(stored).headers["etag"]
    assert raw.get(stored, headers=[("if-none-match", etag), ("if-none-match", '"other"')]).status_code == 304


def test_small_answers_problems_and_pdfs_are_sent_as_they_are(raw):
    anything = {"accept-encoding": "gzip, zstd"}
    assert "content-encoding" not in raw.get("/health/live", headers=anything).headers
    assert "content-encoding" not in raw.get("/nowhere", headers=anything).headers
    pdf = raw.get("/v1/presets/pagat/score-sheet.pdf", headers=anything)
    assert pdf.content.startswith(b"%PDF")
    assert "content-encoding" not in pdf.headers


def test_lines_are_compressed_as_they_are_sent(raw):
    lines = b"".join(json.dumps({"hand": {**LOG, "dealer": dealer}}).encode() + b"\n" for dealer in (1, 2, 3))
    headers = {"content-type": "application/x-ndjson"}
    plain = raw.post("/v1/rulings/batch?store=false", content=lines, headers=headers)
    for coding in ("gzip", "zstd"):
        packed = raw.post(
            "/v1/rulings/batch?store=false", content=lines, headers={**headers, "accept-encoding": coding}
        )
        assert packed.headers["content-encoding"] == coding
        assert packed.content == plain.content
        assert len(packed.content.splitlines()) == 3


@pytest.mark.parametrize("path", TAGGED)
def test_the_digest_is_that_of_the_answer(raw, path):
    response = raw.get(path)
    digest = hashlib.sha256(response.content).digest()
    assert response.headers["repr-digest"] == f"sha-256=:{base64.b64encode(digest).decode()}:"
    assert response.headers["etag"] == f'"{digest.hex()}"'


def test_a_replay_brings_its_digest(raw):
    replay = raw.post("/v1/rulings", json={"hand": LOG}).json()["replay"]
    response = raw.get(f"/v1/replays/{replay}")
    digest = base64.b64encode(hashlib.sha256(response.content).digest()).decode()
    assert response.headers["repr-digest"] == f"sha-256=:{digest}:"
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", [*TAGGED, *SEVERAL])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS"])
def test_every_answer_is_safe_in_a_browser_and_names_no_software(raw, method, path):
    response = raw.request(method, path)
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "set-cookie" not in response.headers
    assert "server" not in response.headers
    for name in ("x-content-type-options", "content-security-policy", "x-request-id", "content-type"):
        assert response.headers.get_list(name) in ([], [response.headers.get(name)])


GETS = sorted(
    path
    for route in ROUTES
    if OPERATION in route.opt and "GET" in getattr(route, "http_methods", ())
    for path in route.paths
)


@pytest.mark.parametrize("template", GETS)
def test_head_is_get_without_the_body(raw, template):
    replay = raw.post("/v1/rulings", json={"hand": LOG}).json()["replay"]
    operation = next(route.opt[OPERATION] for route in ROUTES if template in route.paths and OPERATION in route.opt)
    path = template
    for parameter in operation.path:
        value = replay if parameter.name in {"replay", "id"} else parameter.example
        path = path.replace(f"{{{parameter.name}:str}}", value)
    for headers in ({}, {"accept-encoding": "gzip"}):
        got, head = raw.get(path, headers=headers), raw.head(path, headers=headers)
        assert (head.status_code, head.content) == (got.status_code, b"")
        passing = {"x-request-id", "date", "content-length", "content-type"}
        assert {name: value for name, value in head.headers.items() if name not in passing} == {
            name: value for name, value in got.headers.items() if name not in passing
        }


@pytest.mark.parametrize("template", sorted({path for route in ROUTES for path in route.paths}))
def test_options_says_what_a_405_allows(raw, template):
    path = template.replace(":str", "")
    options = raw.options(path)
    assert options.status_code == 204
    refused = raw.request("PATCH", path)
    assert refused.status_code == 405
    assert set(refused.headers["allow"].split(", ")) == set(options.headers["allow"].split(", "))


def test_a_stranger_finds_the_description(raw):
    catalog = raw.get("/.well-known/api-catalog")
    assert catalog.headers["content-type"] == "application/linkset+json"
    assert 'rel="api-catalog"' in catalog.headers["link"]
    (entry,) = catalog.json()["linkset"]
    for relation in ("service-desc", "status"):
        for link in entry[relation]:
            found = raw.get(link["href"])
            assert found.status_code == 200
            assert found.headers["content-type"] == link["type"]
    for response in (raw.get("/nowhere"), raw.get("/openapi.json")):
        assert '</openapi.json>; rel="service-desc"' in response.headers["link"]


TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("traceparent", "trace"),
    [
        (f"00-{TRACE}-b7ad6b7169203331-01", TRACE),
        (f"cc-{TRACE}-b7ad6b7169203331-01-what-comes-later", TRACE),
        (f"00-{'0' * 32}-b7ad6b7169203331-01", None),
        (f"00-{TRACE}-{'0' * 16}-01", None),
        (f"00-{TRACE.upper()}-b7ad6b7169203331-01", None),
        ("Ben holds Ks", None),
    ],
)
def test_a_request_is_logged_with_the_trace_it_is_part_of(raw, traceparent, trace):
    with capture_logs() as lines:
        raw.post("/v1/rulings?store=false", json={"hand": LOG}, headers={"traceparent": traceparent})
    assert lines[0].get("trace") == trace


@pytest.mark.parametrize("media_type", ["application/json", "application/x-msgpack"])
def test_one_question_in_every_format(raw, media_type):
    encode = {"application/json": msgspec.json.encode, "application/x-msgpack": msgspec.msgpack.encode}[media_type]
    body = encode({"hand": LOG})
    headers = {"content-type": media_type, "accept": media_type, "accept-encoding": "zstd"}
    response = raw.post("/v1/comparisons", content=encode({"hand": LOG, "rules": "all-presets"}), headers=headers)
    assert response.headers["content-encoding"] == "zstd"
    assert response.headers["content-type"] == media_type
    assert raw.post("/v1/rulings?store=false", content=body, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "path", ["/nowhere", f"/v1/replays/{'0' * 64}", "/v1/presets/scat", "/v1/presets/scat/sheet", "/docs/nowhere"]
)
def test_whoever_is_lost_is_told_where_the_service_is_described(raw, path):
    response = raw.get(path)
    assert response.status_code == 404
    assert '</openapi.json>; rel="service-desc"' in response.headers["link"]
    assert '</docs>; rel="service-doc"' in response.headers["link"]


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_how_the_service_is_now_is_kept_by_no_cache(raw, path):
    response = raw.get(path)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
