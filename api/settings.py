"""The service's settings, each declared once: its type, its standard value, where it is set, and what it does.

A field's name is also its key in the configuration file. `configuration` reads them, `thirtyone config` shows them.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from limits import RateLimitItem
from msgspec import Struct

from api.bounds import LIMITS
from api.keys import ApiKey
from api.setting_values import (
    LAST_PORT,
    SettingError,
    is_loopback,
    read_api_keys,
    read_file_name,
    read_host,
    read_origins,
    read_proxies,
    read_rate_limit,
    read_switch,
    whole_number,
)


class Setting(Struct, frozen=True):
    """How a setting is set, and what it does."""

    variable: str
    """Its name in the environment."""
    read: Callable[[Any, str], Any]
    """Return the value of what is given, which is a string in the environment and of the type `written` in the file;
    raise SettingError, in which the second argument says where it is given."""
    written: type
    """What it is in the file: a string, an integer, a boolean, or a list of strings."""
    about: str
    names_a_file: bool = False
    """Whether it is a name that is taken from the directory of the file that gives it."""
    blank_is_value: bool = False
    """Whether a blank variable is a value, and does not count as unset."""


class Settings(Struct, frozen=True, kw_only=True):
    """The service's settings, with the values that `make serve` uses by itself."""

    host: Annotated[str, Setting("HOST", read_host, str, "The address, or the name of the machine, to listen at.")] = (
        "127.0.0.1"
    )
    port: Annotated[
        int,
        Setting(
            "PORT", whole_number(0, LAST_PORT), int, "The port to listen at. With 0 the system chooses a free one."
        ),
    ] = 8031
    database: Annotated[
        str,
        Setting("THIRTYONE_DATABASE", read_file_name, str, "The file where replays are kept.", names_a_file=True),
    ] = "thirtyone.sqlite"
    api_keys: Annotated[
        tuple[ApiKey, ...],
        Setting(
            "THIRTYONE_API_KEYS",
            read_api_keys,
            list,
            "The entries of the keys that are let in. Without any, everybody is.",
        ),
    ] = ()
    rate_limit: Annotated[
        RateLimitItem | None,
        Setting(
            "THIRTYONE_RATE_LIMIT",
            read_rate_limit,
            str,
            "How often each key, or without keys each client's address, may ask, such as 100/minute.",
        ),
    ] = None
    insecure: Annotated[
        bool,
        Setting(
            "THIRTYONE_INSECURE",
            read_switch,
            bool,
            "Whether everybody is let in even where other machines can reach the service.",
        ),
    ] = False
    cors_origins: Annotated[
        tuple[str, ...],
        Setting(
            "THIRTYONE_CORS_ORIGINS",
            read_origins,
            list,
            "The origins whose pages may read answers in a browser, such as https://club.example, or * for all.",
        ),
    ] = ()
    forwarded_allow_ips: Annotated[
        tuple[str, ...],
        Setting(
            "FORWARDED_ALLOW_IPS",
            read_proxies,
            list,
            "The addresses and networks of proxies that are believed about their clients, or * for all.",
            blank_is_value=True,
        ),
    ] = ("127.0.0.1", "::1")
    metrics: Annotated[bool, Setting("THIRTYONE_METRICS", read_switch, bool, "Whether GET /metrics answers.")] = True
    connections: Annotated[
        int,
        Setting(
            "THIRTYONE_CONNECTIONS",
            whole_number(1, 100_000),
            int,
            "The connections that may be open at the same time.",
        ),
    ] = LIMITS.connections
    requests: Annotated[
        int,
        Setting(
            "THIRTYONE_REQUESTS",
            whole_number(1, 100_000),
            int,
            "The requests that may be under way at the same time, without streams.",
        ),
    ] = LIMITS.requests
    streams: Annotated[
        int,
        Setting(
            "THIRTYONE_STREAMS", whole_number(1, 10_000), int, "The streams of lines that may be open at the same time."
        ),
    ] = LIMITS.streams
    threads: Annotated[
        int, Setting("THIRTYONE_THREADS", whole_number(1, 64), int, "The threads for work that only computes.")
    ] = LIMITS.threads


def _declared() -> Mapping[str, Setting]:
    hints = get_type_hints(Settings, include_extras=True)
    return MappingProxyType({name: hint.__metadata__[0] for name, hint in hints.items()})


SETTINGS = _declared()
"""Every setting, by its name."""


def refuse_to_expose(settings: Settings) -> None:
    """Raise SettingError if other machines could reach the service, without keys, and nobody said that they may."""
    if settings.api_keys or settings.insecure or is_loopback(settings.host):
        return
    raise SettingError(
        f"HOST is {settings.host}, where other machines may reach the service, and no keys are set, so everybody would "
        "be let in. Set THIRTYONE_API_KEYS (`thirtyone keys new` makes a key), or say `--insecure` or "
        "THIRTYONE_INSECURE=1 if that is what you want."
    )
