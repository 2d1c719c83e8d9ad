"""A page's own world: a directory to work in, a service of its own, and one shell for all of its commands."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import NamedTuple, Self

from tests.documents.blocks import ROOT

HERE = Path(__file__).parent / "commands"
SHOWN = "127.0.0.1:8031"
"""The address that the pages show."""
PATIENCE = 120
"""Seconds after which a block that does not end is given up."""

_SERVES = re.compile(r"\b(make|thirtyone) serve\b")
_NEEDS_SERVICE = re.compile(r"\bthirtyone (export|verify)\b")
"""Commands that need a store, which the service makes."""

# Each block is read in the same shell, so that what one sets the next one has. A block that fails ends the shell.
SHELL = """
set -eo pipefail
while read -r block; do
    . "$block" </dev/null >"$block.out" 2>"$block.err"
    echo done
done
"""


class Outcome(NamedTuple):
    """What came of a block."""

    failed: bool
    output: str
    errors: str
    statuses: tuple[int, ...]
    """Those of the answers to its requests."""


class World:
    """The world of a page, until it is left."""

    def __init__(self, folder: Path) -> None:
        """Make it in an empty folder."""
        self.place, self._kept = folder / "here", folder / "kept"
        self._programs = folder / "bin"
        for each in (self.place, self._kept, self._programs, self.place / ".venv" / "bin"):
            each.mkdir(parents=True)
        self._blocks = 0
        self._served = False
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._statuses = self._kept / "statuses"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("THIRTYONE_", "HOST"))},
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "PAGE_ROOT": str(ROOT),
            "PAGE_PORT": str(self.port),
            "PAGE_SERVICE": str(self._kept / "service"),
            "CURL_LOG": str(self._statuses),
        }
        for name in ("curl", "jq", "zstd", "make"):
            self._program(self._programs / name, f'exec {_python(HERE / f"{name}.py")} "$@"')
        self._program(self._programs / "python", f'PYTHONPATH={ROOT} exec {_python()} "$@"')
        command_line = "import sys; from api.cli import main; main()"
        for path in (self._programs / "thirtyone", self.place / ".venv" / "bin" / "thirtyone"):
            self._program(
                path,
                f'[ "$1" != serve ] || exec {_python(HERE / "make.py")} "$@"\n'
                f'PYTHONPATH={ROOT} exec {_python()} -P -c {shlex.quote(command_line)} "$@"',
            )

    def __enter__(self) -> Self:
        """Start the shell; the service follows once a block needs it."""
        self._shell = subprocess.Popen(  # noqa: S603 - our own program
            ["bash", "-c", SHELL],  # noqa: S607 - the one that the machine has
            cwd=self.place,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        """End both."""
        subprocess.run([self._programs / "make", "stop"], env=self._environment, check=True)  # noqa: S603 - ours
        with suppress(ProcessLookupError):
            os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.communicate()

    def run(self, commands: str) -> Outcome:
        """Run the commands of a block, and return what came of it."""
        if not self._served and (_NEEDS_SERVICE.search(commands) or SHOWN in commands):
            self._served = True
            if not _SERVES.search(commands):
                assert not self.run("make serve").failed
        self._blocks += 1
        block = self._kept / f"block-{self._blocks}"
        block.write_text(commands.replace(SHOWN, f"127.0.0.1:{self.port}"), encoding="utf-8")
        self._statuses.write_text("", encoding="ascii")
        late = Timer(PATIENCE, os.killpg, (self._shell.pid, signal.SIGKILL))
        late.start()
        print(block, file=self._shell.stdin, flush=True)
        failed = not self._shell.stdout.readline()
        late.cancel()
        said = [
            block.with_suffix(end)
            .read_text(encoding="utf-8", errors="replace")
            .replace(f"127.0.0.1:{self.port}", SHOWN)
            for end in (".out", ".err")
        ]
        return Outcome(failed, *said, tuple(map(int, self._statuses.read_text(encoding="ascii").split())))

    def write(self, name: str, content: str) -> None:
        """Write a file that a page shows, for what comes after it."""
        (self.place / name).write_text(content.replace(SHOWN, f"127.0.0.1:{self.port}"), encoding="utf-8")

    def _program(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)


def _python(*arguments: object) -> str:
    return shlex.join([sys.executable, *map(str, arguments)])
