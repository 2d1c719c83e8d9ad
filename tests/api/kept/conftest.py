"""What the tests of replays over HTTP share."""

from itertools import count

import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.resources import Resources
from replays.store import Store


@pytest.fixture
def store(tmp_path):
    clock = count(1_800_000_000_000, 1000)
    return Store(tmp_path / "replays.sqlite", now=lambda: next(clock))


@pytest.fixture
def client(store):
    store.open()
    with TestClient(create_app(Resources(store)), raise_server_exceptions=False) as client:
        yield client
