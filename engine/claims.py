"""How a 31 ends a hand: shown or by itself, joined by others, or shown just after the hand had ended."""

from engine import rulebook
from engine.counting import Fate
from engine.ending import Ending, cite_last
from engine.readings import claim_of_31, dealt_31s_wait, is_only_top_hand
from engine.table import Table
from engine.thirty_one import (
    dealt_to_another,
    discarded_just_now,
    holds_31,
    lapsed,
    made_after_knock,
    made_just_now,
)
from schemas.hand import Declare
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


def shown_31(table: Table[RuleSet], seat: int) -> Ending:
    """Return the ending by a 31 that a player has just shown."""
    claims = [other for other in _unlapsed(table) if other != seat]
    return Ending("thirty_one", _cite_shown(table, seat), [seat], claims)


def held_31(table: Table[RuleSet], event: int | None) -> Ending | None:
    """Return the ending by 31s that take effect by themselves, or None if there is none."""
    holders = [] if table.bus_ride else [seat for seat in table.seats if holds_31(table, seat)]
    if not holders or not claim_of_31(table.rules).by_itself:
        return None
    if is_only_top_hand(table.rules, knocked=table.knocker is not None):
        return None
    held = table.clerk.cite(rulebook.HELD_31, *holders, event=event, players=table.clerk.names(holders))
    return Ending(
        "thirty_one",
        [held, *_cite_waited(table, holders), *_cite_after_knock(table)],
        holders,
        by_itself=True,
    )


def may_still_show(table: Table[RuleSet], seat: int) -> list[int]:
    """Return the player, in a list, if a 31 may still be shown right after the event that ended the hand."""
    knocked = table.knocker is not None
    if not holds_31(table, seat) or is_only_top_hand(table.rules, knocked=knocked):
        return []
    late = claim_of_31(table.rules).lapses and not made_just_now(table, seat)
    just_now = made_just_now(table, seat) or discarded_just_now(table, seat)
    return [seat] if just_now and not late else []


def hear_claims(table: Table[RuleSet], ending: Ending) -> Ending:
    """Judge the 31s that are shown directly after the end, and return the ending that they make or join."""
    while table.at < len(table.events):
        event = table.events[table.at]
        shows_again = isinstance(event, Declare) and ending.by_itself and event.seat in ending.holders
        if not isinstance(event, Declare) or not (shows_again or event.seat in ending.claims):
            break
        table.at += 1
        if not shows_again:
            ending = _joined(table, ending, event.seat)
    return ending


def fate_of_31(table: Table[RuleSet], ending: Ending, seat: int) -> Fate:
    """Return what becomes of a 31 that a player holds when the hand is over."""
    if not claim_of_31(table.rules).lapses or table.bus_ride or seat in ending.holders:
        return "counts"
    if ending.by == "first_knock":
        return "unclaimed" if seat == table.knocker else "never_late"
    if is_only_top_hand(table.rules, knocked=made_after_knock(table, seat)):
        return "top_hand"
    return "unclaimed"


def _joined(table: Table[RuleSet], ending: Ending, seat: int) -> Ending:
    if ending.by == "thirty_one":
        ending.holders.append(seat)
        ending.claims.remove(seat)
        ending.citations.append(cite_last(table, rulebook.JOINED, seat, player=table.clerk.name(seat)))
        ending.citations.extend(_cite_waited(table, [seat]))
        return ending
    return shown_31(table, seat)


def _unlapsed(table: Table[RuleSet]) -> list[int]:
    return [seat for seat in table.seats if holds_31(table, seat) and not lapsed(table, seat)]


def _cite_shown(table: Table[RuleSet], seat: int) -> list[Citation]:
    rule = rulebook.SHOWED_31 if isinstance(table.rules, StockRules) else rulebook.WINS_AT_ONCE
    shown = cite_last(table, rule, seat, player=table.clerk.name(seat))
    return [shown, *_cite_waited(table, [seat]), *_cite_after_knock(table)]


def _cite_waited(table: Table[RuleSet], seats: list[int]) -> list[Citation]:
    waited = [seat for seat in seats if dealt_to_another(table, seat)]
    if not waited or table.untouched or not dealt_31s_wait(table.rules):
        return []
    clerk = table.clerk
    return [cite_last(table, rulebook.WAITED_31, *waited, players=clerk.names(waited), first=clerk.name(table.first))]


def _cite_after_knock(table: Table[RuleSet]) -> list[Citation]:
    if table.knocker is None or isinstance(table.rules, WidowRules):
        return []
    knocker = table.clerk.name(table.knocker)
    return [cite_last(table, rulebook.ENDS_AFTER_KNOCK, table.knocker, knocker=knocker)]


def cite_no_waiting(table: Table[RuleSet], seat: int, event: int | None) -> Citation:
    """Return the citation that a dealt 31 does not wait, which depends on what a first knock does."""
    player, first = table.clerk.name(seat), table.clerk.name(table.first)
    return table.clerk.cite(rulebook.NEED_NOT_WAIT, seat, event=event, player=player, first=first)
