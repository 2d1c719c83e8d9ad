"""The service in process, as a client sees it."""

import pytest
from litestar.testing import TestClient

from api.app import create_app


@pytest.fixture(scope="session")
def app():
    return create_app()


@pytest.fixture(scope="session")
def client(app):
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
