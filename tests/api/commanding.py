"""What the tests of the command line share: a database with replays, and what the commands make of it."""

import gzip
import json
from contextlib import closing
from functools import cache
from itertools import islice

import zstandard
from click.testing import CliRunner
from sqlite_utils.utils import sqlite3

from api.cli import group
from engine import VERSION
from replays.answers import Answer
from replays.archive import line_of
from replays.finding import Filters
from replays.records import Record
from replays.store import Store
from tests.replays import independent_form
from tests.store.hands import bodies, record

RECORDS = [record(body) for body in islice(bodies(), 30)]
IDS = [each.replay.hex() for each in reversed(RECORDS)]


@cache
def many():
    """Return more records than are kept, or verified, together."""
    return [record(body) for body in islice(bodies(), 1100)]


def made(path, records):
    with closing(Store(path)) as store:
        store.keep(records)
    return path


def run(*arguments, database, data=None):
    """Run a command in this process; return its result."""
    result = CliRunner().invoke(group, [*map(str, arguments), "--database", str(database)], input=data)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def done(*arguments, **given):
    result = run(*arguments, **given)
    assert result.exit_code == 0, result.output
    return result


def failed(*arguments, **given):
    result = run(*arguments, **given)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    return result


def content(database):
    """Return everything in a database that an archive is to preserve."""
    with closing(Store(database)) as store:
        return {
            stored.id: (stored.question, {(answer.engine, answer.digest, answer.content) for answer in stored.answers})
            for stored in store.walk(Filters())
        }


def lines_in(database):
    with closing(Store(database)) as store:
        return [line_of(stored) for stored in store.walk(Filters())]


def unpacked(path):
    if path.suffix in {".gz", ".GZ"}:
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
    return path.read_bytes()


def with_answers(kept, *answers):
    return [Record(kept.replay, kept.question, answer, kept.traits) for answer in answers]


def changed(kept, engine=VERSION, **fields):
    """Return an answer to a record in which some fields are others."""
    return Answer(engine, independent_form.answer({**json.loads(kept.answer.content), **fields}))


def spoil(database, *statements):
    with closing(sqlite3.connect(database)) as db, db:
        for statement in statements:
            db.execute(statement)


def damage(database, replay):
    """Change a byte of a stored hand, as a faulty disk would."""
    spoil(
        database,
        "UPDATE hands SET content = CAST(replace(content, 'discard', 'discarD') AS BLOB) "  # noqa: S608 - all text is here
        f"WHERE id = (SELECT hand FROM replays WHERE digest = x'{replay}')",
    )
