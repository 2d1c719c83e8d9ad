"""Bounds: what the service takes from all its clients at once, and how long it waits for one of them.

How often a client may ask is another matter, and in `limits`.
"""

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
    small_text: int = 8 * 1024
    """The same of a body in the text notation, which takes up to a microsecond a byte to read."""
    body_room: int = 256_000_000
    """Bytes that all larger bodies together may take in memory; requests beyond are turned away."""
    streams: int = 128
    """Streams that are open at the same time; those beyond are turned away."""
    writing: int = 1024
    """Requests that may wait for their replays to be on disk; those beyond are turned away."""
    idle_seconds: int = 5
    """How long a connection stays open without a request."""
    rest_seconds: float = 0.5
    """How long a connection without a request stays open once the service has to stop: one may be on its way, or the
    last answer."""
    stop_seconds: int = 10
    """How long what has been accepted may take once the service has to stop."""


LIMITS = Limits()
