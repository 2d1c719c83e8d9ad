"""How the application is served: the settings of the server and of Python's garbage collector."""

import gc
import resource
import sys
from typing import Any

from msgspec import Struct


class Limits(Struct, frozen=True):
    """What the service takes from its clients at once, and how long it waits for them; times are in seconds."""

    connections: int = 4096
    """Connections that are open at the same time; those beyond are turned away."""
    requests: int = 2048
    """Requests that have come whole and are not answered yet; those beyond are turned away. Streams do not count."""
    lag: float = 0.5
    """How late the event loop may come to what is due before fewer requests are taken at once."""
    head_bytes: int = 32 * 1024
    """Bytes that the head of a request may have: its first line and all headers."""
    headers: int = 100
    """Headers that a request may have."""
    pipelined: int = 32
    """Requests that may wait on a connection for the answers to those before them."""
    head_seconds: float = 10
    """From the connection, or the first byte of a later request, to the end of its headers."""
    body_seconds: float = 10
    """How long a body may pause, and over what time its rate is counted."""
    body_rate: int = 500
    """Bytes a second that a body brings at least, and that a client reads of an answer."""
    answer_seconds: float = 10
    """How long a client may read nothing of its answer, and over what time its rate is counted."""
    stream_seconds: float = 60
    """How long a stream of lines may pause in both directions."""
    threads: int = 2
    """Threads for work that only computes."""
    store_threads: int = 4
    """Threads for reading the store."""
    waiting: int = 64
    """Requests that may wait for a thread of their kind; those beyond are turned away."""
    waiting_seconds: float = 5
    """How long they may have to wait for it."""
    small_body: int = 64 * 1024
    """Bytes of a body that is decoded and answered in the event loop where that is quick."""
    body_room: int = 256_000_000
    """Bytes that all larger bodies together may take in memory; requests beyond are turned away."""
    streams: int = 128
    """Streams that are open at the same time; those beyond are turned away."""
    writing: int = 1024
    """Requests that may wait for their replays to be on disk; those beyond are turned away."""
    idle_seconds: int = 5
    """How long a connection stays open without a request."""
    rest_seconds: float = 0.5
    """How long a connection without a request stays open once the service has to stop: one may be on its way."""
    stop_seconds: int = 10
    """How long what has been accepted may take once the service has to stop."""


LIMITS = Limits()


def server_settings() -> dict[str, Any]:
    """Return Uvicorn's settings, apart from the address; the service itself puts its guard before the protocol."""
    return {
        "loop": "uvloop",
        "http": "httptools",
        "ws": "none",
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        "timeout_keep_alive": LIMITS.idle_seconds,
        # A stream goes on for as long as its client likes; it is cut off when the service has to stop.
        "timeout_graceful_shutdown": LIMITS.stop_seconds,
    }


def settle_memory() -> None:
    """Keep what start-up made out of later garbage collections, and make those rare.

    A request leaves no cycles behind, and a collection holds up every request under way.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


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
