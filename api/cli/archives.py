"""Archives as files: compressed by their name, whole or not there, and readable as far as they go."""

import gzip
import os
import secrets
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

import zstandard

STANDARD = "-"
"""The name of standard input and output."""
_NAMELESS = "The name of a file is empty."
_PIECE = 64 * 1024


class ArchiveFileError(Exception):
    """A file that cannot be read or written; the message is a sentence that says which and why."""


def _ending(name: str) -> str:
    """Return the part of a name that says how the file is compressed, in small letters."""
    return Path(name).suffix.lower()


def pieces_of(name: str) -> Iterator[bytes]:
    """Yield what an archive holds, piece by piece; raise ArchiveFileError where it cannot be read any further."""
    read = _READERS.get(_ending(name), _plain)
    called = "Standard input" if name == STANDARD else name
    try:
        if not name:
            raise ArchiveFileError(_NAMELESS)
        if name == STANDARD:
            yield from _plain(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                yield from read(file)
    except EOFError:
        raise ArchiveFileError(f"{name} has been cut short: it ends in the middle of what is compressed.") from None
    except (gzip.BadGzipFile, zlib.error, zstandard.ZstdError):
        kind = _ending(name).removeprefix(".")
        raise ArchiveFileError(f"{name} cannot be read any further: it is damaged, or no {kind} file.") from None
    except OSError as error:
        raise ArchiveFileError(f"{called} cannot be read: {error.strerror}.") from None


def _plain(file: IO[bytes]) -> Iterator[bytes]:
    # read1: what has come through a pipe is not held back until there is more.
    read = getattr(file, "read1", file.read)
    while piece := read(_PIECE):
        yield piece


def _gzip(file: BufferedReader) -> Iterator[bytes]:
    _check_begun(file)
    with gzip.GzipFile(fileobj=file) as opened:
        yield from _plain(cast("IO[bytes]", opened))


def _zstd(file: BufferedReader) -> Iterator[bytes]:
    """Yield what the frames of a file hold. The library's own reader takes a frame that is cut short for whole."""
    _check_begun(file)
    frame: Any = None
    left = b""
    while piece := left or file.read(_PIECE):
        frame = frame or zstandard.ZstdDecompressor().decompressobj()
        yield frame.decompress(piece)
        left = frame.unused_data if frame.eof else b""
        if frame.eof:
            frame = None
    if frame is not None:
        raise EOFError


def _check_begun(file: BufferedReader) -> None:
    """Raise EOFError for an empty file: even nothing is compressed to something."""
    if not file.peek(1):
        raise EOFError


_READERS: dict[str, Callable[[BufferedReader], Iterator[bytes]]] = {".gz": _gzip, ".zst": _zstd}
COMPRESSED = frozenset(_READERS)
"""The ends of the names of files that are compressed."""


@contextmanager
def new_archive(name: str) -> Iterator[IO[bytes]]:
    """Lend a file to write an archive to, which takes its name, over whatever has it, when it is complete.

    Raises ArchiveFileError if that cannot be done; then, and if the block is left by an error, nothing has changed.
    """
    if not name:
        raise ArchiveFileError(_NAMELESS)
    path = Path(name)
    called = "Standard output" if name == STANDARD else name
    if path.is_dir():
        raise ArchiveFileError(f"{name} is a directory.")
    try:
        if name == STANDARD:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif path.exists() and not path.is_file():
            with path.open("wb") as device, _compressed(device, _ending(name)) as file:  # no file can take its place
                yield file
        else:
            with _written_aside(path.resolve()) as aside, _compressed(aside, _ending(name)) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ArchiveFileError(f"{called} cannot be written: {error.strerror}.") from None


@contextmanager
def _written_aside(path: Path) -> Iterator[IO[bytes]]:
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with aside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


@contextmanager
def _compressed(file: IO[bytes], ending: str) -> Iterator[IO[bytes]]:
    if ending == ".gz":
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif ending == ".zst":
        compressor = zstandard.ZstdCompressor(write_checksum=True)
        with compressor.stream_writer(file, closefd=False) as packed:
            yield packed
    else:
        yield file
