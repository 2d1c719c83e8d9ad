"""Keys: what they look like, what is kept of them, and how a setting lists them.

A key is 32 random bytes, so nobody can try them all, and a plain SHA-256 keeps it as secret as a slow hash would:
slowness only helps where a secret is short enough to be guessed, as a password is.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct

Scope = Literal["read", "write", "delete"]
"""What a key lets its bearer do; none includes another."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

NAMES = "1 to 32 letters, digits, dots, dashes and underscores"
"""What names are made of. Shorter than a key or a hash, so that neither can be taken for a name and be shown."""

_NAME = re.compile(r"[A-Za-z0-9._-]{1,32}")
_HASH = re.compile(r"[0-9A-Fa-f]{64}")
_KEY = re.compile(rb"t31_[A-Za-z0-9_-]{43}")
_BETWEEN = re.compile(r"[\s,]+")


class ApiKey(Struct, frozen=True):
    """What the service knows of a key: never the key itself."""

    name: str
    scopes: frozenset[Scope]
    digest: bytes
    """The SHA-256 of the key."""

    def entry(self) -> str:
        """Return the key's entry in the setting."""
        return f"{self.name}:{'+'.join(scope for scope in SCOPES if scope in self.scopes)}:{self.digest.hex()}"


def new_key() -> str:
    """Return a key that there has never been; the beginning tells people and scanners for secrets what it is."""
    return f"t31_{secrets.token_urlsafe(32)}"


def is_name(text: str) -> bool:
    """Return whether a key may have this name."""
    return _NAME.fullmatch(text) is not None


def looks_like_key(token: bytes) -> bool:
    """Return whether this could be a key that `new_key` made."""
    return _KEY.fullmatch(token) is not None


def digest_of(token: bytes) -> bytes:
    """Return what is kept of a key."""
    return hashlib.sha256(token).digest()


def read_scopes(texts: list[str]) -> frozenset[Scope]:
    """Return the scopes with these names; raise ValueError, which quotes none, unless there are some and all known."""
    scopes = frozenset(scope for scope in SCOPES if scope in texts)
    if not scopes or len(scopes) != len(texts):
        raise ValueError(f"scopes are {', '.join(SCOPES)}, at least one of them and each at most once")
    return scopes


def read_keys(text: str) -> tuple[ApiKey, ...]:
    """Return the keys that a setting lists: entries `name:scopes:hash` between commas or white space.

    Raises ValueError for a text that is not blank and not such a list; see `read_entries`.
    """
    entries = [entry for entry in _BETWEEN.split(text) if entry]
    if text.strip() and not entries:
        raise ValueError("there is no entry between the commas.")
    return read_entries(entries)


def read_entries(entries: Sequence[str]) -> tuple[ApiKey, ...]:
    """Return the keys of these entries, each `name:scopes:hash`.

    Raises ValueError if one of them is anything else. The message never quotes what was found in place of a name,
    scopes or a hash, since that may be a key.
    """
    keys: list[ApiKey] = []
    for number, entry in enumerate(entries, 1):
        try:
            key = _read_entry(entry)
        except ValueError as error:
            raise ValueError(f"entry {number} cannot be used: {error}.") from None
        for earlier, other in enumerate(keys, 1):
            if other.name == key.name:
                raise ValueError(f"entry {number} has the name of entry {earlier}, `{key.name}`.")
            if other.digest == key.digest:
                raise ValueError(f"entry {number}, `{key.name}`, is the key of entry {earlier}, `{other.name}`.")
        keys.append(key)
    return tuple(keys)


def _read_entry(entry: str) -> ApiKey:
    parts = entry.split(":")
    if len(parts) != 3:  # noqa: PLR2004 - a name, scopes and a hash
        raise ValueError("an entry is a name, scopes and a hash, with colons between them")
    name, scopes, digest = parts
    if not is_name(name):
        raise ValueError(f"a name is {NAMES}")
    if not _HASH.fullmatch(digest):
        raise ValueError(
            f"the hash of `{name}` is not 64 hexadecimal digits (it is the hash that counts here, not the key itself)"
        )
    try:
        return ApiKey(name, read_scopes(scopes.split("+")), bytes.fromhex(digest))
    except ValueError as error:
        raise ValueError(f"of `{name}`, {error}, with a plus sign between them") from None
