"""Arrays whose items are decoded one by one later, and that are given up as soon as they have too many.

A bound in the type of an array is looked at when all of it is in memory, and the event loop has to wait for that. The
fields of a Struct that is written as an array are counted on the way.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from api.body import Body
from api.media import Format

MOST = 1000
"""Items that such an array may have."""
_Items: Any = msgspec.defstruct(
    "_Items",
    [(f"item_{number}", Raw | UnsetType, UNSET) for number in range(MOST)],
    array_like=True,
    forbid_unknown_fields=True,
)
_ITEMS = Body[Any](_Items)


def items(array: Raw, written_in: Format, pointer: str) -> list[bytes]:
    """Return the items of an array, each as it is written; raise a 422 fault if it is none, or has too many."""
    found = msgspec.structs.astuple(_ITEMS.decode(bytes(array), written_in, pointer))
    return [bytes(item) for item in found if item is not UNSET]
