"""Connections whose statements fail or hesitate, as a seed determines."""

from contextlib import contextmanager
from random import Random
from time import sleep

from sqlite_utils.utils import sqlite3

_KINDS = (
    (sqlite3.OperationalError, "SQLITE_IOERR"),
    (sqlite3.OperationalError, "SQLITE_FULL"),
    (sqlite3.OperationalError, "SQLITE_BUSY"),
    (sqlite3.OperationalError, "SQLITE_READONLY"),
    (sqlite3.OperationalError, "SQLITE_CANTOPEN"),
    (sqlite3.DatabaseError, "SQLITE_CORRUPT"),
)


class Faults:
    """What goes wrong, and how often."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.rate = self.chance.choice((0.0005, 0.002, 0.008))
        self.count = 0

    def strike(self) -> None:
        """Fail, hesitate, or most often do nothing."""
        drawn = self.chance.random()
        if drawn < self.rate:
            self.count += 1
            kind, name = self.chance.choice(_KINDS)
            error = kind(f"made up: {name}")
            error.sqlite_errorname = name
            raise error
        if drawn < self.rate * 1.5:
            sleep(0.001)


class _FaultyConnection:
    """A connection that fails before a statement, or after it, when it may have been done for ever."""

    def __init__(self, connection: sqlite3.Connection, faults: Faults) -> None:
        self._connection = connection
        self._faults = faults

    def execute(self, *arguments):
        self._faults.strike()
        cursor = self._connection.execute(*arguments)
        self._faults.strike()
        return cursor

    def executemany(self, *arguments):
        self._faults.strike()
        return self._connection.executemany(*arguments)

    def close(self):
        self._connection.close()
        self._faults.strike()

    @property
    def in_transaction(self):
        return self._connection.in_transaction

    @property
    def total_changes(self):
        return self._connection.total_changes


@contextmanager
def suffering(faults, monkeypatch):
    """Let all connections that are made inside the block suffer from these faults."""
    connect = sqlite3.connect

    def connect_faultily(*arguments, **settings):
        faults.strike()
        return _FaultyConnection(connect(*arguments, **settings), faults)

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", connect_faultily)
        yield
