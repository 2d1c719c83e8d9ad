"""The showing: what everyone held when the hand was over, and how it ended."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from engine.clerk import Clerk
from engine.ending import Ending
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

    def lowest(self) -> tuple[int, list[int]]:
        """Return the lowest value, in half points, and the seats that have it."""
        return self._with_value(min)

    def highest(self) -> tuple[int, list[int]]:
        """Return the highest value, in half points, and the seats that have it."""
        return self._with_value(max)

    def _with_value(self, choose: Callable[[list[int]], int]) -> tuple[int, list[int]]:
        value = choose([own.half_points for own in self.worth.values()])
        return value, [seat for seat, own in self.worth.items() if own.half_points == value]
