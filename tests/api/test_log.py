"""Every request is one line of the log, without bodies, names or cards, and has an id."""

import re

import pytest
from litestar.testing import TestClient
from structlog.testing import capture_logs

from api import rulings
from api.app import create_app
from api.resources import Resources
from replays.store import Store
from tests.api.stories import LOG


@pytest.fixture
def fresh(tmp_path):
    resources = Resources(Store(tmp_path / "replays.sqlite"))
    with TestClient(create_app(resources), raise_server_exceptions=False) as client:
        yield client


def test_a_request_is_one_line_without_bodies_names_or_cards(fresh):
    with capture_logs() as lines:
        fresh.post("/v1/rulings?store=false", json={"hand": LOG})
    (line,) = lines
    assert line["event"] == "request"
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/rulings", 200)
    assert line["outcome"] == "settled"
    assert line["milliseconds"] > 0
    text = repr(line)
    assert not any(name in text for name in ("Ben", "Ana", "Ks", "9s", "K♠"))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/Ben-holds-Ks", None),
        ("GET", "/v1/presets/Ben-holds-Ks", None),
        ("POST", "/v1/rulings?Ben=Ks", None),
        ("DELETE", "/v1/rulings", None),
        ("POST", "/v1/rulings", b'{"hand": {"Ben": "Ks"}}'),
        ("POST", "/v1/rulings", b" " * 1_000_001),
    ],
)
def test_failures_are_one_line_too(fresh, method, path, body):
    with capture_logs() as lines:
        response = fresh.request(method, path, content=body, headers={"content-type": "application/json"})
    (line,) = lines
    assert line["status"] == response.status_code >= 400
    assert line["request_id"] == response.headers["x-request-id"]
    assert "Ben" not in repr(line)
    assert "Ks" not in repr(line)


def test_a_short_plain_id_of_the_client_is_kept_and_any_other_replaced(fresh):
    def sent(identity):
        return fresh.get("/health/live", headers={"x-request-id": identity}).headers["x-request-id"]

    assert sent("case-17_b.2") == "case-17_b.2"
    for strange in ("a b", "x" * 65, "<script>", "", "é".encode("latin-1")):
        assert re.fullmatch(r"[0-9a-f]+-[0-9a-f]+", sent(strange))
    assert len({sent("") for _ in range(50)}) == 50


def test_a_crash_is_a_problem_and_a_line_that_does_not_quote_the_request(fresh, monkeypatch):
    def crash(*_, **__):
        raise KeyError("Ben holds Ks")

    monkeypatch.setattr(rulings, "judged", crash)
    with capture_logs() as lines:
        response = fresh.post("/v1/rulings", json={"hand": LOG})
    assert response.status_code == 500
    problem = response.json()
    assert problem["type"] == "/problems/internal-error"
    assert problem["request_id"] == response.headers["x-request-id"]
    crashed, request = lines
    assert crashed["event"] == "crash"
    assert crashed["exception"] == "KeyError"
    assert crashed["request_id"] == request["request_id"] == problem["request_id"]
    assert "Ben" not in repr(lines) + response.text
    assert "Traceback" not in response.text
