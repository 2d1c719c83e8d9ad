"""What settings may be: a function for each kind, from what is written to the value, or else a sentence.

Each takes what was given, and where, as the sentence names it. In the environment everything is a string; in a file a
switch is a boolean, a port an integer, and a list an array.
"""

import re
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network

from limits import RateLimitItem, parse_many

from api.keys import ApiKey, read_entries, read_keys


class SettingError(ValueError):
    """A setting that cannot be used; the message says which and why."""


ANY = "*"
"""What stands for every origin, or every proxy."""
LAST_PORT = 65535

_MOST_DIGITS = 15
_LABEL = r"[A-Za-z0-9_-]{1,63}"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*\.?")
_LARGEST = 999_999_999_999_999
"""The largest whole number that a structured field, such as the headers of a limit, may hold (RFC 9651)."""
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(?P<port>[1-9][0-9]{0,4}))?")
_STANDARD_PORTS = {"http": "80", "https": "443"}
_BETWEEN = re.compile(r"[\s,]+")


def read_host(given: str, where: str) -> str:
    """Return an address or a name that can be looked up, which one with an empty or a long part cannot."""
    if not _is_address(given) and not _HOST_NAME.fullmatch(given):
        raise SettingError(f"{where} must be an address or the name of a machine, not {quoted(given)}.")
    return given


def whole_number(least: int, greatest: int) -> Callable[[str | int, str], int]:
    """Return what reads a number from `least` to `greatest`, neither below 0."""

    def read(given: str | int, where: str) -> int:
        is_number = isinstance(given, int) or (given.isascii() and given.isdecimal() and len(given) <= _MOST_DIGITS)
        if not is_number or not least <= int(given) <= greatest:
            raise SettingError(f"{where} must be a number from {least} to {greatest}, not {quoted(given)}.")
        return int(given)

    return read


def read_file_name(given: str, where: str) -> str:
    """Return the name of a file, which may be there or not."""
    if not given.strip() or "\0" in given:
        raise SettingError(f"{where} must be the name of a file, not {quoted(given)}.")
    return given


def read_api_keys(given: str | Sequence[str], where: str) -> tuple[ApiKey, ...]:
    """Return the keys of entries."""
    try:
        return read_keys(given) if isinstance(given, str) else read_entries(given)
    except ValueError as error:
        raise SettingError(f"In {where}, {error}") from None


def read_rate_limit(given: str, where: str) -> RateLimitItem:
    """Return one limit."""
    try:
        (limit,) = parse_many(given)
    except ValueError:
        limit = None
    if limit is None or not 0 < limit.amount <= _LARGEST or limit.get_expiry() > _LARGEST or re.search(r"/\s*0", given):
        raise SettingError(f"{where} must be one limit such as 100/minute or 5000/12 hours, not {quoted(given)}.")
    return limit


def read_switch(given: str | bool, where: str) -> bool:  # noqa: FBT001 - it is the value of a switch
    """Return whether something is on."""
    if isinstance(given, bool):
        return given
    if given.strip() not in {"0", "1"}:
        raise SettingError(f"{where} must be 1 or 0, not {quoted(given)}.")
    return given.strip() == "1"


def read_origins(given: str | Sequence[str], where: str) -> tuple[str, ...]:
    """Return origins as browsers send them, or `*` alone.

    A browser leaves out the port that a scheme has by itself, so an origin with it would never be met.
    """
    origins = tuple(origin.lower() for origin in _parts(given))
    if isinstance(given, str) and not origins:
        raise SettingError(f"{where} has nothing between the commas.")
    if ANY in origins and len(origins) > 1:
        raise SettingError(f"In {where}, `*` is every origin already; it has to be alone.")
    for origin in origins:
        if origin != ANY and not _is_origin(origin):
            raise SettingError(
                f"In {where}, an origin is a scheme, a host and perhaps a port, as a browser sends it, such as "
                f"https://club.example or http://localhost:5173, not {quoted(origin)}."
            )
    return tuple(dict.fromkeys(origins))


def read_proxies(given: str | Sequence[str], where: str) -> tuple[str, ...]:
    """Return addresses and networks, or `*` alone."""
    proxies = _parts(given)
    if ANY in proxies and len(proxies) > 1:
        raise SettingError(f"In {where}, `*` is every proxy already; it has to be alone.")
    for proxy in proxies:
        if proxy != ANY and not _is_address(proxy) and not _is_network(proxy):
            raise SettingError(
                f"In {where}, a proxy is an address or a network, such as 10.0.0.7 or 10.0.0.0/24, not {quoted(proxy)}."
            )
    return proxies


def is_loopback(host: str) -> bool:
    """Return whether only programs of the same machine reach this address or name."""
    return host.lower() == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def quoted(value: object) -> str:
    """Return a bad value as it may be shown in a sentence."""
    if isinstance(value, int) and abs(value) > _LARGEST:
        return "a number of so many digits"
    if not isinstance(value, str):
        return repr(value)
    return repr(value if len(value) <= 64 else f"{value[:64]}...")  # noqa: PLR2004 - longer tells nothing more


def _parts(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return the items of a list: those of an array, or what a string has between commas or white space."""
    return tuple(part for part in _BETWEEN.split(given) if part) if isinstance(given, str) else tuple(given)


def _is_origin(text: str) -> bool:
    found = _ORIGIN.fullmatch(text)
    if found is None:
        return False
    scheme, host, port = found["scheme"], found["host"], found["port"]
    if port and (int(port) > LAST_PORT or port == _STANDARD_PORTS[scheme]):
        return False
    return _is_address(host[1:-1]) if host.startswith("[") else _HOST_NAME.fullmatch(host) is not None


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True
