"""Who loses which lives: the settlement of a hand that has ended, in the form played for lives."""

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from msgspec import Struct

from engine import rulebook
from engine.counting import in_points
from engine.endings import Ending
from engine.rulebook import Clerk, listed, lives, points
from engine.valuation import Worth
from schemas.hand import Player, ShownPlayer
from schemas.rules import StockRules
from schemas.ruling import Citation, SeatResult

Status = Literal["in", "county", "out"]


class Showing(Struct):
    """Everything that a settlement looks at: who held what, and how the hand ended."""

    players: Sequence[Player | ShownPlayer]
    worth: Mapping[int, Worth]
    """What each hand counts, by seat."""
    ending: Ending
    knocker: int | None
    dealer: int | None
    clerk: Clerk


class Outcome(Struct):
    """What a hand costs: the results by seat, and what follows for the game."""

    results: tuple[SeatResult, ...]
    citations: list[Citation]
    game_over: bool = False
    winners: tuple[int, ...] = ()
    next_dealer: int | None = None
    play_again: bool = False
    pot_winners: tuple[int, ...] | None = None


Losses = dict[int, int]
"""Lives that the rules take, by seat; players who lose none are not in it."""


def settle(showing: Showing, rules: StockRules) -> Outcome:
    """Return what the hand costs each player, and what becomes of the game."""
    citations: list[Citation] = []
    if showing.ending.by == "bus_ride":
        return Outcome(results(showing, {1: 0}, {1: "out"}), citations)
    losses = _losses(showing, rules, citations)
    status = _status(showing, losses, rules, citations)
    if all(after == "out" for after in status.values()):
        return _everyone_out(showing, losses, status, rules, citations)
    changes = {seat: -lost for seat, lost in losses.items()}
    _redeem(showing, changes, status, rules, citations)
    by_seat = results(showing, changes, status)
    left = [seat for seat, after in status.items() if after != "out"]
    if len(left) == 1:
        citations.append(showing.clerk.cite(rulebook.GAME_WON, *left, player=showing.clerk.name(left[0])))
        return Outcome(by_seat, citations, game_over=True, winners=(left[0],))
    return Outcome(by_seat, citations, next_dealer=next_dealer(showing, left, citations))


def _losses(showing: Showing, rules: StockRules, citations: list[Citation]) -> Losses:
    if showing.ending.by == "thirty_one":
        return _losses_to_31(showing, rules, citations)
    if showing.ending.by == "stock_exhausted" and rules.stock_exhausted == "no_loser":
        return {}
    lowest = min(own.half_points for own in showing.worth.values())
    group = [seat for seat, own in showing.worth.items() if own.half_points == lowest]
    if showing.knocker not in group:
        return _losses_of_others(showing, group, lowest, rules, citations)
    if len(group) == 1:
        return _loss_of_knocker(showing, group[0], lowest, rules, citations)
    return _losses_in_knocker_tie(showing, group, rules, citations)


def _losses_of_others(
    showing: Showing, group: list[int], lowest: int, rules: StockRules, citations: list[Citation]
) -> Losses:
    clerk = showing.clerk
    if len(group) == 1:
        lowest_alone = clerk.cite(
            rulebook.LOWEST, group[0], player=clerk.name(group[0]), points=points(lowest), lives=lives(1)
        )
        citations.append(lowest_alone)
        return {group[0]: 1}
    losses: Losses
    match rules.lowest_tie:
        case "all_lose":
            losses = dict.fromkeys(group, 1)
        case "nobody":
            losses = {}
        case unknown:
            assert_never(unknown)
    citations.append(
        clerk.cite(
            rulebook.LOWEST_TIE,
            *group,
            players=clerk.names(group),
            points=points(lowest),
            what=_what_follows(clerk, losses),
        )
    )
    return losses


def _loss_of_knocker(
    showing: Showing, knocker: int, lowest: int, rules: StockRules, citations: list[Citation]
) -> Losses:
    lost = rules.knocker_alone
    citations.append(
        showing.clerk.cite(
            rulebook.KNOCKER_ALONE,
            knocker,
            knocker=showing.clerk.name(knocker),
            points=points(lowest),
            lives=lives(lost),
        )
    )
    return {knocker: lost}


