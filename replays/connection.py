"""Connections to the store's file: opened with the settings that make an acknowledged replay a durable one."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one that sqlite-utils uses

from replays.faults import DAMAGED, NotAStoreError, StoreError, is_busy
from replays.migrations import APPLICATION, KNOWN, migrations

PATIENCE = 5
"""Seconds to wait for another program that writes."""

SAFE_SQLITE = (3, 51, 3)
"""The release that mended a fault by which a write-ahead log could lose a commit at a checkpoint."""

PAGE = 4096
"""Bytes of a page: what file systems and disks write at once. With larger ones, a commit is longer."""

CACHE = 8_000_000
"""Bytes of pages to keep at hand: ids are spread over the whole of an index, whose inner pages should all fit in."""

STATEMENTS = 256
"""Statements to keep prepared: each one for many rows is another for each number of rows."""

LARGEST_LOG = 16_000_000
"""Bytes to which a write-ahead log is cut back that one large transaction has made longer."""


def sqlite_is_safe() -> bool:
    """Return whether the SQLite in use has the write-ahead log's fault mended."""
    return sqlite3.sqlite_version_info >= SAFE_SQLITE


_File = tuple[int, int]
"""What tells a file from all others."""


class Connection(Database):
    """A connection that can tell whether its file is still the one at its path.

    A file that is deleted or replaced while it is open can be written to for as long as one likes, and all of that is
    lost in the end.
    """

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        """Connect; a connection that only reads makes no file."""
        mode = "ro" if readonly else "rwc"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=STATEMENTS,
            uri=True,
        )
        super().__init__(connection, execute_plugins=False)
        self._path = path
        self._file = _file_at(path)
        self._log: _File | None = None
        self.execute("PRAGMA foreign_keys = ON")
        self.execute("PRAGMA trusted_schema = OFF")
        self.execute("PRAGMA cell_size_check = ON")
        self.execute(f"PRAGMA cache_size = -{CACHE // 1000}")

    def is_at_its_path(self) -> bool:
        """Return whether what is written here can be found again."""
        return self._file is not None and self._file == _file_at(self._path)

    def ends_within_a_page(self) -> bool:
        """Return whether the end of the file is missing, which SQLite would take for zeros.

        While there is something in the log, that may be what is missing.
        """
        (page,) = self.execute("PRAGMA page_size").fetchone()
        return not _size_at(_beside(self._path, "-wal")) and bool(_size_at(self._path) % page)

    def remember_log(self) -> None:
        """Learn which log belongs to the file, once there is one."""
        self._log = _file_at(_beside(self._path, "-wal"))

    def close(self) -> None:
        """Close, whatever happens. If the file is elsewhere now, it first gets what is in its log.

        The log that stays behind goes then: it would be taken for that of the file that has come instead.
        """
        is_elsewhere = not self.is_at_its_path()
        with suppress(sqlite3.Error):
            if is_elsewhere:
                self.rollback()
                self.conn.execute("PRAGMA wal_checkpoint")
        with suppress(sqlite3.Error):
            super().close()
        if is_elsewhere and self._log is not None and self._log == _file_at(_beside(self._path, "-wal")):
            for ending in ("-wal", "-shm"):
                _beside(self._path, ending).unlink(missing_ok=True)


def open_to_write(path: Path) -> Connection:
    """Return a connection that writes, after bringing the schema up to date.

    Raises NotAStoreError for a file that this version must not touch, sqlite3.Error for any other trouble.
    """
    db = Connection(path)
    with _closed_on_error(db):
        _check_ours(db)  # before anything is changed
        db.execute(f"PRAGMA page_size = {PAGE}")
        _write_ahead(db)
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # where it means anything, a plain fsync does not reach the disk
        db.execute(f"PRAGMA journal_size_limit = {LARGEST_LOG}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LARGEST_LOG // PAGE}")  # `Keeper.write_back` comes first, as a rule
        db.execute("PRAGMA busy_timeout = 0")
        begin(db)  # at once, so that of two programs that start together the second finds the work done
        if KNOWN.difference(_check_ours(db)):
            migrations.apply(db)
        # What a program wrote that was killed may be read back from the log and yet not be on disk. It is after this.
        db.execute("UPDATE probes SET count = count + 1")
        db.execute("COMMIT")
        db.remember_log()
    return db


def begin(db: Database) -> None:
    """Begin a transaction that writes, as soon as other programs have ended theirs.

    SQLite itself would ask ever more rarely, and not get its turn for seconds where another writes without pause.
    """
    _patiently(db, "BEGIN IMMEDIATE")


def open_to_read(path: Path) -> Connection:
    """Return a connection that only reads, and makes no file.

    Raises NotAStoreError unless the file is a store of this very version, sqlite3.Error for any other trouble.
    """
    db = Connection(path, readonly=True)
    with _closed_on_error(db):
        if KNOWN.difference(_check_ours(db)):
            raise NotAStoreError("The store is of an older version, and has to be opened to write first.")
        db.remember_log()
    return db


@contextmanager
def _closed_on_error(db: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        db.close()
        raise


def _beside(path: Path, ending: str) -> Path:
    """Return the path of a file that SQLite has beside the store's."""
    path = path.resolve()
    return path.with_name(path.name + ending)


def _file_at(path: Path) -> _File | None:
    """Return which file is at a path, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size_at(path: Path) -> int:
    """Return how many bytes the file at a path has; 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _check_ours(db: Connection) -> frozenset[str]:
    """Return the names of the migrations that the file has had, none if it is empty.

    Raises NotAStoreError unless it is empty, or a store of this version or an older one, and StoreError if it is
    damaged.
    """
    # In this order, since another program may make it a store at this moment.
    empty = db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None
    if db.ends_within_a_page():
        raise StoreError(DAMAGED)
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if empty and application in {0, APPLICATION}:
        return frozenset()
    if application != APPLICATION:
        raise NotAStoreError("The file is a database, but not a store of replays.")
    applied = db.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [migrations.name]).fetchall()
    names = frozenset(str(name) for (name,) in applied)
    if not names:
        raise StoreError(DAMAGED)
    if newer := sorted(names - KNOWN):
        raise NotAStoreError(f"The store was made by a newer version, which also has: {', '.join(newer)}.")
    return names


def _write_ahead(db: Database) -> None:
    """Let the file have a write-ahead log.

    Of two programs that do so at once, SQLite refuses one without waiting. Where a log cannot be had, as in memory and
    on some network drives, nothing here could be promised.
    """
    (mode,) = _patiently(db, "PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError("The place of the store's file does not allow for a write-ahead log.")


def _patiently(db: Database, statement: str) -> sqlite3.Cursor:
    """Run a statement, again and again while another program is in its way, but not for ever."""
    patience_ends = monotonic() + PATIENCE
    while True:
        try:
            return db.execute(statement)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > patience_ends:
                raise
        sleep(_BETWEEN_ATTEMPTS)


_BETWEEN_ATTEMPTS = 0.001
"""Seconds."""
