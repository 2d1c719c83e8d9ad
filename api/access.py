"""Access: who may do what, by the key that a request brings as a Bearer token (RFC 6750)."""

import hmac
from collections.abc import Iterable

from msgspec import Struct

from api.keys import ApiKey, Scope, digest_of, looks_like_key
from api.problems import FORBIDDEN, UNAUTHENTICATED, Fault

# A challenge has at least one parameter (RFC 6750, section 3), and names an error only where a token was sent.
_NO_TOKEN = {"WWW-Authenticate": 'Bearer realm="thirtyone"'}
_BAD_TOKEN = {"WWW-Authenticate": 'Bearer error="invalid_token"'}


class Access(Struct, frozen=True):
    """The keys that the service knows; if there are none, it asks nobody for one."""

    keys: tuple[ApiKey, ...] = ()

    def admit(self, headers: Iterable[tuple[bytes, bytes]], needs: Scope) -> str:
        """Return the name of the key that a request brings, or "" where none is asked for.

        Raises a 401 fault without a key that is known, and a 403 fault if the key does not have the scope needed.
        """
        if not self.keys:
            return ""
        key = self._known(_token(headers))
        if needs not in key.scopes:
            raise Fault(
                FORBIDDEN,
                f"The key does not have the scope `{needs}`, which this request needs.",
                headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{needs}"'},
            )
        return key.name

    def _known(self, token: bytes) -> ApiKey:
        """Return the key with this token, in a time that does not tell which of the keys it is like, or how much."""
        found = None
        if looks_like_key(token):
            digest = digest_of(token)
            for key in self.keys:
                if hmac.compare_digest(digest, key.digest):
                    found = key
        if found is None:
            raise Fault(UNAUTHENTICATED, "The key is not one that the service knows.", headers=_BAD_TOKEN)
        return found


def _token(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the token that a request brings; raise a 401 fault if it brings none, or several."""
    sent = [value for name, value in headers if name == b"authorization"]
    if len(sent) > 1:
        raise Fault(UNAUTHENTICATED, "`Authorization` is given more than once.", headers=_NO_TOKEN)
    scheme, _, token = (sent[0] if sent else b"").partition(b" ")
    token = token.strip(b" ")
    if scheme.lower() != b"bearer" or not token:
        detail = "The service asks for a key; send it as `Authorization: Bearer` and the key."
        raise Fault(UNAUTHENTICATED, detail, headers=_NO_TOKEN)
    return token