def _losses_in_knocker_tie(
    showing: Showing, group: list[int], rules: StockRules, citations: list[Citation]
) -> Losses:
    clerk, knocker = showing.clerk, showing.knocker
    others = [seat for seat in group if seat != knocker]
    match rules.knocker_tie:
        case "safe":
            for_knocker, for_others = 0, 1
        case "shares":
            for_knocker, for_others = 1, 1
        case "double":
            for_knocker, for_others = 2, 1
        case "only_one":
            for_knocker, for_others = 1, 0
        case "only_two":
            for_knocker, for_others = 2, 0
        case unknown:
            assert_never(unknown)
    losses = {seat: for_knocker if seat == knocker else for_others for seat in group}
    losses = {seat: lost for seat, lost in losses.items() if lost}
    safe = [seat for seat in group if seat not in losses]
    citations.append(
        clerk.cite(
            rulebook.KNOCKER_TIE,
            *group,
            knocker=clerk.name(knocker) if knocker else "",
            others=clerk.names(others),
            what=_what_follows(clerk, losses, safe),
        )
    )
    return losses


def _losses_to_31(showing: Showing, rules: StockRules, citations: list[Citation]) -> Losses:
    clerk, holders, knocker = showing.clerk, showing.ending.holders, showing.knocker
    losers = [seat for seat in showing.worth if seat not in holders]
    if not losers:
        citations.append(clerk.cite(rulebook.NOBODY_ELSE, *showing.worth))
        return {}
    losses: Losses
    match rules.thirty_one_cost:
        case "one":
            losses = dict.fromkeys(losers, 1)
        case "all":
            losses = {seat: max(showing.players[seat - 1].lives, 1) for seat in losers}
        case unknown:
            assert_never(unknown)
    matters = any(showing.players[seat - 1].lives > 1 for seat in losers)
    costs_knocker_more = knocker in losses and losses[knocker] < 2  # noqa: PLR2004 - the most a knocker can lose
    citations.append(
        clerk.cite(
            rulebook.COST_OF_31,
            *losers,
            option="thirty_one_cost" if matters else None,
            what=_phrase([(seat, losses[seat]) for seat in losers], clerk),
        )
    )
    if costs_knocker_more and knocker is not None:
        losses[knocker] = max(losses[knocker], rules.knocker_on_31)
        citations.append(
            clerk.cite(
                rulebook.KNOCKER_ON_31, knocker, knocker=clerk.name(knocker), lives=lives(losses[knocker])
            )
        )
    return losses


def _status(
    showing: Showing, losses: Losses, rules: StockRules, citations: list[Citation]
) -> dict[int, Status]:
    """Return what becomes of each player if the losses stand."""
    clerk = showing.clerk
    status: dict[int, Status] = {}
    last_lives, from_county = [], []
    for seat, player in enumerate(showing.players, start=1):
        lost = losses.get(seat, 0)
        if lost < player.lives:
            status[seat] = "in"
        elif not lost:
            status[seat] = "county"
        elif not player.lives:
            status[seat] = "out"
            from_county.append(seat)
        elif lost == player.lives:
            status[seat] = "county" if rules.county == "all" else "out"
            last_lives.append(seat)
        else:
            status[seat] = _beyond(showing, seat, lost, rules, citations)
    if last_lives:
        where = "on the county" if rules.county == "all" else "out"
        what = f"{_are(last_lives)} {where}"
        citations.append(
            clerk.cite(rulebook.LAST_LIFE, *last_lives, players=clerk.names(last_lives), what=what)
        )
    if from_county:
        citations.append(
            clerk.cite(
                rulebook.COUNTY_OUT, *from_county, players=clerk.names(from_county), what=_are(from_county)
            )
        )
    return status


