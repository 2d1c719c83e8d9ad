"""Several programs on one file, and many clients with one question."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from threading import Barrier
from time import sleep

import pytest

from bench.logs import NAMES
from tests.store.checking import check_whole
from tests.store.hands import bodies
from tests.store.history import Load
from tests.store.serving import Client, launch, until_ready
from tests.store.soaking import either

CLIENTS = 8
SECONDS = either(2, soak=60)
SLOWEST = either(10, soak=4)
"""Seconds that a client waits at the most while another program writes as fast as it can."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("shared") / "replays.sqlite"


@pytest.fixture(scope="module")
def servers(path):
    """Start two services at the same moment on a file that does not exist yet."""
    with ExitStack() as stack:
        processes = [launch(path) for _ in range(2)]
        servers = [until_ready(process) for process in processes]
        for server in servers:
            stack.callback(server.kill)
        yield servers


def test_two_services_share_a_file(servers, path):
    load = Load([server.port for server in servers], CLIENTS, bodies())
    load.start()
    sleep(SECONDS)
    load.stopping.set()
    history = load.join()
    assert history.faults == []
    assert history.refused == history.unknown == 0
    assert len(history.acknowledged) > 20 * SECONDS
    assert history.lost(check_whole(path)) == set()
    assert max(history.seconds) < SLOWEST
    said = path.with_suffix(".log").read_bytes()
    assert said.count(b"/v1/rulings") >= len(history.acknowledged)
    assert not [name for name in NAMES if name.encode() in said]
    print(f"{len(history.acknowledged)} acknowledged, the slowest after {max(history.seconds):.3f} s")  # noqa: T201 - what a run has shown; pytest keeps it unless asked


def test_what_one_service_has_acknowledged_the_other_finds(servers):
    first, second = (Client(server.port) for server in servers)
    with first, second:
        for body in islice(bodies(seed=32), 20):
            replay = first.store(body).value["replay"]
            assert second.ask("GET", f"/v1/replays/{replay}").status == 200
            assert second.store(body).status == 200
            assert second.ask("DELETE", f"/v1/replays/{replay}").status == 204
            assert first.ask("GET", f"/v1/replays/{replay}").status == 404
            first, second = second, first


@pytest.mark.parametrize("times", [1, 5])
def test_one_question_asked_at_once_is_one_replay(servers, path, times):
    before = check_whole(path)
    body = next(bodies(seed=33 + times))
    together = Barrier(64)

    def ask(number):
        with Client(servers[number % 2].port) as client:
            together.wait()
            return [client.store(body) for _ in range(times)]

    with ThreadPoolExecutor(64) as pool:
        answers = [answer for answers in pool.map(ask, range(64)) for answer in answers]
    assert sorted(answer.status for answer in answers) == [200] * (64 * times - 1) + [201]
    assert len({answer.body for answer in answers}) == 1
    assert check_whole(path) - before == {answers[0].value["replay"]}
