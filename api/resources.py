"""What the requests of one application share."""

from msgspec import Struct

from api.cors import Cors
from api.gate import Gate
from replays.store import Store


class Resources(Struct, frozen=True):
    """What an answer may need besides the request."""

    store: Store
    gate: Gate = Gate()
    cors: Cors | None = None
    """Which pages of other origins may read answers; None for no such page."""
