"""The database that commands work on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

import click

from api.cli.configuration import config_option, configuration_of
from api.cli.saying import fail
from replays.faults import StoreError
from replays.store import Store


def database_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say which database it works on, and the name of its file as `database`."""

    @config_option
    @click.option(
        "--database",
        type=click.Path(path_type=Path),
        help="The file where the replays are; by default the one that the configuration names, as for `serve`.",
    )
    @wraps(command)
    def with_database(*, config: Path | None, database: Path | None, **given: object) -> None:
        named = configuration_of(config, database=database and str(database)).settings.database
        command(database=Path(named), **given)

    return with_database


@contextmanager
def opened(database: Path, *, make: bool = False) -> Iterator[Store]:
    """Lend the store of a file, which has to be there unless it may be made.

    Whatever is wrong with it ends the program, with a sentence and status 1.
    """
    if not make and not database.is_file():
        fail(f"There is no database at {database}.")
    store = Store(database)
    try:
        yield store
    except StoreError as error:
        fail(f"{error} (The database is {database}.)")
    finally:
        store.close()
