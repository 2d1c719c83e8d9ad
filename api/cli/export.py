"""`thirtyone export`: write stored replays into an archive."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click

from api.cli.archives import STANDARD, ArchiveFileError, new_archive
from api.cli.database import database_option, opened
from api.cli.saying import fail, warn
from api.operations import Parameter
from api.problems import Fault
from api.replay_queries import FILTERS, filters
from replays.archive import line_of
from replays.faults import DamagedReplayError
from replays.walking import Gap, walk

F = TypeVar("F", bound=Callable[..., Any])

_FEW = 5
"""Words that the help has room to list."""


def _option(parameter: Parameter) -> Callable[[F], F]:
    """Return a query parameter of the API as an option with the same values."""

    def read(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
        try:
            # What is no text on the command line is none of the values, but what is said of it has to be text.
            return None if text is None else parameter.read(text.encode(errors="replace").decode())
        except Fault as fault:
            raise click.BadParameter(fault.detail) from None

    name = parameter.name.replace("_", "-")
    words = get_args(parameter.type) if get_origin(parameter.type) is Literal else ()
    shown = "|".join(words) if 0 < len(words) <= _FEW else None

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete.lower())]

    return click.option(
        f"--{name}",
        parameter.name,
        metavar=shown,
        callback=read,
        shell_complete=complete,
        help=parameter.description,
    )


def _filter_options(function: F) -> F:
    for parameter in reversed(FILTERS):
        function = _option(parameter)(function)
    return function


@click.command
@click.argument("file", type=click.Path(allow_dash=True))
@database_option
@_filter_options
def command(file: str, database: Path, **query: object) -> None:
    """Write stored replays into an archive.

    All of them, or those that fit every filter given, the newest first. FILE is compressed if its name ends in .gz or
    .zst, and is standard output if it is `-`; it gets its name when it is complete.
    """
    written = damaged = 0
    try:
        wanted = filters(query)
        with opened(database) as store, new_archive(file) as archive:
            for found in walk(store, wanted, store.last_row() + 1):
                if isinstance(found, Gap) or not found.sound:
                    damaged += 1
                    warn(str(found if isinstance(found, Gap) else DamagedReplayError(found.id)))
                else:
                    written += 1
                    archive.write(line_of(found))
    except Fault as fault:
        fail(fault.detail)
    except ArchiveFileError as error:
        fail(str(error))
    warn(f"Replays written to {'standard output' if file == STANDARD else file}: {written:,}.")
    if damaged:
        fail(f"Damaged replays left out: {damaged:,}.")
