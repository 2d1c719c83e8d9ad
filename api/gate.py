"""The gate: what a request has to pass before anything else of it is looked at."""

from collections.abc import Mapping
from ipaddress import IPv4Address, ip_address
from types import MappingProxyType

from litestar.types import HTTPScope
from msgspec import Struct

from api.access import Access
from api.keys import Scope
from api.limits import Limiter
from api.settings import Settings

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Gate(Struct, frozen=True):
    """Lets requests in; by default every one."""

    access: Access = Access()
    limiter: Limiter | None = None

    @property
    def is_open(self) -> bool:
        """Return whether every request is let in, so that none need be asked."""
        return self.limiter is None and not self.access.keys

    def admit(self, scope: HTTPScope, needs: Scope) -> Mapping[str, str]:
        """Return the headers to add to the answer; raise a 401, 403 or 429 fault for a request that is not let in.

        What is counted is the key's requests, or without keys the client's; those without a key that is known, or
        without the scope, are not.
        """
        name = self.access.admit(scope["headers"], needs)
        if self.limiter is None:
            return _NO_HEADERS
        return self.limiter.check(f"key {name}" if name else client_of(scope))


def gate_for(settings: Settings) -> Gate:
    """Return the gate that the settings ask for."""
    return Gate(Access(settings.api_keys), Limiter(settings.rate_limit) if settings.rate_limit else None)


def client_of(scope: HTTPScope) -> str:
    """Return the client's address in a form that is short and that the client cannot vary at will.

    Of IPv6 it is the first half, since a network of that size is the least that a customer is given. Anything but an
    address, which a proxy may pass on, is one client together.
    """
    host = scope["client"][0] if scope["client"] else ""
    try:
        address = ip_address(host)
    except ValueError:
        return "no address"
    if isinstance(address, IPv4Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{int(address) >> 64:016x}::/64"
