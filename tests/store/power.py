"""A disk whose power is cut: what was not synced is kept, dropped or torn, piece by piece, as chance has it.

SQLite writes through a file system of APSW's that is made here, and the store's own code runs on a connection that
looks like the one it knows.
"""

import itertools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import apsw

from replays import connection, keeping

SECTOR = 512
"""Bytes that a disk writes wholly or not at all."""

_numbers = itertools.count()


class PowerCutError(Exception):
    """The power is off: nothing is written any more."""


class Disk:
    """What is on the disk for certain, and what has been written since."""

    def __init__(self, chance: Random, writes: int, *, at_a_sync: bool = False) -> None:
        """Let the power be cut after so many writes and syncs, or at the first sync from then on."""
        self.synced: dict[str, bytearray] = {}
        self._deleted: dict[str, bytearray] = {}
        """Files whose directory has not been synced since they were deleted: they may come back."""
        self._pending: dict[str, list[tuple[int, bytes] | int]] = {}
        self._chance = chance
        self._left = writes
        self._only_at_syncs = at_a_sync

    def power_on(self, writes: int) -> None:
        """Let the power be cut after so many writes from now on; what is not synced stays so."""
        self._left = writes

    def spend(self, *, syncs: bool = False) -> None:
        """Do one more write or sync, unless the power is off."""
        if self._left <= 0 and (syncs or not self._only_at_syncs):
            self._only_at_syncs = False
            raise PowerCutError
        self._left -= 1

    def write(self, name: str, data: bytes, offset: int) -> None:
        """Note a write that is not synced yet."""
        self._pending.setdefault(name, []).append((offset, bytes(data)))

    def truncate(self, name: str, size: int) -> None:
        """Note a change of the size that is not synced yet."""
        self._pending.setdefault(name, []).append(size)

    def sync(self, name: str) -> None:
        """Make certain what has been written to a file; SQLite syncs the directory with a file that is new."""
        if name not in self.synced:
            self._deleted.clear()
        image = self.synced.setdefault(name, bytearray())
        for change in self._pending.pop(name, ()):
            _apply(image, change)

    def delete(self, name: str, *, certain: bool) -> None:
        """Delete a file, for certain or not yet."""
        self._pending.pop(name, None)
        image = self.synced.pop(name, None)
        if certain:
            self._deleted.clear()
        elif image is not None:
            self._deleted[name] = image

    def after_the_cut(self, folder: Path) -> None:
        """Write into a folder what is found once the power is back."""
        back = {name: image for name, image in self._deleted.items() if self._chance.random() < 0.5}
        for name in sorted({*back, *self.synced, *self._pending}):
            image = bytearray(self.synced.get(name) or back.get(name, b""))
            for change in self._pending.get(name, ()):
                fate = self._chance.choice(("kept", "dropped", "torn"))
                if fate == "kept" or (fate == "torn" and isinstance(change, int)):
                    _apply(image, change)
                elif fate == "torn" and not isinstance(change, int):
                    self._tear(image, *change)
            if image:
                (folder / Path(name).name).write_bytes(image)

    def _tear(self, image: bytearray, offset: int, data: bytes) -> None:
        """Write some sectors of a write, and not others."""
        end = offset + len(data)
        while offset < end:
            length = min(SECTOR - offset % SECTOR, end - offset)
            piece, data = data[:length], data[length:]
            if self._chance.random() < 0.5:
                _apply(image, (offset, piece))
            offset += length


def _apply(image: bytearray, change: tuple[int, bytes] | int) -> None:
    if isinstance(change, int):
        del image[change:]
        return
    offset, data = change
    image.extend(bytes(max(0, offset - len(image))))
    image[offset : offset + len(data)] = data


class _File(apsw.VFSFile):
    """An open file. The log's index is no file to the disk: it is made anew."""

    def __init__(self, disk: Disk, base: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(base, name, flags)
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - as SQLite calls it
        self._disk.spend()
        super().xWrite(data, offset)
        self._disk.write(self._name, data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - APSW's name
        self._disk.spend()
        super().xTruncate(newsize)
        self._disk.truncate(self._name, newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - APSW's name
        self._disk.spend(syncs=True)
        super().xSync(flags)
        self._disk.sync(self._name)

    def xDeviceCharacteristics(self) -> int:  # noqa: N802 - APSW's name
        return 0  # a disk of which nothing is known


class _FileSystem(apsw.VFS):
    def __init__(self, name: str, disk: Disk) -> None:
        super().__init__(name, "")
        self._disk = disk

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:  # noqa: N802 - APSW's name
        return _File(self._disk, "", name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - APSW's name
        self._disk.spend()
        super().xDelete(filename, syncdir)
        self._disk.delete(filename, certain=syncdir)


class _Cursor:
    """A cursor of Python's kind, with all rows read at once."""

    def __init__(self, db: apsw.Connection, sql: str, values: object) -> None:
        changes = db.total_changes()
        cursor = db.cursor()
        cursor.exec_trace = self._describe
        cursor.execute(sql, values)
        self._rows = iter(cursor.fetchall())
        self.rowcount = db.total_changes() - changes
        self.lastrowid = db.last_insert_rowid()

    def _describe(self, cursor: apsw.Cursor, _sql: str, _values: object) -> bool:
        self.description = cursor.get_description() or None
        return True

    def fetchone(self) -> tuple[object, ...] | None:
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[object, ...]]:
        return list(self._rows)

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return self._rows


_AUTOMATIC = re.compile("wal_autocheckpoint = [0-9]+")
"""What is done far more often here, to see many checkpoints in a short time."""


class _Connection:
    """A connection of Python's kind."""

    def __init__(self, path: str, vfs: str, synchronous: str) -> None:
        self._db = apsw.Connection(path, vfs=vfs)
        self._synchronous = synchronous

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    @property
    def total_changes(self) -> int:
        return self._db.total_changes()

    def execute(self, sql: str, values: object = None) -> _Cursor:
        sql = sql.replace("synchronous = FULL", f"synchronous = {self._synchronous}")
        return _Cursor(self._db, _AUTOMATIC.sub("wal_autocheckpoint = 100", sql), values)

    def executemany(self, sql: str, rows: list[tuple[object, ...]]) -> None:
        self._db.executemany(sql, rows)

    def close(self) -> None:
        self._db.close(True)


@contextmanager
def on(disk: Disk, monkeypatch, synchronous: str) -> Iterator[None]:
    """Let the store write to a disk inside the block, with its own or another `synchronous`."""
    name = f"disk-{next(_numbers)}"
    files = _FileSystem(name, disk)
    connections: list[_Connection] = []

    def connect(address: str, **_: object) -> _Connection:
        connections.append(_Connection(unquote(urlsplit(address).path), name, synchronous))
        return connections[-1]

    with monkeypatch.context() as patched:
        names = {"connect": connect, "Error": apsw.Error, "OperationalError": apsw.BusyError}
        patched.setattr(connection, "sqlite3", SimpleNamespace(**names))
        patched.setattr(keeping, "_MANY_CHANGES", 100)  # for more checkpoints of the other kind, too
        patched.setattr(sys, "unraisablehook", lambda _: None)  # to close is to write, too, which nobody hears of
        yield
        for each in connections:
            each.close()
    files.unregister()
