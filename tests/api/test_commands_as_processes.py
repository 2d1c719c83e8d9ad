"""The commands as processes: interrupted, watched on a terminal, and read by others."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import closing
from time import monotonic, sleep

import pytest

from replays.faults import StoreError
from replays.store import Store
from tests.api.commanding import (
    lines_in,
    made,
    many,
)
from tests.store.checking import check_whole
from tests.store.serving import PATIENCE, ROOT


def launch(*arguments, database, **streams):
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", "from api.cli import main; main()", *map(str, arguments), "--database", str(database)],
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - a child of a test has no other threads to fear
        **streams,
    )


def hear_interrupts():
    """Undo what a shell does to programs in the background: the tests interrupt them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(condition):
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        sleep(0.02)


def is_over(process):
    """Return whether a process has left no other behind."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_import_that_is_interrupted_has_kept_whole_chunks(tmp_path):
    lines = lines_in(made(tmp_path / "replays.sqlite", many()[:600]))
    other = tmp_path / "other.sqlite"
    process = launch("import", "-", database=other, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"".join(lines))
    process.stdin.flush()
    until(lambda: other.exists() and _count(other) == 500)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors.decode() == (
        "thirtyone: New replays: 500; known ones: 0; lines in error: 0.\nthirtyone: Broken off.\n"
    )
    assert len(check_whole(other)) == 500


def _count(database):
    try:
        with closing(Store(database)) as store:
            return store.count()
    except StoreError:
        return 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_verification_shows_its_progress_and_can_be_interrupted(tmp_path, number):
    database = made(tmp_path / "replays.sqlite", many())
    terminal, end = pty.openpty()
    process = launch("verify", database=database, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    shown = b""
    while b"%" not in shown:
        shown += os.read(terminal, 1000)
    assert b"Verifying" in shown
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    output, _ = process.communicate(timeout=PATIENCE)
    shown += os.read(terminal, 10_000)
    os.close(terminal)
    assert process.returncode == 130
    assert b"Broken off." in shown
    assert b"Traceback" not in shown + output
    until(lambda: is_over(process))


def test_a_reader_who_has_seen_enough_ends_an_export_quietly(database):
    process = launch("export", "-", database=database, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(PATIENCE) in (0, 1)
    assert b"Traceback" not in errors


@pytest.mark.parametrize("arguments", [["export", "-"], ["verify"]], ids=" ".join)
def test_a_full_disk_is_said_in_a_sentence(tmp_path, arguments):
    database = made(tmp_path / "replays.sqlite", many()[:20])
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - it is no file
        process = launch(*arguments, database=database, stdout=full, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=PATIENCE)
    assert errors.decode() == "thirtyone: Standard output cannot be written: No space left on device.\n"
    assert process.returncode == 1
