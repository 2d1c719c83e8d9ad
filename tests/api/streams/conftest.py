"""Stores of their own for the tests of streams: a plain one, and one that is watched."""

from contextlib import closing

import pytest

from api import replay_lines
from replays.store import Store
from tests.api.streams.streaming import Watched, client_of


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "replays.sqlite")) as store:
        store.open()
        yield store


@pytest.fixture
def client(store):
    return client_of(store)


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr(replay_lines, "PAGE", 10)


@pytest.fixture
def watched(tmp_path):
    with closing(Watched(tmp_path / "watched.sqlite")) as store:
        store.open()
        yield store
