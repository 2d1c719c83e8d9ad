"""What losses do: the county, going out, and winning a life back."""

from typing import assert_never

from engine import rulebook
from engine.losses import Losses
from engine.readings import empty_stock, has_county, last_chance
from engine.showing import Showing
from engine.wording import are, lives
from schemas.rules import StockRules
from schemas.ruling import Citation, Status


def unharmed(showing: Showing) -> dict[int, Status]:
    """Return what the players are who lose nothing: in with lives, on the county without."""
    return {seat: "in" if player.lives else "county" for seat, player in enumerate(showing.players, start=1)}


def status_after(showing: Showing, losses: Losses, rules: StockRules, citations: list[Citation]) -> dict[int, Status]:
    """Return what becomes of each player if the losses stand, and cite what decides it."""
    clerk = showing.clerk
    status = unharmed(showing)
    last_lives, from_county = [], []
    for seat, lost in losses.items():
        held = showing.players[seat - 1].lives
        if not held:
            status[seat] = "out"
            from_county.append(seat)
        elif lost == held:
            status[seat] = "county" if has_county(rules) else "out"
            last_lives.append(seat)
        elif lost > held:
            status[seat] = _beyond(showing, seat, lost, rules, citations)
    if last_lives:
        where = "on the county" if has_county(rules) else "out"
        what = f"{are(last_lives)} {where}"
        citations.append(clerk.cite(rulebook.LAST_LIFE, *last_lives, players=clerk.names(last_lives), what=what))
    if from_county:
        citations.append(
            clerk.cite(rulebook.COUNTY_OUT, *from_county, players=clerk.names(from_county), what=are(from_county))
        )
    return status


def _beyond(showing: Showing, seat: int, lost: int, rules: StockRules, citations: list[Citation]) -> Status:
    """Return what becomes of a player with lives who must lose more than are left."""
    clerk = showing.clerk
    held = lives(showing.players[seat - 1].lives)
    if not has_county(rules):
        citations.append(clerk.cite(rulebook.BEYOND_OUT, seat, player=clerk.name(seat), lost=lives(lost), held=held))
        return "out"
    after: Status
    match rules.loss_beyond_lives:
        case "out":
            after, what = "out", "is out"
        case "county":
            after, what = "county", "is on the county"
        case unknown:
            assert_never(unknown)
    citations.append(clerk.cite(rulebook.BEYOND, seat, player=clerk.name(seat), lost=lives(lost), held=held, what=what))
    return after


def redeem(
    showing: Showing,
    changes: dict[int, int],
    status: dict[int, Status],
    rules: StockRules,
    citations: list[Citation],
) -> None:
    """Give a life back, in `changes` and `status`, to those who won one in this hand."""
    if not any(player.lives <= 1 and not player.redeemed for player in showing.players):
        return
    match rules.redemption:
        case "none":
            return
        case "best_hand":
            best = _best_hands(showing, rules)
        case unknown:
            assert_never(unknown)
    clerk = showing.clerk
    brink = last_chance(rules)
    for seat, how in best:
        player = showing.players[seat - 1]
        if player.lives != brink or player.redeemed:
            continue
        name = clerk.name(seat)
        citations.append(clerk.cite(rulebook.LAST_CHANCE, seat, player=name))
        if player.lives >= rules.lives:
            citations.append(clerk.cite(rulebook.REDEMPTION_CAP, seat, player=name, lives=lives(rules.lives)))
            continue
        citations.append(clerk.cite(rulebook.REDEEMED, seat, player=name, how=how))
        changes[seat] = 1
        status[seat] = "in"


def _best_hands(showing: Showing, rules: StockRules) -> list[tuple[int, str]]:
    """Return who may win a life back, and by what."""
    if showing.ending.by == "thirty_one":
        return [(seat, "showed 31") for seat in sorted(showing.ending.holders)]
    if showing.ending.by == "stock_exhausted" and not empty_stock(rules).hands_are_compared:
        return []
    _, best = showing.highest()
    return [(seat, "had the only highest hand") for seat in best] if len(best) == 1 else []
