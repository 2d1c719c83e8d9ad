"""The server: Uvicorn, saying where it listens or why it cannot, and ending without losing a request."""

import asyncio
import logging
import os
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

import click
import uvicorn

from api.cli.saying import fail
from api.traffic import Traffic
from engine import VERSION

_MOST_TO_TAKE = 1
"""Seconds for connections to be taken that came before the service was told to stop, and for those that come still."""


class Server(uvicorn.Server):
    """Uvicorn, saying in one line when and where it is ready, and ending with status 0 when it is stopped."""

    def __init__(self, config: uvicorn.Config, traffic: Traffic) -> None:
        super().__init__(config)
        self._traffic = traffic

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal; Uvicorn itself would raise it once more after it has stopped."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and say so to whoever asks from now on whether the service is ready."""
        self._traffic.is_ending = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take the connections that wait to be taken, and then no more; end with those that there are."""
        deadline = monotonic() + _MOST_TO_TAKE
        while self._has_waiting() and monotonic() < deadline:  # noqa: ASYNC110 - nothing tells when none waits any more
            await asyncio.sleep(0)  # the event loop takes one each time
        await super().shutdown(sockets)
        self._traffic.log_turned_away()

    def _has_waiting(self) -> bool:
        """Return whether a connection waits to be taken."""
        waiting = select.poll()
        for listening in [each for server in self.servers for each in server.sockets]:
            waiting.register(listening.fileno(), select.POLLIN)
        return bool(waiting.poll(0))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; say why if that cannot be done, in a sentence of our own, and exit with status 1."""
        errors, trouble = logging.getLogger("uvicorn.error"), _Trouble()
        errors.addFilter(trouble)
        try:
            await super().startup(sockets)
        except SystemExit:
            if trouble.error is None:
                raise
            address = f"{self.config.host}, port {self.config.port}"
            fail(f"The service cannot listen at {address}: {_why(trouble.error)}.")
        finally:
            errors.removeFilter(trouble)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            address = f"[{host}]" if ":" in host else host
            click.echo(f"Thirty-One Adjudicator {VERSION} is ready at http://{address}:{port}", err=True)


class _Trouble(logging.Filter):
    """Keeps what Uvicorn says of an address that it cannot have, so that it is said once."""

    error: OSError | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is to be written."""
        if not isinstance(record.msg, OSError):
            return True
        self.error = record.msg
        return False


def _why(error: OSError) -> str:
    """Return what an error is, without the address, which asyncio puts into its words."""
    is_of_system = error.errno is not None and not isinstance(error, socket.gaierror)
    return os.strerror(error.errno or 0) if is_of_system else error.strerror or str(error)
