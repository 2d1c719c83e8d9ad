"""Who loses how many lives: the lowest hand, a knocker, or everyone who did not show 31."""

from collections.abc import Sequence
from typing import assert_never

from engine import rulebook
from engine.clerk import Clerk
from engine.readings import empty_stock
from engine.showing import Showing
from engine.wording import are, listed, lives, points
from schemas.rules import STOCK_OPTIONS, StockRules
from schemas.ruling import Citation

Losses = dict[int, int]
"""Lives that the rules take, by seat; players who lose none are not in it."""

_MOST_ON_31 = max(answer.answer for answer in STOCK_OPTIONS["knocker_on_31"].answers if isinstance(answer.answer, int))
"""Lives that a knocker can lose to a 31: who loses as many anyway does not lose them for having knocked."""


_MOST_FOR_KNOCKING = max(
    answer.answer
    for option in ("knocker_alone", "knocker_on_31")
    for answer in STOCK_OPTIONS[option].answers
    if isinstance(answer.answer, int)
)


def most_lost(held: int, rules: StockRules) -> int:
    """Return the most lives that a hand can take at any table with this cost of a 31, from a player with so many."""
    match rules.thirty_one_cost:
        case "one":
            return _MOST_FOR_KNOCKING
        case "all":
            return max(_MOST_FOR_KNOCKING, held)
        case unknown:
            assert_never(unknown)


def lives_lost(showing: Showing, rules: StockRules, citations: list[Citation]) -> Losses:
    """Return the lives that the rules take from each player, and cite what decides it."""
    if showing.ending.by == "thirty_one":
        return _losses_to_31(showing, rules, citations)
    if showing.ending.by == "stock_exhausted" and not empty_stock(rules).hands_are_compared:
        return {}
    lowest, group = showing.lowest()
    knocker = showing.knocker
    if knocker is None or knocker not in group:
        return _losses_of_others(showing, group, lowest, rules, citations)
    if len(group) == 1:
        return _loss_of_knocker(showing, knocker, lowest, rules, citations)
    return _losses_in_knocker_tie(showing, knocker, group, rules, citations)


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
    showing: Showing, knocker: int, group: list[int], rules: StockRules, citations: list[Citation]
) -> Losses:
    clerk = showing.clerk
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
            knocker=clerk.name(knocker),
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
    citations.append(
        clerk.cite(
            rulebook.COST_OF_31,
            *losers,
            option="thirty_one_cost" if matters else None,
            what=_phrase([(seat, losses[seat]) for seat in losers], clerk),
        )
    )
    if knocker is not None and losses.get(knocker, _MOST_ON_31) < _MOST_ON_31:
        more = rules.knocker_on_31 > losses[knocker]
        losses[knocker] = max(losses[knocker], rules.knocker_on_31)
        what = f"so loses {lives(losses[knocker])} instead" if more else "which costs no more"
        citations.append(clerk.cite(rulebook.KNOCKER_ON_31, knocker, knocker=clerk.name(knocker), what=what))
    return losses


def _what_follows(clerk: Clerk, losses: Losses, safe: Sequence[int] = ()) -> str:
    """Return a clause on who is safe and who loses how much: "Ben is safe and Ana loses 1 life"."""
    clauses = [f"{clerk.names(safe)} {are(safe)} safe"] if safe else []
    for lost in sorted(set(losses.values()), reverse=True):
        seats = [seat for seat in losses if losses[seat] == lost]
        loses = f"loses {lives(lost)}" if len(seats) == 1 else f"lose {lives(lost)} each"
        clauses.append(f"{clerk.names(seats)} {loses}")
    return listed(clauses) if clauses else "nobody loses a life"


def _phrase(losses: list[tuple[int, int]], clerk: Clerk) -> str:
    """Return what is taken from whom: "1 life each from Ana and Ben"."""
    clauses = []
    for lost in dict.fromkeys(lost for _, lost in losses):
        seats = [seat for seat, own in losses if own == lost]
        clauses.append(f"{lives(lost)}{' each' if len(seats) > 1 else ''} from {clerk.names(seats)}")
    return listed(clauses)
