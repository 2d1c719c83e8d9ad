"""The service answers whatever its document allows, and much that it does not, as the document says.

`make test` asks little of each operation, the same each time; `make soak` asks thousands of things, others in each run,
and whatever can be told apart in a request (the coverage phase), which takes long where a body is large.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

from api.keys import SCOPES, digest_of, new_key
from tests.contract.published import DOCUMENT, REASONS, ask, schema_of
from tests.store.serving import serving

SOAK = bool(os.environ.get("SOAK"))
BRIEF = """
[[operations]]
include-path-regex = "/v1/(rulings|games|comparisons|disputes|valuations|examples|rule-sheets|replays)|sheet"
phases.coverage.enabled = false
"""
OPEN = schema_of(DOCUMENT, "" if SOAK else BRIEF)
GUARDED_DOCUMENT = {**DOCUMENT, "security": [each for each in DOCUMENT["security"] if each]}
GUARDED = schema_of(GUARDED_DOCUMENT, "[phases]\ncoverage.enabled = false\nexamples.enabled = false\n")
"""The same where keys are set: nothing is answered without one."""

KEY = new_key()
ENTRY = f"all:{'+'.join(SCOPES)}:{digest_of(KEY.encode()).hex()}"
unhurried = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@OPEN.parametrize()
@settings(max_examples=2000 if SOAK else 3, **unhurried)
def test_the_answer_is_as_documented(case, address):
    ask(case, address)


@pytest.fixture(scope="session")
def guarded_address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guarded")
    with serving(folder / "replays.sqlite", THIRTYONE_API_KEYS=ENTRY) as server:
        yield f"http://127.0.0.1:{server.port}"


@GUARDED.parametrize()
@settings(max_examples=200 if SOAK else 1, **unhurried)
def test_nothing_is_answered_without_a_key(case, guarded_address):
    ask(case, guarded_address, Authorization=f"Bearer {KEY}")


@pytest.mark.parametrize("label", [label for label in REASONS if not label.startswith("HEAD ")])
def test_what_no_schema_says_is_described(label):
    """A request that fits its schema can be refused; the operation tells why."""
    method, path = label.split()
    operation = DOCUMENT["paths"][path][method.lower()]
    assert ("400" if path == "/v1/replays" else "422") in operation["responses"]
    for reason in REASONS[label]:
        assert reason.described in operation["description"], reason
