"""A store of its own for each test, and the service in process, on any file."""

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from api.app import create_app
from api.resources import Resources
from replays.store import Store
from tests.store.serving import Answer

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder is made in it


@pytest.fixture
def folder(tmp_path):
    """Return a folder in memory where there is one: what is tested with it does not depend on a disk's pace."""
    if not os.access(IN_MEMORY, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir=IN_MEMORY, prefix="thirtyone-") as folder:
        yield Path(folder)


@pytest.fixture
def path(folder):
    return folder / "replays.sqlite"


@pytest.fixture
def opened():
    """Return a function that makes a store for a file, to be closed after the test."""
    with ExitStack() as stack:

        def store(path, **settings):
            made = Store(path, **settings)
            stack.callback(made.close)
            return made

        yield store


@pytest.fixture
def store(path, opened):
    return opened(path)


class Service:
    """The service in process. Its store can be changed, which spares a start."""

    def __init__(self, app):
        self._app = app
        self._runner = asyncio.Runner()

    def use(self, store):
        self._app.resources = replace(self._app.resources, store=store)

    def ask(self, method, target, body=b""):
        """Send a request and return its answer."""
        return self._runner.run(self._ask(method, target, body))

    def store(self, body):
        """Ask for a ruling that is kept."""
        return self.ask("POST", "/v1/rulings", body)

    def close(self):
        self._runner.close()

    async def _ask(self, method, target, body):
        path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        sent = []

        async def receive():
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message):
            sent.append(message)

        await self._app(scope, receive, send)
        start, *rest = sent
        head = b"".join([b"\r\n%b: %b" % pair for pair in start["headers"]])
        return Answer(start["status"], head, b"".join(message.get("body", b"") for message in rest))


@pytest.fixture(scope="session")
def _service(tmp_path_factory):
    nowhere = tmp_path_factory.mktemp("nowhere") / "replays.sqlite"
    service = Service(create_app(Resources(store=Store(nowhere))))
    yield service
    service.close()


@pytest.fixture
def service(_service, store):
    """Return the service in process, on the store of this test."""
    _service.use(store)
    return _service
