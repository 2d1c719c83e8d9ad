"""The settlement of a hand that has ended, in the form played for lives."""

from typing import assert_never

from engine import rulebook
from engine.consequences import Consequences, next_dealer, results
from engine.lives import redeem, status_after, unharmed
from engine.losses import Losses, lives_lost
from engine.showing import Showing
from schemas.rules import StockRules
from schemas.ruling import Citation, Status


def settle(showing: Showing, rules: StockRules) -> Consequences:
    """Return what the hand costs each player, and what becomes of the game."""
    citations: list[Citation] = []
    if showing.ending.by == "bus_ride":
        return Consequences(results(showing, {1: 0}, {1: "out"}), citations)
    return follow(showing, lives_lost(showing, rules, citations), rules, citations)


def follow(showing: Showing, losses: Losses, rules: StockRules, citations: list[Citation]) -> Consequences:
    """Return what follows from these losses, for each player and for the game; `citations` say how they came about."""
    status = status_after(showing, losses, rules, citations)
    if "in" not in status.values() and "county" not in status.values():
        return _everyone_out(showing, losses, status, rules, citations)
    changes = {seat: -lost for seat, lost in losses.items()}
    redeem(showing, changes, status, rules, citations)
    by_seat = results(showing, changes, status)
    left = [seat for seat, after in status.items() if after != "out"]
    if len(left) == 1:
        citations.append(showing.clerk.cite(rulebook.GAME_WON, *left, player=showing.clerk.name(left[0])))
        return Consequences(by_seat, citations, game_over=True, winners=(left[0],))
    return Consequences(by_seat, citations, next_dealer=next_dealer(showing, left, citations))


def _everyone_out(
    showing: Showing,
    losses: Losses,
    status: dict[int, Status],
    rules: StockRules,
    citations: list[Citation],
) -> Consequences:
    clerk, seats = showing.clerk, tuple(status)
    winners: tuple[int, ...]
    match rules.everyone_out:
        case "play_again":
            what = "those losses do not count and it is played again"
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
    return Consequences(results(showing, changes, status), citations, game_over=True, winners=winners)


def _played_again(showing: Showing, citations: list[Citation]) -> Consequences:
    """Return the consequences of a hand that counts for nothing: the same dealer deals again."""
    by_seat = results(showing, {}, unharmed(showing))
    return Consequences(by_seat, citations, next_dealer=showing.dealer, play_again=True)
