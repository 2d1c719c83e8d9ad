"""Entity tags: a strong one for the bytes of an answer, and whether a client has them already."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256


def headers_of(content: bytes) -> Mapping[str, str]:
    """Return what identifies these bytes: their strong entity tag, and the digest by which anybody can check them.

    `Repr-Digest` is RFC 9530's. Both are of the bytes as they are sent, compressed or not.
    """
    digest = sha256(content)
    return {"ETag": f'"{digest.hexdigest()}"', "Repr-Digest": f"sha-256=:{b64encode(digest.digest()).decode()}:"}


def is_held(etag: str, if_none_match: str) -> bool:
    """Return whether an `If-None-Match` header names the tag; tags marked weak compare alike."""
    held = if_none_match.strip()
    return held == "*" or etag in [each.strip().removeprefix("W/") for each in held.split(",")]
