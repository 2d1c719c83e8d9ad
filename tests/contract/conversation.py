"""A frozen conversation with the service: requests that clients send, and the shape of the answers that they got.

What rulings say is kept by the golden replays; here it is what the code of a client holds on to: the status, the
headers, and the fields of the answer with their types.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import msgspec
from msgspec import Raw, Struct

WORTH_KEEPING = frozenset(
    ("allow", "cache-control", "content-type", "etag", "link", "location", "retry-after", "vary", "x-request-id")
)


class Exchange(Struct, frozen=True, forbid_unknown_fields=True):
    """A request, and what was answered."""

    method: str
    address: str
    headers: Mapping[str, str]
    body: Raw
    status: int
    has: tuple[str, ...]
    """Headers of the answer."""
    shape: Any


def requests(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, str], bytes]]:
    """Yield every request that a document shows, and of each operation some that are refused."""
    for path, item in document["paths"].items():
        for method, found in item.items():
            address = path
            for parameter in found["parameters"]:
                address = address.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "")))
            content = found.get("requestBody", {}).get("content", {})
            sent = {"content-type": "application/json"} if content else {}
            for example in content.get("application/json", {}).get("examples", {"none": None}).values():
                body = msgspec.json.encode(example["value"]) if example else b'""'
                if method != "delete":
                    yield method.upper(), address, sent, body
            yield method.upper(), f"{address}?no-such-parameter=1", sent, b'""'
            yield "PATCH", address, {}, b'""'
            if content:
                yield method.upper(), address, sent, b"{}"
                yield method.upper(), address, {"content-type": "text/csv"}, b"{}"
    yield "GET", "/no-such-address", {}, b'""'


def exchange(client: httpx.Client, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Exchange:
    """Send a request and return it with what is answered."""
    answer = client.request(method, address, headers=headers, content=body if headers else None)
    has = tuple(sorted(WORTH_KEEPING & answer.headers.keys()))
    is_json = "json" in answer.headers.get("content-type", "") and answer.content
    shape = shape_of(answer.json()) if is_json else None
    return Exchange(method, address, headers, Raw(body), answer.status_code, has, shape)


def shape_of(value: Any) -> Any:
    """Return a value with types for what is in it; of a list, each shape once."""
    if isinstance(value, dict):
        return {name: shape_of(each) for name, each in sorted(value.items())}
    if isinstance(value, list):
        shapes = {msgspec.json.encode(shape_of(each)) for each in value}
        return [msgspec.json.decode(shape) for shape in sorted(shapes)]
    return {bool: "boolean", int: "number", float: "number", str: "string"}.get(type(value), "null")


def keeps(old: Any, new: Any) -> bool:
    """Return whether whoever reads the old shape can read the new one: fields may be added."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(name in new and keeps(each, new[name]) for name, each in old.items())
    if isinstance(old, list):
        return isinstance(new, list) and all(any(keeps(each, one) for one in new) for each in old)
    return old == new


def breaks(old: Exchange, new: Exchange) -> str:
    """Return how an answer breaks what the old one was, or nothing."""
    if old.status != new.status:
        return f"the status is {new.status}, not {old.status}"
    if missing := set(old.has) - set(new.has):
        return f"headers are gone: {', '.join(sorted(missing))}"
    return "" if keeps(old.shape, new.shape) else f"fields are gone or of other types: {new.shape}"
