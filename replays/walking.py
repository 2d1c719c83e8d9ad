"""Walking: through every stored replay, past whatever part of a damaged file cannot be read at all."""

from collections.abc import Iterator

from msgspec import Struct

from replays.faults import DAMAGED, StoreError
from replays.finding import Filters, Stored
from replays.store import Store

PAGE = 100
"""Replays that are read together. No statement stays open between pages."""

_GIVING_UP = 1000
"""Rows in a row that cannot be read, from which on there is no sense in going on."""


class Gap(Struct, frozen=True):
    """Rows that cannot be read; which replays they hold, if any, nobody can tell."""

    first: int
    last: int

    def __str__(self) -> str:
        """Say so in a sentence."""
        rows = f"row {self.first}" if self.first == self.last else f"the rows from {self.first} to {self.last}"
        return f"What is stored in {rows} cannot be read: the file is damaged there."


def walk(store: Store, filters: Filters, before: int, first: int = 1) -> Iterator[Stored | Gap]:
    """Yield every replay that fits, the newest first, from below the row `before` down to the row `first`.

    Raises StoreError if the store cannot be read for any other reason than damage in places.
    """
    one_by_one = 0
    gap_end = None
    while before > first:
        try:
            found = store.find(filters, before, 1 if one_by_one else PAGE)
        except StoreError as error:
            if str(error) != DAMAGED or (gap_end is not None and gap_end - before > _GIVING_UP):
                raise
            if one_by_one:  # the fault is in the row below, or in one that it leads to
                gap_end = gap_end or before - 1
                before -= 1
            one_by_one = PAGE
            continue
        if gap_end is not None:
            yield Gap(before, gap_end)
            gap_end = None
        yield from [stored for stored in found if stored.row >= first]
        one_by_one = max(0, one_by_one - 1)
        before = found[-1].row if found else first
    if gap_end is not None:
        yield Gap(first, gap_end)
