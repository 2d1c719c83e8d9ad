"""What the operating system sees: the log is synced after its last write and before the answer is sent."""

import re
import shutil
import subprocess
from itertools import islice

import pytest

from tests.store.hands import bodies
from tests.store.serving import Client, serving
from tests.store.soaking import either

ANSWERS = either(25, soak=500)
CALLS = "pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg"
_CALL = re.compile(r"([0-9]+) +(.*)")


def test_every_replay_is_synced_before_it_is_acknowledged(tmp_path):
    trace = tmp_path / "trace"
    with serving(tmp_path / "replays.sqlite") as server, Client(server.port) as client:
        hands = bodies()
        assert client.store(next(hands)).status == 201  # the store is open
        strace = trace_into(trace, server.process.pid)
        try:
            for body in islice(hands, ANSWERS):
                assert client.store(body).status == 201
        finally:
            strace.terminate()
            strace.communicate()
    assert acknowledged_in_order(trace.read_text().splitlines()) == ANSWERS


def trace_into(path, process):
    """Start to write the system calls of a process to a file; skip the test where that cannot be done."""
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    command = ["strace", "-f", "-y", "-s", "16", "-e", f"trace={CALLS}", "-o", str(path), "-p", str(process)]
    strace = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - a fixed command
    said = strace.stderr.readline()
    if "attached" not in said:
        strace.communicate()
        pytest.skip(f"strace may not look at the process: {said}")
    return strace


def acknowledged_in_order(lines):
    """Return how many replays are acknowledged in a trace, each after a write of the log and then a sync of it."""
    acknowledged, log, begun = 0, "nothing new", {}
    for line in lines:
        thread, call = _CALL.fullmatch(line).groups()
        if "-wal>" in call and call.endswith("<unfinished ...>"):
            begun[thread] = call  # it counts from its end, what is sent from its beginning
            continue
        if call.startswith("<... "):
            call = begun.pop(thread, "")
        if "-wal>" in call:
            log = "written" if call.startswith("pwrite") else "synced"
        elif "HTTP/1.1 201" in call:
            assert log == "synced", f"acknowledged when the log was {log}"
            acknowledged, log = acknowledged + 1, "nothing new"
    return acknowledged


SENT = '7 write(9<socket:[1]>, "HTTP/1.1 201 Cre"..., 900) = 900'
WRITTEN = '8 pwrite64(5</a/replays.sqlite-wal>, "7"..., 32, 0) = 32'
SYNCED = "8 fdatasync(5</a/replays.sqlite-wal>) = 0"
SYNCING = "8 fdatasync(5</a/replays.sqlite-wal> <unfinished ...>"
IS_SYNCED = "8 <... fdatasync resumed>) = 0"


def test_the_trace_is_read_rightly():
    assert acknowledged_in_order([WRITTEN, SYNCED, SENT, WRITTEN, WRITTEN, SYNCING, IS_SYNCED, SENT]) == 2


@pytest.mark.parametrize(
    "lines",
    [
        [SENT],
        [WRITTEN, SENT],
        [WRITTEN, SENT, SYNCED],
        [WRITTEN, SYNCED, SENT, SENT],
        [WRITTEN, SYNCED, WRITTEN, SENT],
        [WRITTEN, SYNCING, SENT, IS_SYNCED],
        [WRITTEN, SYNCING, SENT.replace("= 900", "<unfinished ...>"), IS_SYNCED],
    ],
)
def test_an_answer_before_the_sync_is_found(lines):
    with pytest.raises(AssertionError, match="acknowledged when"):
        acknowledged_in_order(lines)
