"""The backlog: what was written to a connection and has not gone to the client yet."""

import fcntl
import struct
import sys
from asyncio import Transport


class Backlog:
    """Finds out whether a client does not read what it is sent."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counted: tuple[float, int] | None = None
        """From when on it is counted what goes, and how much was left then."""

    def clear(self) -> None:
        """Note that some has gone."""
        self._counted = None

    def is_stuck(self, transport: Transport, now: float, seconds: float, rate: int) -> bool:
        """Return whether less than so many bytes a second have gone for so many seconds."""
        if not transport.get_write_buffer_size():
            self._counted = None
            return False
        left = _left(transport)
        if self._counted is None:
            self._counted = (now, left)
        since, before = self._counted
        if now - since < seconds:
            return False
        self._counted = (now, left)
        return before - left < rate * seconds


def _left(transport: Transport) -> int:
    """Return how many bytes wait here, and in the system, for the client to take them.

    A client that reads slowly empties the system's buffer long before the system takes more from here.
    """
    left = transport.get_write_buffer_size()
    connection = transport.get_extra_info("socket")
    if sys.platform == "linux" and connection is not None:
        left += struct.unpack("i", fcntl.ioctl(connection.fileno(), _OUTGOING, b"\0\0\0\0"))[0]
    return left


_OUTGOING = 0x5411
"""The number of SIOCOUTQ on Linux, which Python does not name."""
