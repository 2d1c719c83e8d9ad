"""Seals: they bind an answer to what stands beside it in the store, which no digest covers."""

from zlib import crc32


def seal(replay: bytes, kept: int, engine: str) -> int:
    """Return a check of whose answer it is, by which version of the engine, and when the question was kept."""
    return crc32(b"%b %d %b" % (replay, kept, engine.encode()))


def is_sealed(replay: bytes, kept: int, engine: str, noted: int) -> bool:
    """Return whether this is the seal that was noted; in a damaged file, any of these may be of another type."""
    try:
        return seal(replay, kept, engine) == noted
    except (AttributeError, TypeError):
        return False
