"""How the application is served: the settings of the server and of Python's garbage collector."""

import gc
import resource
import sys
from typing import Any

from api.bounds import LIMITS, Limits


def server_settings(limits: Limits = LIMITS) -> dict[str, Any]:
    """Return Uvicorn's settings, apart from the address; the service itself puts its guard before the protocol."""
    return {
        "loop": "uvloop",
        "http": "httptools",
        "ws": "none",
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        # A stream goes on for as long as its client likes; it is cut off when the service has to stop.
        "timeout_graceful_shutdown": limits.stop_seconds,
    }


def settle_memory() -> None:
    """Keep what start-up made out of later garbage collections, and make those rare.

    A request leaves no cycles behind, and a collection holds up every request under way. A fault of the store leaves
    some hundred objects; 20,000 of these are collected in two milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def allow_for_connections(connections: int) -> None:
    """Let this process have as many open files as so many connections need, as far as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * connections  # with those that are being turned away, and files
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def share_the_interpreter() -> None:
    """Have a thread that computes make way for the event loop sooner than it usually does.

    The event loop lets go of the interpreter whenever it looks for what has come, and then waits this long for it.
    """
    sys.setswitchinterval(0.001)
