"""The service as users start it: a process that says where it listens and stops when it is told to."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import uvicorn
from click.testing import CliRunner
from sqlite_utils.utils import sqlite3

from api.cli import group
from api.keys import ApiKey, digest_of, new_key
from replays.connection import sqlite_is_safe
from tests.api.stories import LOG
from tests.store.serving import PATIENCE

ROOT = Path(__file__).parents[2]
EVERYWHERE = "0.0.0.0"  # noqa: S104 - where other machines would reach it
READY = re.compile(r"Thirty-One Adjudicator \S+ is ready at (http://\S+)\n")


@pytest.fixture
def start(tmp_path):
    """Start processes that keep their replays apart, and end those that still run."""
    processes = []
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("THIRTYONE_")}

    def started(*arguments, command=("-m", "api"), log=subprocess.PIPE, **environment):
        store = {"THIRTYONE_DATABASE": str(tmp_path / "replays.sqlite")}
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *command, *arguments],
            cwd=ROOT,
            env={**inherited, **store, **environment},
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield started
    for process in processes:
        process.kill()
        process.communicate()


def ready(process):
    """Return what a process said before it was ready, with its address kept on it; fail if it never is."""
    said = []
    for line in process.stderr:
        if found := READY.fullmatch(line):
            process.address = found[1]
            return said
        said.append(line)
    pytest.fail(f"not ready: {said}")


@pytest.fixture
def server(start):
    process = start(PORT="0")
    said = ready(process)
    assert said == [] or not sqlite_is_safe()
    assert process.address.startswith("http://127.0.0.1:")
    return process


def refused(process):
    """Return the sentence with which a process ended."""
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert output == ""
    assert "Traceback" not in errors
    *_, sentence = errors.splitlines()
    return sentence


@pytest.fixture
def serve(monkeypatch, tmp_path):
    """Call the command in this process, which spares its start, and is enough where it does not come to serving."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda _: pytest.fail("it serves"))
    monkeypatch.setattr("api.cli.serve.configure_log", lambda: None)  # this process has a log already
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, **environment: CliRunner().invoke(group, ["serve", *arguments], env=environment)


def test_it_answers_and_logs_a_line_of_json_a_request(server):
    response = httpx.post(f"{server.address}/v1/rulings?store=false", json={"hand": LOG})
    assert response.json()["ruling"]["outcome"] == "settled"
    assert "server" not in response.headers
    server.send_signal(signal.SIGTERM)
    output, errors = server.communicate(timeout=10)
    assert server.returncode == 0
    assert errors == ""
    (line,) = output.splitlines()
    assert json.loads(line)["request_id"] == response.headers["x-request-id"]


def test_a_log_that_cannot_be_written_keeps_nobody_from_an_answer(start):
    with Path("/dev/full").open("w") as full:
        process = start(PORT="0", log=full)
    ready(process)
    with httpx.Client(base_url=process.address) as client:
        for _ in range(100):
            assert client.get("/health/live").status_code == 200
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE)
    assert errors == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly(server, number):
    server.send_signal(number)
    _, errors = server.communicate(timeout=10)
    assert server.returncode == 0
    assert errors == ""


def test_an_oversized_body_is_refused_before_it_is_read(server):
    host, port = server.address.removeprefix("http://").split(":")
    lines = (
        "POST /v1/rulings HTTP/1.1",
        f"host: {host}",
        "content-type: application/json",
        "content-length: 50000000",
    )
    head = "\r\n".join((*lines, "", ""))
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode())
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "70000"),
        ("PORT", "-1"),
        ("PORT", "8031.5"),
        ("HOST", "a..b"),
        ("THIRTYONE_API_KEYS", "one:read"),
        ("THIRTYONE_RATE_LIMIT", "sometimes"),
        ("THIRTYONE_INSECURE", "maybe"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_a_sentence(serve, name, value):
    result = serve(**{name: value})
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"thirtyone: .*{name}.*\.\n", result.stderr)


def test_a_port_that_is_taken_is_said_in_a_sentence(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = refused(start(PORT=str(port)))
    assert sentence == f"thirtyone: The service cannot listen at 127.0.0.1, port {port}: Address already in use."


def test_a_host_that_there_is_not_is_said_in_a_sentence(start):
    sentence = refused(start(HOST="nowhere.invalid", PORT="0", THIRTYONE_INSECURE="1"))
    assert sentence.startswith("thirtyone: The service cannot listen at nowhere.invalid, port 0: ")


def test_the_command_serves_as_the_module_does(start):
    process = start("serve", command=("-c", "from api.cli import main; main()"), PORT="0")
    ready(process)
    assert httpx.get(f"{process.address}/health/live").status_code == 200
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.parametrize("host", ["::", "192.0.2.1", "example.invalid"])
def test_without_keys_it_listens_to_its_own_machine_only(serve, host):
    result = serve(HOST=host)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"thirtyone: HOST is {host}, where other machines may reach the service, and no")
    assert "THIRTYONE_API_KEYS" in result.stderr
    assert "--insecure" in result.stderr


