"""How the application is served: the settings of the server and of Python's garbage collector."""

import gc
from typing import Any


def server_settings() -> dict[str, Any]:
    """Return Uvicorn's settings, apart from the address."""
    return {
        "loop": "uvloop",
        "http": "httptools",
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        # A stream goes on for as long as its client likes; it is cut off when the service has to stop.
        "timeout_graceful_shutdown": 10,
    }


def settle_memory() -> None:
    """Keep what start-up made out of later garbage collections, and make those rare.

    A request leaves no cycles behind, and a collection holds up every request under way.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
