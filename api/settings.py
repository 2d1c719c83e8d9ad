"""Where the service listens and where it keeps its replays: read from the environment, once."""

from collections.abc import Mapping

from msgspec import Struct


class SettingError(ValueError):
    """A setting that cannot be used; the message says which and why."""


class Settings(Struct, frozen=True):
    """The service's settings, with the values that `make serve` uses by itself."""

    host: str = "127.0.0.1"
    port: int = 8031
    database: str = "thirtyone.sqlite"
    """Where replays will be kept."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Return the settings that HOST, PORT and THIRTYONE_DATABASE give; raise SettingError for a bad one."""
    standard = Settings()
    port = environment.get("PORT") or str(standard.port)
    if not port.isascii() or not port.isdecimal() or int(port) > 65535:  # noqa: PLR2004 - the last TCP port
        raise SettingError(f"PORT must be a number from 0 to 65535, not {port!r}.")
    return Settings(
        host=environment.get("HOST") or standard.host,
        port=int(port),
        database=environment.get("THIRTYONE_DATABASE") or standard.database,
    )