def test_that_is_what_the_process_says_too(start):
    assert refused(start(HOST=EVERYWHERE)).startswith(f"thirtyone: HOST is {EVERYWHERE}, where other machines")


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--insecure"], {}),
        ([], {"THIRTYONE_INSECURE": "1"}),
        ([], {"THIRTYONE_API_KEYS": f"one:read:{'0' * 64}"}),
    ],
)
def test_it_listens_to_others_with_keys_or_when_it_is_told_to(start, arguments, environment):
    process = start(*arguments, HOST=EVERYWHERE, PORT="0", **environment)
    ready(process)
    port = process.address.rpartition(":")[2]
    assert httpx.get(f"http://127.0.0.1:{port}/health/live").status_code == 200


def test_an_option_that_does_not_exist_is_refused_in_words(serve):
    result = serve("--public")
    assert result.exit_code == 2
    assert "No such option" in result.stderr


def test_no_key_that_is_sent_is_written_anywhere(start):
    known, stranger = new_key(), new_key()
    scopes = frozenset(["read", "write", "delete"])
    process = start(PORT="0", THIRTYONE_API_KEYS=ApiKey("one", scopes, digest_of(known.encode())).entry())
    ready(process)
    shown = []
    for authorization in (f"Bearer {known}", f"Bearer {stranger}", f"Basic {stranger}", stranger):
        for path in ("/v1/presets", "/v1/nothing", "/health/live"):
            response = httpx.get(process.address + path, headers={"Authorization": authorization})
            shown.append(response.text + repr(response.headers))
    process.send_signal(signal.SIGTERM)
    shown += process.communicate(timeout=10)
    for key in (known, stranger):
        assert key not in "".join(shown)
        assert digest_of(key.encode()).hex() not in "".join(shown)


def test_a_database_of_something_else_is_not_touched(serve, tmp_path):
    path = tmp_path / "addresses.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE people (name TEXT)")
    other.close()
    before = path.read_bytes()
    result = serve(THIRTYONE_DATABASE=str(path))
    assert result.exit_code == 1
    assert result.stderr.endswith("thirtyone: The file is a database, but not a store of replays.\n")
    assert path.read_bytes() == before


@pytest.mark.parametrize("database", ["nowhere/replays.sqlite", "."])
def test_a_store_that_cannot_be_opened_is_said_and_the_rest_is_served(start, tmp_path, database):
    process = start(PORT="0", THIRTYONE_DATABASE=str(tmp_path / database))
    *_, sentence = ready(process)
    assert sentence.startswith("thirtyone: The store's file cannot be opened. Until that is mended")
    response = httpx.post(f"{process.address}/v1/rulings?store=false", json={"hand": LOG})
    assert response.json()["ruling"]["outcome"] == "settled"


def test_what_the_file_says_is_what_is_served(start, tmp_path):
    file = tmp_path / "thirtyone.toml"
    file.write_text(
        'cors_origins = ["https://club.example"]\nrate_limit = "1/hour"\nforwarded_allow_ips = []\nmetrics = false\n'
    )
    process = start("--config", str(file), PORT="0")
    ready(process)
    origin = {"origin": "https://club.example"}
    first = httpx.get(f"{process.address}/v1/presets", headers={**origin, "x-forwarded-for": "192.0.2.1"})
    second = httpx.get(f"{process.address}/v1/presets", headers={**origin, "x-forwarded-for": "192.0.2.2"})
    third = httpx.get(f"{process.address}/metrics", headers=origin)
    answers = (first, second, third)
    assert [response.status_code for response in answers] == [200, 429, 404]
    assert {response.headers["access-control-allow-origin"] for response in answers} == {"https://club.example"}


def test_by_default_a_proxy_on_the_same_machine_is_believed_and_metrics_are_there(start):
    process = start(PORT="0", THIRTYONE_RATE_LIMIT="1/hour")
    ready(process)
    for address in ("192.0.2.1", "192.0.2.2"):
        response = httpx.get(f"{process.address}/v1/presets", headers={"x-forwarded-for": address})
        assert response.status_code == 200
    figures = httpx.get(f"{process.address}/metrics").text
    assert 'thirtyone_http_requests_total{method="GET",route="/v1/presets",status="200"} 2.0\n' in figures
    assert "thirtyone_store_up 1.0\n" in figures


def test_an_old_sqlite_is_warned_of(serve, monkeypatch):
    monkeypatch.setattr("api.cli.serve.sqlite_is_safe", lambda: False)
    monkeypatch.setattr(uvicorn.Server, "run", lambda server: setattr(server, "started", True))
    result = serve(PORT="0", THIRTYONE_DATABASE="replays.sqlite")
    assert result.exit_code == 0
    assert result.stderr.startswith("thirtyone: SQLite is older than 3.51.3")
