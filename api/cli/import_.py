"""`thirtyone import`: keep the replays of an archive."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from api.cli.archives import ArchiveFileError, pieces_of
from api.cli.database import database_option, opened
from api.cli.saying import warn
from replays.archive import MOST_BYTES, ArchiveError, records_in
from replays.lines import Line, LineCutter
from replays.records import Record
from replays.store import Store

TOGETHER = 500
"""Lines that are kept in one transaction, at the most."""
_BYTES_TOGETHER = 8_000_000
"""Bytes of lines from which on no further line is kept with those before it."""


@click.command
@click.argument("file", type=click.Path(allow_dash=True))
@database_option
def command(file: str, database: Path) -> None:
    """Keep the replays of an archive.

    FILE is decompressed if its name ends in .gz or .zst, and is standard input if it is `-`. A database that is not
    there yet is made. What is kept is on disk, 500 lines at a time: an import that was broken off can be run again, and
    finds what it has kept.
    """
    with opened(database, make=True) as store:
        progress = _Import(store)
        try:
            for lines in _together(pieces_of(file)):
                progress.keep(lines)
        except ArchiveFileError as error:
            progress.complain(str(error))
        finally:
            warn(f"New replays: {progress.new:,}; known ones: {progress.known:,}; lines in error: {progress.wrong:,}.")
    if progress.trouble:
        raise SystemExit(1)


class _Import:
    """An import under way: what has come of the lines so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.new = self.known = self.wrong = 0
        self.trouble = False

    def keep(self, lines: Sequence[Line]) -> None:
        """Keep lines in one transaction, and count them; complain of those that are no replays."""
        read = list(self._read(lines))
        are_new = iter(self._store.keep([record for _, records in read for record in records]))
        for line, records in read:
            is_new, *_ = [next(are_new) for _ in records]
            self.new += is_new
            self.known += not is_new
            if not is_new:
                self._compare(line, records)

    def complain(self, sentence: str) -> None:
        """Say what is wrong, and remember that something is."""
        self.trouble = True
        warn(sentence)

    def _read(self, lines: Sequence[Line]) -> Iterator[tuple[Line, Sequence[Record]]]:
        for line in lines:
            try:
                yield line, records_in(line)
            except ArchiveError as error:
                self.wrong += 1
                self.complain(str(error))

    def _compare(self, line: Line, records: Sequence[Record]) -> None:
        """Complain of a known replay that is another one in the store, where it stays as it is."""
        replay = records[0].replay
        stored = self._store.get(replay)
        if stored is None:  # deleted meanwhile
            return
        if not stored.sound:
            self.complain(
                f"Line {line.number}: The store's own copy of replay {stored.id} is damaged; it stays as it is."
            )
        kept = {answer.engine: answer.content for answer in stored.answers}
        for record in records:
            engine = record.answer.engine
            if stored.sound and kept.get(engine) != record.answer.content:
                self.complain(f"Line {line.number}: The store has another answer of {engine} to replay {stored.id}.")


def _together(pieces: Iterator[bytes]) -> Iterator[Sequence[Line]]:
    """Yield the lines that are kept together, never none; those before a place that cannot be read as well."""
    waiting: list[Line] = []
    size = 0
    try:
        for line in _lines(pieces):
            waiting.append(line)
            size += len(line.content or b"")
            if len(waiting) == TOGETHER or size >= _BYTES_TOGETHER:
                yield waiting
                waiting, size = [], 0
    except ArchiveFileError:
        if waiting:
            yield waiting
        raise
    if waiting:
        yield waiting


def _lines(pieces: Iterator[bytes]) -> Iterator[Line]:
    cutter = LineCutter(MOST_BYTES)
    for piece in pieces:
        yield from cutter.cut(piece)
    yield from cutter.rest()
