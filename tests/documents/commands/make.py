"""make, as far as the pages use it: `make serve` is the service; any other target must be one, and is not made.

What starts a service returns once it is ready, where the page has a terminal for it, and ends the one before.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(os.environ["PAGE_ROOT"])
RUNNING = Path(os.environ["PAGE_SERVICE"])
PATIENCE = 60


def serve(*arguments: str) -> None:
    """Start the service on the page's port, in place of the one that runs; return once it is ready."""
    stop()
    with RUNNING.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", "api", *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT), "PORT": os.environ["PAGE_PORT"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
    RUNNING.write_text(str(process.pid), encoding="ascii")
    until = time.monotonic() + PATIENCE
    while " is ready at " not in (said := RUNNING.with_suffix(".log").read_text(encoding="utf-8")):
        if process.poll() is not None or time.monotonic() > until:
            sys.exit(f"The service did not start: {said}")
        time.sleep(0.02)


def stop() -> None:
    """End the service that runs, and wait until it no longer listens."""
    if RUNNING.exists():
        with suppress(ProcessLookupError):
            os.kill(int(RUNNING.read_text(encoding="ascii")), signal.SIGTERM)
        with suppress(ConnectionRefusedError):
            for _ in range(PATIENCE * 50):
                socket.create_connection(("127.0.0.1", int(os.environ["PAGE_PORT"])), PATIENCE).close()
                time.sleep(0.02)
        RUNNING.unlink()


def main() -> None:
    """Do what a page asks make, or the command line, for."""
    asked = sys.argv[1:]
    if asked[0] == "stop":
        stop()
    elif asked[0] == "serve":
        serve(*asked[1:])
    else:
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        lacking = [word for word in asked if "=" not in word and word not in targets]
        sys.exit(f"make: there is no target {', '.join(lacking)}" if lacking else 0)


main()
