"""Serve: `python -m api` listens at HOST and PORT until it is told to stop."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from api.app import create_app
from api.serving import server_settings
from api.settings import SettingError, settings_from
from api.tracing import configure_log
from engine import VERSION


class _Server(uvicorn.Server):
    """Uvicorn, saying in one line when and where it is ready, and ending with status 0 when it is stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal; Uvicorn itself would raise it once more after it has stopped."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            address = f"[{host}]" if ":" in host else host
            sys.stderr.write(f"Thirty-One Adjudicator {VERSION} is ready at http://{address}:{port}\n")
            sys.stderr.flush()


def main() -> None:
    """Serve until SIGINT or SIGTERM; exit with 1 and a sentence if a setting cannot be used."""
    try:
        settings = settings_from(os.environ)
    except SettingError as error:
        sys.exit(f"thirtyone: {error}")
    configure_log()
    config = uvicorn.Config(
        create_app(),
        host=settings.host,
        port=settings.port,
        **server_settings(),
    )
    server = _Server(config)
    server.run()
    if not server.started:
        sys.exit(1)


if __name__ == "__main__":
    main()
