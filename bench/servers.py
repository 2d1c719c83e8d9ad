"""Servers: each in a process of its own, on a core of its own where there are two."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

HOST = "127.0.0.1"
ROOT = Path(__file__).parent.parent
COMMANDS = {
    "service": ["-m", "api"],
    "fastapi": ["-m", "bench.rival", "fastapi"],
    "rival": ["-m", "bench.rival", "rival"],
    "bare": ["-m", "bench.rival", "bare"],
}
SECONDS_TO_START = 60


class Cores(NamedTuple):
    """Where the load and the servers run; the same, if they have to share."""

    load: frozenset[int]
    server: frozenset[int]

    @property
    def apart(self) -> bool:
        """Return whether the two do not disturb each other."""
        return self.load != self.server


class Server(NamedTuple):
    """A server that runs."""

    port: int
    pid: int
    database: Path
    """The file of its store, if it is the service."""

    def cpu_seconds(self) -> float | None:
        """Return the CPU time that the server has used so far, where the system tells."""
        path = Path(f"/proc/{self.pid}/stat")
        if not path.exists():
            return None
        user, system = path.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def cores() -> Cores:
    """Return two cores, one for the load and one for the servers, if there are two to be had."""
    if not hasattr(os, "sched_getaffinity"):
        every = frozenset(range(os.cpu_count() or 1))
        return Cores(every, every)
    allowed = sorted(os.sched_getaffinity(0))
    return Cores(frozenset(allowed[:1]), frozenset(allowed[-1:]))


@contextmanager
def pinned() -> Iterator[None]:
    """Keep this process, which makes the load, on its own core for a while."""
    if not cores().apart:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores().load)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def running(*names: str) -> Iterator[dict[str, Server]]:
    """Run some servers; they stop when the block is left. Those that nobody asks use no CPU."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="thirtyone-bench-")))
        yield {name: stack.enter_context(_running(name, folder)) for name in names}


@contextmanager
def _running(name: str, folder: Path) -> Iterator[Server]:
    port = _free_port()
    database = folder / f"{name}.sqlite"
    settings = {"HOST": HOST, "PORT": str(port), "THIRTYONE_DATABASE": str(database)}
    printed = folder / f"{name}.log"
    with printed.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - this Python, and a module of this project
            [sys.executable, *COMMANDS[name]],
            cwd=ROOT,
            env=os.environ | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        if cores().apart:
            os.sched_setaffinity(process.pid, cores().server)
        _wait_for(process, port, printed)
        yield Server(port, process.pid, database)
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _wait_for(process: subprocess.Popen[bytes], port: int, printed: Path) -> None:
    deadline = monotonic() + SECONDS_TO_START
    while monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise RuntimeError(f"A server did not start. It printed:\n{printed.read_text()[-2000:]}")
