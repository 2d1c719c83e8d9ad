"""Streams as a client sees them: sent, read, watched at the store, and broken off."""

import asyncio
import json
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
from jsonschema import Draft202012Validator
from litestar.testing import TestClient

from api.app import create_app
from api.resources import Resources
from replays.store import Store
from tests.api.stories import LOG, changed
from tests.store.hands import bodies, record

LINES = "application/x-ndjson"
DOCUMENT = msgspec.json.decode((Path(__file__).parents[3] / "openapi" / "openapi.json").read_bytes())
UNFINISHED = changed(LOG, "events", to=[])


@cache
def application():
    """Return the application, which is made once: it can have another store for every request."""
    return create_app(Resources(Store(Path("never-opened.sqlite"))))


def over(store):
    """Return the application over a store."""
    application().resources = Resources(store)
    return application()


def client_of(store):
    return TestClient(over(store), raise_server_exceptions=False)


def send(client, *lines, end="\n", query="", **headers):
    """Post lines, given as bytes or as values; return the response."""
    content = b"".join(
        [(line if isinstance(line, bytes) else json.dumps(line).encode()) + end.encode() for line in lines]
    )
    return client.post(f"/v1/rulings/batch{query}", content=content, headers={"content-type": LINES, **headers})


def lines_of(response):
    """Return the decoded lines of a stream, each of the documented shape."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == LINES
    assert response.headers["vary"] == "Accept, Accept-Encoding"
    assert response.content.endswith(b"\n") or not response.content
    lines = [json.loads(line) for line in response.content.splitlines()]
    path, method = response.request.url.path, response.request.method.lower()
    answers = DOCUMENT["paths"][path][method]["x-lines"]["answers"]
    validator = Draft202012Validator({**answers, "components": DOCUMENT["components"]})
    for line in lines[:20]:  # checking takes longer than all else
        assert not [error.message for error in validator.iter_errors(line)]
    return lines


def ask(client, query="", **headers):
    return client.get(f"/v1/replays{query}", headers={"accept": LINES, **headers})


class Watched(Store):
    """A store that notes what it is asked to keep, and fails when it is told to."""

    def __init__(self, path, *failures):
        super().__init__(path)
        self.chunks = []
        self.pages = 0
        self.failures = list(failures)

    async def keep_soon(self, records):
        self.chunks.append(len(records))
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        return await super().keep_soon(records)

    def find(self, filters, before, limit):
        self.pages += 1
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        return super().find(filters, before, limit)


def keep(store, count):
    """Keep so many replays; return their ids, the newest first."""
    records = [record(body) for body in islice(bodies(), count)]
    store.keep(records)
    return [each.replay.hex() for each in reversed(records)]


class Connection:
    """A connection to the application, without a server between."""

    def __init__(self, app, method, path, body=(), **headers):
        self.app = app
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        self.body = list(body)
        self.sent = []
        self.gone = asyncio.Event()

    async def receive(self):
        if self.body:
            part = self.body.pop(0)
            if part is None:
                self.gone.set()
            else:
                return {"type": "http.request", "body": part, "more_body": bool(self.body)}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message)

    async def run(self):
        await self.app(self.scope, self.receive, self.send)

    @property
    def is_whole(self):
        return not self.sent[-1].get("more_body", True)

    @property
    def content(self):
        return b"".join([message["body"] for message in self.sent[1:]])


async def until(condition):
    while not condition():  # noqa: ASYNC110 - it is of what the application has done
        await asyncio.sleep(0.01)
