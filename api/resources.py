"""What the requests of one application share."""

from msgspec import Struct

from api.gate import Gate
from replays.store import Store


class Resources(Struct, frozen=True):
    """What an answer may need besides the request."""

    store: Store
    gate: Gate = Gate()
