"""CORS: which pages of other origins a browser lets read the answers (the Fetch standard, section 3.3).

It is a matter of headers alone, so it works on whatever is sent, 404 and 405 and streams included. Keys are sent by
scripts in `Authorization`; nothing here depends on cookies, so no answer allows credentials.
"""

from collections.abc import Iterable

from litestar.types import HTTPScope, Message, Send
from msgspec import Struct

from api.setting_values import ANY
from api.settings import Settings

_ASKED = ("Authorization", "Content-Type", "Accept", "If-None-Match", "X-Request-ID")
_SHOWN = (
    "Accept",
    "Accept-Encoding",
    "Allow",
    "ETag",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Repr-Digest",
    "Retry-After",
    "Vary",
    "WWW-Authenticate",
    "X-Request-ID",
)
_MAX_AGE = 7200
"""Seconds for which a browser need not ask again; none remembers it for longer than some two hours."""

Header = tuple[bytes, bytes]

_EVERY = ANY.encode()
_METHOD = b"access-control-request-method"
_ALLOW_METHODS = b"access-control-allow-methods"
_ALLOW_ORIGIN = b"access-control-allow-origin"
_EXPOSE = (b"access-control-expose-headers", ", ".join(_SHOWN).encode())
_OF_PREFLIGHT = (
    (b"access-control-allow-headers", ", ".join(_ASKED).encode()),
    (b"access-control-max-age", b"%d" % _MAX_AGE),
)
_VARY = (b"vary", b"Origin")


class Cors(Struct, frozen=True):
    """The origins whose pages may read answers."""

    origins: frozenset[bytes]

    def opened(self, scope: HTTPScope, send: Send) -> Send:
        """Return a `send` that adds to the answer of a request what its browser wants to know."""
        sent = dict(scope["headers"])
        origin = sent.get(b"origin", b"")
        is_preflight = scope["method"] == "OPTIONS" and b"origin" in sent and _METHOD in sent

        async def opened(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = self.headers_for(origin, _preflight(message["headers"]) if is_preflight else [_EXPOSE])
                message["headers"] = [*message["headers"], *more]
            await send(message)

        return opened

    def headers_for(self, origin: bytes, allowed: Iterable[Header] = (_EXPOSE,)) -> list[Header]:
        """Return the headers that an answer gets for the origin of a request: more of them where it is allowed."""
        found = self._allowed(origin)
        # Without a star the answer is another one for another origin.
        vary = [] if found == _EVERY else [_VARY]
        return vary if found is None else [*vary, (_ALLOW_ORIGIN, found), *allowed]

    def _allowed(self, origin: bytes) -> bytes | None:
        """Return the origin to allow: every one, the one of the request, or none."""
        if _EVERY in self.origins:
            return _EVERY
        return origin if origin in self.origins else None


def _preflight(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return what a browser asks before it sends a request: the methods, which `Allow` has, and the headers it may use.

    There are none at an address where there is nothing, which has no `Allow`.
    """
    methods = [(_ALLOW_METHODS, value) for name, value in headers if name == b"allow"]
    return [*methods, *_OF_PREFLIGHT] if methods else []


def cors_for(settings: Settings) -> Cors | None:
    """Return what the settings ask for; None if it is off."""
    origins = settings.cors_origins
    return Cors(frozenset(origin.encode() for origin in origins)) if origins else None
