"""Every status that the document has for an operation can be had, and looks as the document says."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import pytest
from limits import parse
from litestar.testing import TestClient

from api import examples
from api.access import Access
from api.app import create_app
from api.gate import Gate
from api.keys import ApiKey, digest_of
from api.limits import Limiter
from api.problems import OVERLOADED
from api.resources import Resources
from api.sheets import typesetting
from replays.store import Store
from tests.contract.published import DOCUMENT, schema_of

PUBLISHED = schema_of(DOCUMENT)
OPERATIONS = [(path, method, found) for path, item in DOCUMENT["paths"].items() for method, found in item.items()]
TOO_MUCH = f"{OVERLOADED.title}."
UNPROVOKED = {
    "408": "The guard answers, whatever the operation; test_guard.py.",
    "431": "Likewise.",
    "500": "A crash is a fault of the service, so no request has it; test_problems.py makes one inside.",
    "503": "Where it only means that there is too much to do: the guard again, and test_overload.py.",
}
KEYS = {scope: f"t31_{scope:_<43}" for scope in ("read", "delete")}
UNKNOWN = "0" * 64
OTHER = {"rules": {"changes": {"exchange": "one"}}}
"""An answer of the other form, which fits the schema and does not go with the standard game."""


class Ask(NamedTuple):
    """A request, and the service that it is sent to."""

    service: str
    method: str
    path: str
    query: str = ""
    body: bytes = b""
    headers: Mapping[str, str] = MappingProxyType({})


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """The service with the examples' replay; with keys; with a limit; and one without a store or metrics."""
    keys = tuple(ApiKey(name, frozenset([name]), digest_of(key.encode())) for name, key in KEYS.items())
    limit = Limiter(parse("1/hour"))
    no_folder = tmp_path_factory.mktemp("stores") / "file"
    no_folder.write_text("")
    with examples.resources() as sound:
        made = {
            "open": sound,
            "guarded": Resources(sound.store, Gate(Access(keys))),
            "limited": Resources(sound.store, Gate(limiter=limit)),
            "poor": Resources(Store(no_folder / "replays.sqlite"), has_metrics=False),
        }
        yield {
            name: TestClient(create_app(resources), raise_server_exceptions=False) for name, resources in made.items()
        }


@pytest.fixture
def no_typesetter(monkeypatch):
    """A context without a typesetter."""

    @contextmanager
    def without():
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, "typst", None)
            typesetting._compiler.cache_clear()  # noqa: SLF001 - it keeps the typesetter
            yield
        typesetting._compiler.cache_clear()  # noqa: SLF001 - the same

    return without


def asks(path: str, method: str, found: dict) -> Iterator[tuple[str, Ask]]:
    """Yield what provokes each status of an operation, in an order in which it can be asked."""
    address = path
    for parameter in found["parameters"]:
        address = address.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "")))
    body, headers = b"", {}
    if "requestBody" in found:
        example, *_ = found["requestBody"]["content"]["application/json"]["examples"].values()
        body, headers = msgspec.json.encode(example["value"]), {"content-type": "application/json"}
    verb = method.upper()
    usual = Ask("open", verb, address, body=body, headers=headers)
    of_replay = msgspec.json.encode(
        {"replay": UNKNOWN, "rules": "all-presets"} | ({"rules": {}} if "disputes" in path else {})
    )
    missing = (
        path.replace(path[path.find("{") :].partition("/")[0], UNKNOWN)
        if "{replay}" in path
        else path.replace("{", "no-").replace("}", "")
    )
    yield "200", usual
    yield "201", usual._replace(body=body.replace(b'"lives":3', b'"lives":7'))
    yield "400", usual._replace(query="no-such-parameter=1")
    yield "401", usual._replace(service="guarded")
    key = KEYS["read" if verb == "DELETE" else "delete"]
    yield "403", usual._replace(service="guarded", headers={**headers, "authorization": f"Bearer {key}"})
    lacks = "poor" if path == "/metrics" else "open"
    yield "404", usual._replace(service=lacks, path=missing, body=of_replay if "{" not in path else body)
    yield "405", usual._replace(method="PATCH")
    yield "406", usual._replace(headers={**headers, "accept": "image/png"})
    yield "413", usual._replace(headers={**headers, "content-length": "99000000"})
    yield "415", usual._replace(headers={"content-type": "text/csv"})
    yield "422", usual._replace(body=b"[]")
    yield "429", usual._replace(service="limited")
    # One that nobody has asked for: a sheet that was made once is kept.
    other = "" if body else "players=13" if "score-sheet" in path else "seed=987"
    yield "501", usual._replace(query=other, headers={**headers, "accept": "application/pdf"})
    yield "503", usual._replace(service="poor", body=of_replay if path in {"/v1/comparisons", "/v1/disputes"} else body)
    yield "204", usual


def meaning(response):
    """Return what a documented response means, which may be told elsewhere."""
    name = response.get("$ref", "").rpartition("/")[2]
    return (DOCUMENT["components"]["responses"][name] if name else response)["description"]


def answered(services, ask):
    address = f"{ask.path}?{ask.query}" if ask.query else ask.path
    return services[ask.service].request(ask.method, address, content=ask.body, headers=ask.headers)


def test_every_documented_status_is_reached(services, no_typesetter):
    answered(services, Ask("limited", "GET", "/v1/presets"))
    unreached, reached = [], set()
    for path, method, found in sorted(OPERATIONS, key=lambda each: each[1] == "delete"):
        for status, ask in asks(path, method, found):
            if status not in found["responses"] or meaning(found["responses"][status]) == TOO_MUCH:
                continue
            with no_typesetter() if status == "501" else nullcontext():
                response = answered(services, ask)
            if response.status_code != int(status):
                unreached.append(f"{method} {path} {status}: {response.status_code} {response.text[:200]}")
                continue
            if status != "405":  # which is of another method, for which nothing is documented
                PUBLISHED[path][method.upper()].validate_response(response)
            reached.add((path, method, status))
    assert unreached == []
    documented = {(path, method, status) for path, method, found in OPERATIONS for status in found["responses"]}
    assert {status for _, _, status in documented - reached} == set(UNPROVOKED)
    assert all((path, method, "503") in reached for path, method, _ in documented if path.startswith("/v1/replays"))
