"""What the tests in the browser share."""

import pytest
from playwright.sync_api import sync_playwright

from api.keys import SCOPES, ApiKey, digest_of, new_key
from tests.store.serving import serving
from tests.web.browsing import Visitor, launch


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "replays.sqlite") as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def visitor(browser, address):
    visitor = Visitor(browser, address)
    yield visitor
    visitor.close()


@pytest.fixture
def key():
    return new_key()


@pytest.fixture
def visitor_of_a_locked_service(browser, key, tmp_path):
    entry = ApiKey("visitor", frozenset(SCOPES), digest_of(key.encode())).entry()
    with serving(tmp_path / "replays.sqlite", THIRTYONE_API_KEYS=entry) as server:
        visitor = Visitor(browser, f"http://127.0.0.1:{server.port}")
        yield visitor
        visitor.close()
