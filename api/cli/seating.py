"""The options for whoever sits at an invented table: names, and the seed that chance follows from."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_MOST_NAMES = 16
_LONGEST_NAME = 64


def _names(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names given; as many, and as long, as the service takes."""
    if len(names) > _MOST_NAMES:
        raise click.BadParameter(f"There are {_MOST_NAMES} names at the most.")
    if not all(1 <= len(name) <= _LONGEST_NAME for name in names):
        raise click.BadParameter(f"A name has 1 to {_LONGEST_NAME} characters.")
    return names


names_option: Callable[[F], F] = click.option(
    "--name", "names", multiple=True, callback=_names, help="What a player is called, from seat 1 on."
)
seed_option: Callable[[F], F] = click.option(
    "--seed",
    type=click.IntRange(0, 2**53 - 1),
    default=0,
    show_default=True,
    help="What chance follows from: the same seed gives the same hands, everywhere.",
)
