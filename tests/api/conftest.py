"""The service in process, as a client sees it."""

import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.resources import Resources
from replays.store import Store
from tests.api.commanding import RECORDS, made


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


@pytest.fixture
def database(tmp_path):
    """A database with some replays, for the command line."""
    return made(tmp_path / "replays.sqlite", RECORDS)


@pytest.fixture
def file(tmp_path):
    """Write the configuration file."""

    def written(text):
        path = tmp_path / "thirtyone.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written
