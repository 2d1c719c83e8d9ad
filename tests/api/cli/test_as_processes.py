"""The commands for hands as processes: on a terminal, in a pipe, broken off, and with more than fits into memory."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from api.cli import COMMANDS
from tests.api.cli.commanding import FRIDAY, early, hand, illegal, lines, program, run
from tests.api.test_commands_as_processes import hear_interrupts
from tests.store.serving import PATIENCE, ROOT
from tests.store.soaking import either

MAIN = "from api.cli import main; main()"
SETTLED = "Settled: Ben loses 2 lives and Ana loses 1 life."


def launch(*arguments, environment=None, **streams):
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", MAIN, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - a child of a test has no other threads to fear
        **streams,
    )


@contextmanager
def terminal():
    """Lend both ends of a terminal."""
    ends = pty.openpty()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def shown_by(end):
    """Return what a terminal has been given, once it has been given something."""
    ready, _, _ = select.select([end], [], [], PATIENCE)
    assert ready
    return os.read(end, 100_000).decode()


@pytest.fixture
def friday(tmp_path):
    file = tmp_path / "friday.31"
    file.write_text(FRIDAY, encoding="utf-8")
    return file


@pytest.fixture
def many(tmp_path):
    """Return a file with more hands than are judged in an instant."""
    file = tmp_path / "many.ndjson"
    file.write_text(lines(hand()) * 30_000, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("record", "status"), [(hand(), 0), (early(), 0), (illegal(), 1), ("no hand", 2)], ids=["0", "0 too", "1", "2"]
)
def test_the_status_tells_scripts_what_came_of_it(record, status):
    process = launch("judge", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.communicate(json.dumps(record).encode(), PATIENCE)
    assert process.returncode == status


def test_a_terminal_is_shown_colours_and_a_pipe_is_not(friday):
    with terminal() as (screen, end):
        process = launch("judge", friday, stdout=end)
        assert process.wait(PATIENCE) == 0
        shown = shown_by(screen)
    assert f"\x1b[1;32m{SETTLED}\x1b[0m" in shown
    assert re.search("\x1b\\[[0-9;]*31[0-9;]*m.*♥", shown)
    plain = launch("judge", friday, stdout=subprocess.PIPE).communicate(timeout=PATIENCE)[0].decode()
    assert "\x1b" not in plain
    assert re.sub("\x1b\\[[0-9;]*m", "", shown).replace("\r\n", "\n") == plain


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_done_without(friday, environment):
    with terminal() as (screen, end):
        process = launch("judge", friday, stdout=end, environment=environment)
        assert process.wait(PATIENCE) == 0
        assert "\x1b" not in shown_by(screen)


def test_a_narrow_terminal_is_not_overrun(friday):
    with terminal() as (screen, end):
        process = launch("judge", friday, stdout=end, environment={"COLUMNS": "50", "NO_COLOR": "1"})
        assert process.wait(PATIENCE) == 0
        assert max(map(len, shown_by(screen).splitlines())) <= 50


def test_a_terminal_without_a_width_is_shown_everything(friday):
    with terminal() as (screen, end):
        process = launch("judge", friday, stdout=end, environment={"COLUMNS": "0", "NO_COLOR": "1"})
        assert process.wait(PATIENCE) == 0
        shown = shown_by(screen).replace("\r\n", "\n")
    assert shown == launch("judge", friday, stdout=subprocess.PIPE).communicate(timeout=PATIENCE)[0].decode()


@pytest.mark.parametrize("before", ["½ of …", "张", "x" * 100])
@pytest.mark.parametrize("streams", [{}, {"PYTHONIOENCODING": "ascii"}], ids=str)
def test_carets_stand_under_the_place_in_any_encoding(before, streams):
    bad, late = f"{{{before}}} Zoe: knock\n", f"{{{before}}} Cara: knock; 2: +9c -4d\n"
    for text, there in ((FRIDAY + bad, "Zoe"), (FRIDAY.partition("+9c")[0] + late, "knock")):
        process = launch(
            "judge", "-", environment=streams, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        lines = process.communicate(text.encode(), PATIENCE)[0].decode().splitlines()
        (at,) = [place for place, line in enumerate(lines) if line.endswith("^" * len(there))]
        cells = sum(2 if character == "张" else 1 for character in lines[at - 1].partition(there)[0])
        assert lines[at] == " " * cells + "^" * len(there)


def test_where_there_are_no_suits_they_are_spelled_out(friday):
    asked = {"PYTHONIOENCODING": "ascii"}
    shown = program(MAIN, "judge", friday, **asked).stdout
    assert "1     Ben     Ks 9s 2h   Ks 9s      19     3 -> 1  in\n" in shown
    assert "30.5\n" in program(MAIN, "value", "7s 7h 7c", "--set", "three_of_a_kind=30.5", **asked).stdout


@pytest.mark.parametrize("arguments", [["judge"], ["judge", "--json"]], ids=" ".join)
def test_whoever_has_seen_enough_ends_it_quietly(many, arguments):
    process = launch(*arguments, many, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(PATIENCE) == 1


def test_a_reader_who_is_gone_from_the_start_is_no_error(friday):
    reading, writing = os.pipe()
    os.close(reading)
    process = launch("judge", friday, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert process.communicate(timeout=PATIENCE)[1] == b""


EVERY = [
    ["judge", "-"],
    ["judge", "--json", "-"],
    ["judge", "--lines", "-"],
    ["value", "Ks9s2h"],
    ["examples", "--list"],
    ["sheet"],
    ["sheet", "--format", "html"],
    ["config"],
    ["keys", "new"],
    ["completion", "zsh"],
    ["--version"],
    ["judge", "--help"],
]


@pytest.mark.parametrize("arguments", EVERY, ids=" ".join)
def test_a_full_disk_is_said_in_a_sentence(friday, arguments):
    with friday.open("rb") as source, open("/dev/full", "wb") as full:  # noqa: PTH123 - it is no file
        process = launch(*arguments, stdin=source, stdout=full, stderr=subprocess.PIPE)
        errors = process.communicate(timeout=PATIENCE)[1].decode()
    assert errors.endswith("thirtyone: Standard output cannot be written: No space left on device.\n")
    assert "Traceback" not in errors
    assert process.returncode == 1


def closed(streams, *arguments):
    """Run a command some of whose standard streams are closed, as a shell does it; return its status and its errors."""
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh", *command]
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    return done.returncode, done.stderr


def test_standard_streams_may_be_closed(friday):
    said = "thirtyone: Standard {} cannot be {}: Bad file descriptor.\n"
    assert closed("<&-", "judge", "-") == (2, said.format("input", "read"))
    assert closed("<&-", "compare", "-") == (2, said.format("input", "read"))
    assert closed(">&-", "judge", friday) == (1, said.format("output", "written"))
    assert closed(">&-", "sheet") == (1, said.format("output", "written"))
    assert closed("<&- >&- 2>&-", "judge", friday) == (1, "")
    assert closed("2>&-", "judge", "nothing") == (2, "")


def test_where_nothing_can_be_said_the_status_says_it(friday):
    assert closed("2>/dev/full", "judge", "nothing", friday) == (2, "")
    assert closed(">/dev/full 2>&1", "judge", friday) == (1, "")


def test_it_can_be_broken_off_before_it_has_begun(monkeypatch):
    def interrupted(_name):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.import_module", interrupted)
    for name in COMMANDS:
        assert run(name, status=130).stderr == "thirtyone: Broken off.\n"


def test_until_it_is_loaded_an_interrupt_ends_it_without_a_word():
    """The launcher has interrupts end the program, and the program takes them back, unless they are ignored."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, getattr(signal, sys.argv.pop())); from api.cli import group\n"
        "try: group()\n"
        "except SystemExit: print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    for before, is_heard in (("SIG_DFL", "True"), ("SIG_IGN", "False")):
        assert program(code, "value", "Ks9s2h", before).stdout.splitlines()[-1] == is_heard


