"""Compression: the content coding that a client likes best, for answers that are large enough to gain by it."""

import asyncio
import re
import zlib
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Protocol

from msgspec import Struct
from zstandard import COMPRESSOBJ_FLUSH_BLOCK, COMPRESSOBJ_FLUSH_FINISH, ZstdCompressor

WORTHWHILE = 4096
"""Bytes from which an answer is compressed. The ruling of a usual hand is smaller, and is sent sooner as it is."""
_LONG = 256 * 1024
"""Bytes that take so long to compress that it must not hold the event loop."""
_GZIP_LEVEL = 5
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
"""What tells zlib to write gzip's own header and checksum."""
_ZSTD_LEVEL = 3


class _Compressor(Protocol):
    """What zlib and zstandard have in common."""

    def compress(self, data: bytes, /) -> bytes:
        """Return what there is to send of these bytes."""

    def flush(self, mode: int = ..., /) -> bytes:
        """Return what is left to send."""


class Compression(Struct):
    """A stream of bytes that is compressed part by part."""

    _compressor: _Compressor
    _pause: int
    _end: int

    def part(self, content: bytes) -> bytes:
        """Return what to send for some bytes, so that all of them can be read at the other end."""
        return self._compressor.compress(content) + self._compressor.flush(self._pause)

    def last(self, content: bytes = b"") -> bytes:
        """Return what to send for the last bytes."""
        return self._compressor.compress(content) + self._compressor.flush(self._end)


class Coding(Struct, frozen=True):
    """A content coding (RFC 9110, section 8.4.1)."""

    name: str
    _compressor: Callable[[], _Compressor]
    _pause: int
    _end: int

    def begin(self) -> Compression:
        """Return a stream to be compressed."""
        return Compression(self._compressor(), self._pause, self._end)


def _zstd() -> _Compressor:
    """Return a stream with a compressor of its own: two streams of one compressor write into each other's answers."""
    return ZstdCompressor(_ZSTD_LEVEL).compressobj()


_CODINGS = {
    coding.name: coding
    for coding in (
        Coding("zstd", _zstd, COMPRESSOBJ_FLUSH_BLOCK, COMPRESSOBJ_FLUSH_FINISH),
        Coding("gzip", partial(zlib.compressobj, _GZIP_LEVEL, wbits=_GZIP_WINDOW), zlib.Z_SYNC_FLUSH, zlib.Z_FINISH),
    )
}
"""The codings on offer, the one that is preferred where the client does not care first."""
_WEIGHT = re.compile(r"q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)


@lru_cache(maxsize=64)
def coding_for(accept_encoding: bytes) -> Coding | None:
    """Return the coding that an `Accept-Encoding` header likes best; None if it wants none of those on offer.

    A weight that is none, or an unknown coding, is passed over: an answer as it is does for everybody.
    """
    weights: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").lower().split(","):
        name, _, parameters = part.partition(";")
        weight = _WEIGHT.fullmatch(parameters.strip()) if parameters.strip() else None
        if weight or not parameters.strip():
            weights[name.strip()] = float(weight[1]) if weight else 1.0
    weights["gzip"] = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    weights["zstd"] = weights.get("zstd", weights.get("*", 0.0))
    best = max(_CODINGS.values(), key=lambda coding: weights[coding.name])
    return best if weights[best.name] > 0 and weights[best.name] >= weights.get("identity", 0.0) else None


async def compressed(content: bytes, coding: Coding) -> bytes:
    """Return a content compressed, without holding the event loop where it is long."""
    compression = coding.begin()
    return compression.last(content) if len(content) < _LONG else await asyncio.to_thread(compression.last, content)
