"""The settlement of a hand that has ended, in the form played for lives."""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct

from engine import rulebook
from engine.counting import in_points
from engine.lives import Status, redeem, status_after, unharmed
from engine.losses import Losses, lives_lost
from engine.showing import Showing
from schemas.rules import StockRules
from schemas.ruling import Citation, SeatResult


class Outcome(Struct):
    """What a hand costs: the results by seat, and what follows for the game."""

    results: tuple[SeatResult, ...]
    citations: list[Citation]
    game_over: bool = False
    winners: tuple[int, ...] = ()
    next_dealer: int | None = None
    play_again: bool = False
    pot_winners: tuple[int, ...] | None = None


def settle(showing: Showing, rules: StockRules) -> Outcome:
    """Return what the hand costs each player, and what becomes of the game."""
    citations: list[Citation] = []
    if showing.ending.by == "bus_ride":
        return Outcome(results(showing, {1: 0}, {1: "out"}), citations)
    losses = lives_lost(showing, rules, citations)
    status = status_after(showing, losses, rules, citations)
    if "in" not in status.values() and "county" not in status.values():
        return _everyone_out(showing, losses, status, rules, citations)
    changes = {seat: -lost for seat, lost in losses.items()}
    redeem(showing, changes, status, rules, citations)
    by_seat = results(showing, changes, status)
    left = [seat for seat, after in status.items() if after != "out"]
    if len(left) == 1:
        citations.append(showing.clerk.cite(rulebook.GAME_WON, *left, player=showing.clerk.name(left[0])))
        return Outcome(by_seat, citations, game_over=True, winners=(left[0],))
    return Outcome(by_seat, citations, next_dealer=next_dealer(showing, left, citations))


def _everyone_out(
    showing: Showing,
    losses: Losses,
    status: dict[int, Status],
    rules: StockRules,
    citations: list[Citation],
) -> Outcome:
    clerk, seats = showing.clerk, tuple(status)
    winners: tuple[int, ...]
    match rules.everyone_out:
        case "play_again":
            what = "nobody loses and it is played again"
            citations.append(clerk.cite(rulebook.EVERYONE_OUT, *seats, what=what))
            return _played_again(showing, citations)
        case "shared_win":
            winners, what = seats, "they share the win"
        case "no_winner":
            winners, what = (), "nobody wins"
        case unknown:
            assert_never(unknown)
    citations.append(clerk.cite(rulebook.EVERYONE_OUT, *seats, what=what))
    changes = {seat: -lost for seat, lost in losses.items()}
    return Outcome(results(showing, changes, status), citations, game_over=True, winners=winners)


def _played_again(showing: Showing, citations: list[Citation]) -> Outcome:
    """Return the outcome of a hand that counts for nothing: the same dealer deals again."""
    by_seat = results(showing, {}, unharmed(showing))
    return Outcome(by_seat, citations, next_dealer=showing.dealer, play_again=True)


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
        own, change = showing.worth[seat], changes.get(seat, 0)
        found.append(
            SeatResult(
                seat,
                own.cards,
                in_points(own.half_points),
                own.counted,
                own.counts_as,
                player.lives,
                change,
                max(player.lives + change, 0),
                status[seat],
            )
        )
    return tuple(found)
