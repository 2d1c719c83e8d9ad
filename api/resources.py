"""What the requests of one application share."""

from collections.abc import Sequence

from msgspec import Struct, field

from api.bounds import LIMITS, Limits
from api.cors import Cors
from api.gate import Gate
from api.lanes import Lanes
from api.room import Room
from api.tallies import Tallies
from replays.records import Record
from replays.store import Store


def room_for_streams(limits: Limits = LIMITS) -> Room:
    """Return the places for streams."""
    return Room(limits.streams, "Too many streams are open.")


class Resources(Struct, frozen=True):
    """What an answer may need besides the request."""

    store: Store
    gate: Gate = Gate()
    cors: Cors | None = None
    """Which pages of other origins may read answers; None for no such page."""
    tallies: Tallies = field(default_factory=Tallies)
    has_metrics: bool = True
    """Whether the tallies are shown to whoever asks."""
    lanes: Lanes = field(default_factory=Lanes)
    bodies: Room = field(default_factory=lambda: Room(LIMITS.body_room, "Too many large bodies are under way."))
    streams: Room = field(default_factory=room_for_streams)
    writing: Room = field(default_factory=lambda: Room(LIMITS.writing, "Too many replays wait to be kept."))

    async def keep(self, records: Sequence[Record]) -> list[bool]:
        """Keep replays, and return once they are on disk of each whether its question was new; raise StoreError."""
        are_new = await self.store.keep_soon(records)
        self.tallies.kept += sum(are_new)
        return are_new
