"""The service's settings: read from the environment, once."""

import re
from collections.abc import Mapping
from ipaddress import ip_address

from limits import RateLimitItem, parse_many
from msgspec import Struct

from api.keys import ApiKey, read_keys


class SettingError(ValueError):
    """A setting that cannot be used; the message says which and why."""


class Settings(Struct, frozen=True):
    """The service's settings, with the values that `make serve` uses by itself."""

    host: str = "127.0.0.1"
    port: int = 8031
    database: str = "thirtyone.sqlite"
    """The file where replays are kept."""
    keys: tuple[ApiKey, ...] = ()
    """The keys that are let in; without any, everybody is."""
    rate_limit: RateLimitItem | None = None
    """How often each key, or each client's address, may ask."""
    insecure: bool = False
    """Whether everybody is to be let in even where other machines can reach the service."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Return the settings that the environment gives; raise SettingError for a bad one."""
    standard = Settings()
    return Settings(
        host=_host(environment.get("HOST") or standard.host),
        port=_port(environment.get("PORT") or str(standard.port)),
        database=environment.get("THIRTYONE_DATABASE") or standard.database,
        keys=_keys(environment.get("THIRTYONE_API_KEYS", "")),
        rate_limit=_rate_limit(environment.get("THIRTYONE_RATE_LIMIT", "")),
        insecure=_insecure(environment.get("THIRTYONE_INSECURE", "")),
    )


def refuse_to_expose(settings: Settings) -> None:
    """Raise SettingError if other machines could reach the service, without keys, and nobody said that they may."""
    if settings.keys or settings.insecure or _is_loopback(settings.host):
        return
    raise SettingError(
        f"HOST is {settings.host}, where other machines may reach the service, and no keys are set, so everybody would "
        "be let in. Set THIRTYONE_API_KEYS (`thirtyone keys new` makes a key), or say `--insecure` or "
        "THIRTYONE_INSECURE=1 if that is what you want."
    )


_LAST_PORT = 65535
_LABEL = r"[A-Za-z0-9_-]{1,63}"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*\.?")
_LARGEST = 999_999_999_999_999
"""The largest whole number that a structured field, such as the headers of a limit, may hold (RFC 9651)."""


def _host(text: str) -> str:
    """Return an address or a name that can be looked up, which one with an empty or a long part cannot."""
    if not _is_address(text) and not _HOST_NAME.fullmatch(text):
        raise SettingError(f"HOST must be an address or the name of a machine, not {_quoted(text)}.")
    return text


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(_LAST_PORT)) or int(text) > _LAST_PORT:
        raise SettingError(f"PORT must be a number from 0 to {_LAST_PORT}, not {_quoted(text)}.")
    return int(text)


def _keys(text: str) -> tuple[ApiKey, ...]:
    try:
        return read_keys(text)
    except ValueError as error:
        raise SettingError(f"In THIRTYONE_API_KEYS, {error}") from None


def _rate_limit(text: str) -> RateLimitItem | None:
    if not text.strip():
        return None
    try:
        (limit,) = parse_many(text)
    except ValueError:
        limit = None
    if limit is None or not 0 < limit.amount <= _LARGEST or limit.get_expiry() > _LARGEST or re.search(r"/\s*0", text):
        raise SettingError(
            f"THIRTYONE_RATE_LIMIT must be one limit such as 100/minute or 5000/12 hours, not {_quoted(text)}."
        )
    return limit


def _insecure(text: str) -> bool:
    if text.strip() not in {"", "0", "1"}:
        raise SettingError(f"THIRTYONE_INSECURE must be 1 or 0, not {_quoted(text)}.")
    return text.strip() == "1"


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host.lower() == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _quoted(text: str) -> str:
    """Return a bad value as it may be shown in a sentence."""
    return repr(text if len(text) <= 64 else f"{text[:64]}...")  # noqa: PLR2004 - longer tells nothing more
