"""The consequences of a hand: the result of every seat, and what follows for the game or the pot."""

from collections.abc import Mapping

from msgspec import Struct

from engine import rulebook
from engine.counting import in_points
from engine.showing import Showing
from schemas.ruling import Citation, SeatResult, Status


class Consequences(Struct):
    """What a hand costs: the results by seat, and what follows for the game."""

    results: tuple[SeatResult, ...]
    citations: list[Citation]
    game_over: bool = False
    winners: tuple[int, ...] = ()
    next_dealer: int | None = None
    play_again: bool = False
    pot_winners: tuple[int, ...] | None = None


def next_dealer(showing: Showing, left: list[int], citations: list[Citation]) -> int | None:
    """Return the next seat clockwise that is still in, and cite it; None where no dealer is known."""
    dealer = showing.dealer
    if dealer is None:
        return None
    passes_to = next((seat for seat in left if seat > dealer), left[0])
    citations.append(showing.clerk.cite(rulebook.DEAL_PASSES, passes_to, player=showing.clerk.name(passes_to)))
    return passes_to


def results(showing: Showing, changes: Mapping[int, int], status: Mapping[int, Status]) -> tuple[SeatResult, ...]:
    """Return each player's result, from what changed and what became of them."""
    found = []
    for seat, player in enumerate(showing.players, start=1):
        own, before, change = showing.worth[seat], player.lives, changes.get(seat, 0)
        found.append(
            SeatResult(
                seat,
                own.cards,
                in_points(own.half_points),
                own.counted,
                own.counts_as,
                before,
                change,
                max(before + change, 0) if change else before,
                status[seat],
            )
        )
    return tuple(found)
