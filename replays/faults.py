"""What can go wrong with the store, in words for people; and how SQLite's own errors become that."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one that sqlite-utils uses


class StoreError(Exception):
    """The store cannot do what it is asked. The message is one sentence that gives away no path and no SQL."""


class NotAStoreError(StoreError):
    """The file is a database of something else, or of a newer version: it must not be touched."""


class DamagedReplayError(StoreError):
    """A stored replay does not match its own digest."""

    def __init__(self, replay: str) -> None:
        """Name the replay."""
        super().__init__(f"The stored replay {replay} is damaged: it does not match its own digest.")
        self.replay = replay


DAMAGED = "The store's file is damaged."


TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""What statements raise. In a damaged file, there may be bytes that are no text in names, and in errors about them."""


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another program only had to be waited for."""
    return _name(error).startswith("SQLITE_BUSY")


@contextmanager
def in_words() -> Iterator[None]:
    """Raise StoreError for every error of SQLite's inside the block."""
    try:
        yield
    except TROUBLE as error:
        raise StoreError(sentence_for(error)) from error


def sentence_for(error: Exception) -> str:
    """Return what an error of SQLite's means, as a sentence that quotes nothing of it."""
    if isinstance(error, UnicodeDecodeError):
        return DAMAGED
    name = _name(error)
    for beginning, sentence in _SENTENCES.items():
        if name.startswith(beginning):
            return sentence
    return "The store cannot be used at the moment."


def _name(error: Exception) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


_SENTENCES = {
    "SQLITE_FULL": "The disk that holds the store is full.",
    "SQLITE_BUSY": "The store is busy with another program's work.",
    "SQLITE_LOCKED": "The store is busy with another program's work.",
    "SQLITE_PROTOCOL": "The store is busy with another program's work.",
    "SQLITE_READONLY": "The store cannot be written to: its file, or one beside it, is read-only.",
    "SQLITE_CANTOPEN": "The store's file cannot be opened.",
    "SQLITE_PERM": "The store's file must not be opened.",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_CONSTRAINT": DAMAGED,  # what is kept never breaks one, unless what is there already is not what was kept
    "SQLITE_NOTADB": "The store's file is not a database.",
    "SQLITE_IOERR": "The disk that holds the store fails.",
}