def test_it_can_be_broken_off(many):
    process = launch("judge", many, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == f"{many}:1: settled: Ana loses 1 life.\n".encode()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, b"thirtyone: Broken off.\n")


@pytest.mark.parametrize("piped", [False, True])
def test_a_terminal_shows_how_far_it_is(many, tmp_path, piped):
    with terminal() as (screen, end), (tmp_path / "out").open("wb") as out, many.open("rb") as file:
        source = subprocess.Popen(["cat", many], stdout=subprocess.PIPE) if piped else None  # noqa: S603, S607 - cat
        process = launch("judge", "-", stdin=source.stdout if source else file, stdout=out, stderr=end)
        shown = ""
        while not re.search(r"Judging  .*[1-9]" if piped else r"Judging  .*[1-9][0-9]*%", shown):
            shown += shown_by(screen)
        process.kill()
        process.wait(PATIENCE)
        if source:
            source.stdout.close()
            source.wait(PATIENCE)


def test_one_hand_is_no_reason_for_a_bar(friday):
    with terminal() as (screen, end):
        process = launch("judge", friday, stdout=subprocess.PIPE, stderr=end)
        process.communicate(timeout=PATIENCE)
        os.write(end, b"nothing")
        assert shown_by(screen) == "nothing"


def test_whoever_asks_hand_by_hand_is_answered_hand_by_hand():
    process = launch("judge", "--lines", "--json", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for record, outcome in ((early(), "unfinished"), (hand(), "settled"), (illegal(), "refused")):
        process.stdin.write(lines(record).encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ruling"]["outcome"] == outcome
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE) == 1


def test_a_file_may_be_larger_than_the_memory(tmp_path):
    """A hundred megabytes take no more room than one, in a soak; in the suite it is twelve."""
    code = (
        "import resource, sys\n"
        "from api.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    line = lines({"hand": hand(), "rules": {"preset": "casual"}}).encode()
    peaks = []
    for size in (1_000_000, either(12_000_000, soak=100_000_000)):
        file = tmp_path / "large.ndjson"
        with file.open("wb") as large:
            for _ in range(size // len(line)):
                large.write(line)
        peaks.append(int(program(code, "judge", file).stderr))
    assert peaks[1] - peaks[0] < 5_000, peaks
