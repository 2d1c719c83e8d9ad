"""`thirtyone serve`, and `python -m api`: listen until told to stop."""

import asyncio
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType

import click
import uvicorn

from api.app import create_app
from api.bounds import Limits
from api.cli.configuration import config_option, configuration_of, insecure_option
from api.cli.saying import fail, warn
from api.cors import cors_for
from api.gate import gate_for
from api.guard import Guard
from api.lanes import Lanes
from api.resources import Resources, room_for_streams
from api.serving import allow_for_connections, server_settings
from api.setting_values import SettingError
from api.settings import Settings, refuse_to_expose
from api.tracing import configure_log
from api.traffic import Traffic
from engine import VERSION
from replays.connection import SAFE_SQLITE, sqlite_is_safe
from replays.faults import NotAStoreError, StoreError
from replays.store import Store

_MOST_TO_TAKE = 1
"""Seconds for connections to be taken that came before the service was told to stop, and for those that come still."""


class _Server(uvicorn.Server):
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
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            address = f"[{host}]" if ":" in host else host
            click.echo(f"Thirty-One Adjudicator {VERSION} is ready at http://{address}:{port}", err=True)


@click.command
@config_option
@insecure_option
def command(config: Path | None, *, insecure: bool | None) -> None:
    """Serve until told to stop.

    The settings are in the environment, or in a file; `thirtyone config --help` lists them.
    """
    settings = _settings(config, insecure=insecure)
    store = _store(settings)
    configure_log()
    limits = Limits(settings.connections, settings.requests, streams=settings.streams, threads=settings.threads)
    allow_for_connections(limits.connections)
    resources = Resources(
        store,
        gate_for(settings),
        cors_for(settings),
        has_metrics=settings.metrics,
        lanes=Lanes(limits),
        streams=room_for_streams(limits),
    )
    traffic = Traffic(limits, resources.tallies, resources.cors)
    served = uvicorn.Config(
        create_app(resources),
        host=settings.host,
        port=settings.port,
        forwarded_allow_ips=list(settings.forwarded_allow_ips),
        **server_settings(traffic.limits) | {"http": partial(Guard, traffic)},
    )
    server = _Server(served, traffic)
    server.run()
    if not server.started:
        raise SystemExit(1)


def _settings(file: Path | None, *, insecure: bool | None) -> Settings:
    settings = configuration_of(file, insecure=insecure).settings
    try:
        refuse_to_expose(settings)
    except SettingError as error:
        fail(str(error))
    return settings


def _store(settings: Settings) -> Store:
    """Return the store. One that cannot be used just now may be used later, and most answers do not need it."""
    if not sqlite_is_safe():
        release = ".".join(map(str, SAFE_SQLITE))
        warn(f"SQLite is older than {release}: in rare cases a replay that was kept can be lost.")
    store = Store(Path(settings.database))
    try:
        store.open()
    except NotAStoreError as error:
        fail(str(error))
    except StoreError as error:
        warn(f"{error} Until that is mended, only requests that do not need the store are answered.")
    return store
