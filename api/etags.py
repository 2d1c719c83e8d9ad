"""Entity tags: a strong one for the bytes of an answer, and whether a client has them already."""

from hashlib import sha256


def etag_of(content: bytes) -> str:
    """Return the strong entity tag of these bytes."""
    return f'"{sha256(content).hexdigest()}"'


def is_held(etag: str, if_none_match: str) -> bool:
    """Return whether an `If-None-Match` header names the tag; tags marked weak compare alike."""
    held = if_none_match.strip()
    return held == "*" or etag in [each.strip().removeprefix("W/") for each in held.split(",")]
