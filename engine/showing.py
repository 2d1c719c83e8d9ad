"""The showing: what everyone held when the hand was over, and how it ended."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.claims import Ending
from engine.clerk import Clerk
from engine.valuation import Worth
from schemas.hand import Player, ShownPlayer


class Showing(Struct):
    """Everything that a settlement looks at: who held what, and how the hand ended."""

    players: Sequence[Player | ShownPlayer]
    worth: Mapping[int, Worth]
    """What each hand counts, by seat."""
    ending: Ending
    knocker: int | None
    dealer: int | None
    clerk: Clerk
