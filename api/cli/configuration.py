"""The configuration that commands work with."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from api.cli.saying import fail
from api.configuration import FILE_VARIABLE, Configuration, configured
from api.setting_values import SettingError

F = TypeVar("F", bound=Callable[..., Any])

config_option: Callable[[F], F] = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"The configuration file, in TOML; by default the one that {FILE_VARIABLE} names, if it names one.",
)

insecure_option: Callable[[F], F] = click.option(
    "--insecure", is_flag=True, default=None, help="Let everybody in, without keys, even where other machines reach it."
)


def configuration_of(file: Path | None, *, status: int = 1, **options: object) -> Configuration:
    """Return the configuration, with these values of options; end the program where it cannot be used."""
    try:
        return configured(os.environ, file, options)
    except SettingError as error:
        fail(str(error), status)
