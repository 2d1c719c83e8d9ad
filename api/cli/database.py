"""The database that commands work on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from api.cli.saying import fail
from api.settings import Settings
from replays.faults import StoreError
from replays.store import Store

database_option = click.option(
    "--database",
    type=click.Path(path_type=Path),
    envvar="THIRTYONE_DATABASE",
    default=Settings().database,
    show_default=True,
    help="The file where the replays are; THIRTYONE_DATABASE, if that is set.",
)


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
