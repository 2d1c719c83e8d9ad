"""The service in process, as a client sees it."""

import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.resources import Resources
from replays.store import Store


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    return Store(tmp_path_factory.mktemp("store") / "replays.sqlite")


@pytest.fixture(scope="session")
def app(store):
    return create_app(Resources(store))


@pytest.fixture(scope="session")
def client(app):
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
