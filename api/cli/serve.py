"""`thirtyone serve`, and `python -m api`: listen until told to stop."""

from functools import partial
from pathlib import Path

import click
import uvicorn

from api.app import create_app
from api.bounds import Limits
from api.cli.configuration import config_option, configuration_of, insecure_option
from api.cli.saying import fail, warn
from api.cli.server import Server
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
from replays.connection import SAFE_SQLITE, sqlite_is_safe
from replays.faults import NotAStoreError, StoreError
from replays.store import Store


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
        proxy_headers=resources.gate.limiter is not None,  # nothing else asks who the client is
        forwarded_allow_ips=list(settings.forwarded_allow_ips),
        **server_settings(traffic.limits) | {"http": partial(Guard, traffic)},
    )
    server = Server(served, traffic)
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
