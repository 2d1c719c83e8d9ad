"""The store: every replay that was kept, in one SQLite file that several programs may share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import time_ns

from replays import finding
from replays.connection import Connection, open_to_read, open_to_write
from replays.faults import in_words
from replays.finding import Filters, Stored
from replays.keeping import Keep, Keeper
from replays.records import Record
from replays.writer import Writer


def milliseconds_now() -> int:
    """Return the time in milliseconds since 1970."""
    return time_ns() // 1_000_000


class Store:
    """Keeps, finds and deletes replays.

    Every method raises StoreError, with a sentence for people, where the file cannot be used just now, and
    NotAStoreError where it is none of ours. After any of these, the next call tries again.
    """

    def __init__(self, path: Path, now: Callable[[], int] = milliseconds_now) -> None:
        """Remember where the file is; it is opened, and made if need be, with the first call."""
        self._path = path.absolute()  # to come to the same file wherever the program goes
        self._now = now
        self._writer = Writer(self._connect)
        self._readers: list[Connection] = []
        self._lock = Lock()

    def open(self) -> None:
        """Bring the file up to date, and find out whether it can be written to."""
        self._writer.do(Keeper.probe)

    def close(self) -> None:
        """Commit what waits and let go of the file; the last to do so leaves it without a log beside it."""
        self._close_readers()
        self._writer.close()

    @property
    def waiting(self) -> int:
        """How many pieces of work have not been begun; a moment later it may be another number."""
        return self._writer.waiting

    def keep(self, records: Sequence[Record]) -> list[bool]:
        """Keep replays in one transaction; return, once they are on disk, of each whether its question was new."""
        return self._writer.do(Keep(records, self._now()))

    async def keep_soon(self, records: Sequence[Record]) -> list[bool]:
        """Do what `keep` does, without holding up the event loop."""
        return await self._writer.do_soon(Keep(records, self._now()))

    def delete(self, replay: bytes) -> bool:
        """Delete a replay, with whatever only it had; return whether there was one."""
        return self._writer.do(lambda keeper: keeper.delete(replay))

    def get(self, replay: bytes) -> Stored | None:
        """Return a replay by its id, as 32 bytes, or None."""
        with self._reading() as db:
            return finding.get(db, replay)

    def find(self, filters: Filters, before: int | None, limit: int) -> list[Stored]:
        """Return the newest replays that fit, at most so many, from below the row `before` if it is given."""
        with self._reading() as db:
            return finding.find(db, filters, before, limit)

    def walk(self, filters: Filters) -> Iterator[Stored]:
        """Yield every replay that fits, the newest first, however many there are."""
        before = None
        while found := self.find(filters, before, _PAGE):
            yield from found
            before = found[-1].row

    def count(self) -> int:
        """Return how many replays there are; it takes time in proportion."""
        with self._reading() as db:
            return finding.count(db)

    def last_row(self) -> int:
        """Return the row of the newest replay; 0 if there is none."""
        with self._reading() as db:
            return finding.last_row(db)

    def faults(self) -> list[str]:
        """Return what is wrong with the file itself, in SQLite's words; it takes time in proportion."""
        with self._reading() as db:
            return finding.faults(db)

    def _connect(self) -> Keeper:
        """Open the file anew, also for readers: while one is open, SQLite keeps to how it found the file."""
        self._close_readers()
        return Keeper(open_to_write(self._path))

    def _close_readers(self) -> None:
        with self._lock:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Lend a connection that reads, all from one moment; one that met trouble is not used again."""
        with in_words():
            readers = self._readers
            db = self._free_reader() or open_to_read(self._path)
            try:
                db.conn.execute("BEGIN")
                yield db
                db.conn.execute("COMMIT")
            except BaseException:
                db.close()
                raise
            with self._lock:
                if readers is self._readers:
                    readers.append(db)
                    return
            db.close()  # all readers were closed meanwhile

    def _free_reader(self) -> Connection | None:
        with self._lock:
            db = self._readers.pop() if self._readers else None
        if db is not None and not db.is_at_its_path():
            db.close()
            return None
        return db


_PAGE = 100
"""Replays that a walk reads at once."""
