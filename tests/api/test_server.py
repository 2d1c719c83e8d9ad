"""The service as users start it: a process that says where it listens and stops when it is told to."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.api.stories import LOG

ROOT = Path(__file__).parents[2]


def start(**environment):
    return subprocess.Popen(
        [sys.executable, "-m", "api"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def server():
    process = start(PORT="0")
    ready = process.stderr.readline()
    assert " is ready at http://127.0.0.1:" in ready
    process.address = ready.split()[-1]
    yield process
    process.kill()
    process.communicate()


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


@pytest.mark.parametrize("port", ["http", "70000", "-1", "8031.5"])
def test_a_port_that_cannot_be_is_refused_in_a_sentence(port):
    process = start(PORT=port)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 1
    assert errors.startswith("thirtyone: PORT must be a number")
    assert "Traceback" not in errors


def test_a_port_that_is_taken_is_said_in_words():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start(PORT=str(taken.getsockname()[1]))
        _, errors = process.communicate(timeout=10)
    assert process.returncode != 0
    assert "address already in use" in errors
    assert "Traceback" not in errors