def _beyond(showing: Showing, seat: int, lost: int, rules: StockRules, citations: list[Citation]) -> Status:
    """Return what becomes of a player with lives who must lose more than are left."""
    clerk = showing.clerk
    held = lives(showing.players[seat - 1].lives)
    if rules.county == "none":
        citations.append(
            clerk.cite(rulebook.BEYOND_OUT, seat, player=clerk.name(seat), lost=lives(lost), held=held)
        )
        return "out"
    what = "is out" if rules.loss_beyond_lives == "out" else "is on the county"
    citations.append(
        clerk.cite(rulebook.BEYOND, seat, player=clerk.name(seat), lost=lives(lost), held=held, what=what)
    )
    return rules.loss_beyond_lives


def _everyone_out(
    showing: Showing,
    losses: Losses,
    status: dict[int, Status],
    rules: StockRules,
    citations: list[Citation],
) -> Outcome:
    clerk = showing.clerk
    seats = tuple(status)
    match rules.everyone_out:
        case "play_again":
            what = "nobody loses and it is played again"
        case "shared_win":
            what = "they share the win"
        case "no_winner":
            what = "nobody wins"
        case unknown:
            assert_never(unknown)
    citations.append(clerk.cite(rulebook.EVERYONE_OUT, *seats, what=what))
    if rules.everyone_out == "play_again":
        still: dict[int, Status] = {
            seat: "in" if player.lives else "county" for seat, player in enumerate(showing.players, start=1)
        }
        return Outcome(results(showing, {}, still), citations, next_dealer=showing.dealer, play_again=True)
    changes = {seat: -lost for seat, lost in losses.items()}
    winners = seats if rules.everyone_out == "shared_win" else ()
    return Outcome(results(showing, changes, status), citations, game_over=True, winners=winners)


def _redeem(
    showing: Showing,
    changes: dict[int, int],
    status: dict[int, Status],
    rules: StockRules,
    citations: list[Citation],
) -> None:
    """Give a life back to those who won one in this hand."""
    if rules.redemption == "none":
        return
    clerk = showing.clerk
    last_chance = 0 if rules.county == "all" else 1
    for seat, how in _best_hands(showing, rules):
        player = showing.players[seat - 1]
        if player.lives != last_chance or player.redeemed:
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
    if showing.ending.by == "stock_exhausted" and rules.stock_exhausted == "no_loser":
        return []
    highest = max(own.half_points for own in showing.worth.values())
    best = [seat for seat, own in showing.worth.items() if own.half_points == highest]
    return [(seat, "had the only highest hand") for seat in best] if len(best) == 1 else []


def next_dealer(showing: Showing, left: list[int], citations: list[Citation]) -> int | None:
    """Return the next seat clockwise that is still in, and cite it; None where no dealer is known."""
    dealer = showing.dealer
    if dealer is None:
        return None
    passes_to = next((seat for seat in left if seat > dealer), left[0])
    citations.append(
        showing.clerk.cite(rulebook.DEAL_PASSES, passes_to, player=showing.clerk.name(passes_to))
    )
    return passes_to


def results(
    showing: Showing, changes: Mapping[int, int], status: Mapping[int, Status]
) -> tuple[SeatResult, ...]:
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


def _what_follows(clerk: Clerk, losses: Losses, safe: Sequence[int] = ()) -> str:
    """Return a clause on who is safe and who loses how much: "Ben is safe and Ana loses 1 life"."""
    clauses = [f"{clerk.names(safe)} {_are(safe)} safe"] if safe else []
    for lost in sorted(set(losses.values()), reverse=True):
        seats = [seat for seat in losses if losses[seat] == lost]
        loses = f"loses {lives(lost)}" if len(seats) == 1 else f"lose {lives(lost)} each"
        clauses.append(f"{clerk.names(seats)} {loses}")
    return listed(clauses) if clauses else "nobody loses a life"


def _phrase(losses: list[tuple[int, int]], clerk: Clerk) -> str:
    """Return who pays how much: "Ana and Ben 1 life each"."""
    clauses = []
    for lost in dict.fromkeys(lost for _, lost in losses):
        seats = [seat for seat, own in losses if own == lost]
        clauses.append(f"{clerk.names(seats)} {lives(lost)}{' each' if len(seats) > 1 else ''}")
    return listed(clauses)


def _are(seats: Sequence[int]) -> str:
    return "is" if len(seats) == 1 else "are"
