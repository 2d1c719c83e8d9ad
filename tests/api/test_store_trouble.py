"""Without a store: what needs it is a 503, the rest goes on, and no file is touched that is not ours."""

import pytest
from litestar.testing import TestClient
from sqlite_utils import Database

from api.app import create_app
from api.resources import Resources
from replays.faults import NotAStoreError, StoreError
from replays.store import Store
from tests.api.problems import check
from tests.api.stories import LOG, changed


@pytest.fixture(params=["disk", "other"])
def broken(request, tmp_path):
    """A service whose store cannot be used, for one reason or another."""
    path = tmp_path / "replays.sqlite"
    if request.param == "disk":
        path.mkdir()
    else:
        path.write_bytes(b"This is not a database, but it is long enough to look like one." * 100)
    with TestClient(create_app(Resources(Store(path))), raise_server_exceptions=False) as client:
        yield client


def test_without_a_store_what_needs_it_is_a_503_and_the_rest_goes_on(broken):
    unavailable = [
        broken.post("/v1/rulings", json={"hand": LOG}),
        broken.post("/v1/rulings/batch", json={"hands": [LOG]}),
        broken.get("/v1/replays"),
        broken.get(f"/v1/replays/{'0' * 64}"),
        broken.delete(f"/v1/replays/{'0' * 64}"),
        broken.post(f"/v1/replays/{'0' * 64}/reruns", json={}),
        broken.post("/v1/disputes", json={"replay": "0" * 64}),
        broken.post("/v1/comparisons", json={"replay": "0" * 64, "rules": "all-presets"}),
        broken.get("/health/ready"),
    ]
    for response in unavailable:
        problem = check(response, 503, "store-unavailable")
        assert int(response.headers["retry-after"]) > 0
        assert not any(word in problem["detail"] for word in ("sqlite", "SELECT", "/"))
    assert broken.get("/health/live").status_code == 200
    assert broken.post("/v1/rulings?store=false", json={"hand": LOG}).json()["ruling"]["outcome"] == "settled"
    assert broken.post("/v1/rulings", json={"hand": changed(LOG, "events", to=[])}).status_code == 200


def test_a_store_that_comes_back_is_used_again(tmp_path):
    path = tmp_path / "replays.sqlite"
    path.mkdir()
    with TestClient(create_app(Resources(Store(path))), raise_server_exceptions=False) as client:
        check(client.post("/v1/rulings", json={"hand": LOG}), 503, "store-unavailable")
        path.rmdir()
        assert client.post("/v1/rulings", json={"hand": LOG}).status_code == 201
        assert client.get("/health/ready").json()["status"] == "ok"


def test_a_database_of_something_else_is_not_touched(tmp_path):
    path = tmp_path / "replays.sqlite"
    other = Database(path)
    other["notes"].insert({"text": "mine"})
    other.close()
    before = path.read_bytes()
    store = Store(path)
    with pytest.raises(NotAStoreError):
        store.open()
    with pytest.raises(StoreError):
        store.find(None, None, 1)
    store.close()
    assert path.read_bytes() == before
