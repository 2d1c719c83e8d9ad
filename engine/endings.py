"""When a hand is over, and why. A hand ends with the deal, with an event, or by a 31 shown just after the end."""

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from msgspec import Struct

from engine import rulebook
from engine.counting import Fate
from engine.rulebook import Rule, counted
from engine.table import Table
from engine.thirty_one import (
    dealt_31s_wait,
    dealt_to_another,
    discarded_just_now,
    holds_31,
    is_only_top_hand,
    lapsed,
    made_after_knock,
    made_just_now,
)
from schemas.hand import Declare, Discard, Event, Exchange, Knock, Stand
from schemas.rules import StockRules, WidowRules
from schemas.ruling import Citation, EndedBy


class Ending(Struct):
    """How a hand ended: what ended it, who showed or held a 31, and who may still show one."""

    by: EndedBy
    citations: list[Citation]
    holders: list[int] = []
    """The players who are safe because they showed a 31, or hold one where it takes effect by itself."""
    claims: list[int] = []
    """The players who could still show a 31 that changes the result."""
    echoes: list[int] = []
    """The players whose 31 has taken effect by itself and who may still show it, which changes nothing."""


def ended_by_deal(table: Table) -> Ending | None:
    """Return the ending of a hand that was over before anyone played, or None."""
    if not table.automatic:
        return None
    first_holds = holds_31(table, table.first)
    if dealt_31s_wait(table) and not first_holds:
        return None
    ending = _held_31(table, event=None)
    if ending and not first_holds:
        ending.citations.extend(cite_no_waiting(table, seat, None) for seat in ending.holders)
    return ending


def hear_claims(table: Table, ending: Ending, events: Sequence[Event]) -> Ending:
    """Return the ending after the 31s that are shown directly after it: they make or join a 31."""
    while table.at < len(events):
        event = events[table.at]
        if not isinstance(event, Declare) or event.seat not in (*ending.claims, *ending.echoes):
            break
        table.at += 1
        if event.seat in ending.claims:
            ending = _joined(table, ending, event.seat)
    return ending


def fate_of_31(table: Table, ending: Ending, seat: int) -> Fate:
    """Return what becomes of a 31 that a player holds when the hand is over."""
    rules = table.rules
    if isinstance(rules, WidowRules) or rules.thirty_one_claim != "at_once" or table.bus_ride:
        return "counts"
    if seat in ending.holders:
        return "counts"
    if ending.by == "first_knock":
        return "unclaimed" if seat == table.knocker else "never_late"
    if rules.thirty_one_after_knock == "top_hand" and made_after_knock(table, seat):
        return "top_hand"
    return "unclaimed"


def _after_discard(table: Table, event: Discard) -> Ending | None:
    if table.bus_ride:
        return _after_bus_turn(table, event.seat)
    if table.automatic and (held := _held_31(table, event=table.at - 1)):
        return held
    if table.knocker is not None:
        return _after_last_turn(table, event)
    if table.stock_left:
        return None
    return _after_last_stock_card(table, event)


def _after_last_stock_card(table: Table, event: Discard) -> Ending | None:
    rules = table.rules
    if isinstance(rules, WidowRules):
        return None
    match rules.stock_exhausted:
        case "discard_pile" | "reshuffle":
            return None
        case "showdown":
            rule = rulebook.STOCK_SHOWDOWN
        case "no_loser":
            rule = rulebook.STOCK_NO_LOSER
        case unknown:
            assert_never(unknown)
    return Ending(
        "stock_exhausted",
        [cite_stock(table, table.at - 1), _cite(table, rule)],
        claims=_may_still_show(table, event.seat),
    )


def _after_last_turn(table: Table, event: Discard | Stand | Exchange) -> Ending | None:
    if table.to_act != table.knocker:
        return None
    claims = _may_still_show(table, event.seat)
    knocked = table.clerk.cite(
        rulebook.KNOCKED, table.knocker, event=table.knocked_at, knocker=table.clerk.name(table.knocker)
    )
    return Ending("knock", [knocked], claims=claims)


def _after_knock(table: Table, event: Knock) -> Ending | None:
    match table.rules.first_knock:
        case "free" | "after_first_round":
            return None
        case "ends_hand":
            if table.turns_done > 1:
                return None
            knocked = _cite(table, rulebook.FIRST_KNOCK, event.seat, knocker=table.clerk.name(event.seat))
            return Ending("first_knock", [knocked])
        case unknown:
            assert_never(unknown)


def _after_stand(table: Table, event: Stand) -> Ending | None:
    player = table.clerk.name(event.seat)
    if table.bus_ride:
        return Ending("bus_ride", [_cite(table, rulebook.BUS_STOOD, event.seat, player=player)])
    if table.knocker is not None:
        return _after_last_turn(table, event)
    return Ending(
        "stock_exhausted",
        [cite_stock(table, table.at - 1), _cite(table, rulebook.DECLINED, event.seat, player=player)],
    )


def _after_exchange(table: Table, event: Exchange) -> Ending | None:
    return _after_last_turn(table, event)


def _after_bus_turn(table: Table, seat: int) -> Ending | None:
    if not isinstance(table.rules, StockRules) or table.turns_done < table.rules.ride_the_bus:
        return None
    player, draws = table.clerk.name(seat), counted(table.turns_done, "draw")
    return Ending("bus_ride", [_cite(table, rulebook.BUS_DRAWS, seat, player=player, draws=draws)])


def _after_declare(table: Table, event: Declare) -> Ending | None:
    if is_only_top_hand(table):
        return None
    claims = [seat for seat in _unlapsed(table) if seat != event.seat]
    return Ending("thirty_one", _cite_shown(table, event.seat), [event.seat], claims)


def _held_31(table: Table, event: int | None) -> Ending | None:
    """Return the ending by 31s that take effect by themselves, or None if nobody holds one."""
    if table.bus_ride or is_only_top_hand(table):
        return None
    holders = [seat for seat in table.seats if holds_31(table, seat)]
    if not holders:
        return None
    held = table.clerk.cite(rulebook.HELD_31, *holders, event=event, players=table.clerk.names(holders))
    return Ending(
        "thirty_one",
        [held, *_cite_waited(table, holders), *_cite_after_knock(table)],
        holders,
        echoes=list(holders),
    )


def _joined(table: Table, ending: Ending, seat: int) -> Ending:
    if ending.by == "thirty_one":
        ending.holders.append(seat)
        ending.claims.remove(seat)
        ending.citations.append(_cite(table, rulebook.JOINED, seat, player=table.clerk.name(seat)))
        ending.citations.extend(_cite_waited(table, [seat]))
        return ending
    claims = [other for other in _unlapsed(table) if other != seat]
    return Ending("thirty_one", _cite_shown(table, seat), [seat], claims)


def _unlapsed(table: Table) -> list[int]:
    return [seat for seat in table.seats if holds_31(table, seat) and not lapsed(table, seat)]


def _may_still_show(table: Table, seat: int) -> list[int]:
    """Return the player, in a list, if a 31 may still be shown right after the event that ended the hand."""
    if not holds_31(table, seat) or is_only_top_hand(table):
        return []
    rules = table.rules
    in_time = made_just_now(table, seat)
    if isinstance(rules, StockRules) and rules.thirty_one_claim == "optional":
        in_time = discarded_just_now(table, seat)
    return [seat] if in_time else []


def _cite_shown(table: Table, seat: int) -> list[Citation]:
    rule = rulebook.SHOWED_31 if isinstance(table.rules, StockRules) else rulebook.WINS_AT_ONCE
    shown = _cite(table, rule, seat, player=table.clerk.name(seat))
    return [shown, *_cite_waited(table, [seat]), *_cite_after_knock(table)]


def _cite_waited(table: Table, seats: list[int]) -> list[Citation]:
    waited = [seat for seat in seats if dealt_to_another(table, seat)]
    if not waited or not dealt_31s_wait(table) or table.untouched:
        return []
    clerk = table.clerk
    return [
        _cite(table, rulebook.WAITED_31, *waited, players=clerk.names(waited), first=clerk.name(table.first))
    ]


def _cite_after_knock(table: Table) -> list[Citation]:
    if table.knocker is None or isinstance(table.rules, WidowRules):
        return []
    knocker = table.clerk.name(table.knocker)
    return [_cite(table, rulebook.ENDS_AFTER_KNOCK, table.knocker, knocker=knocker)]


def cite_no_waiting(table: Table, seat: int, event: int | None) -> Citation:
    """Return the citation that a dealt 31 does not wait, which depends on what a first knock does."""
    player, first = table.clerk.name(seat), table.clerk.name(table.first)
    return table.clerk.cite(rulebook.NEED_NOT_WAIT, seat, event=event, player=player, first=first)


def cite_stock(table: Table, event: int) -> Citation:
    """Return the citation, at an event, that the stock is used up: it depends on the jokers in the pack."""
    pack = counted(len(table.pack), "card")
    return table.clerk.cite(
        rulebook.STOCK_USED_UP, event=event, count=table.stock_size, pack=f"a pack of {pack}"
    )


def _cite(table: Table, rule: Rule, *seats: int, **facts: str) -> Citation:
    return table.clerk.cite(rule, *seats, event=table.at - 1, **facts)


End = Callable[[Table, Any], Ending | None]

ENDINGS: dict[type[Event], End] = {
    Discard: _after_discard,
    Knock: _after_knock,
    Declare: _after_declare,
    Stand: _after_stand,
    Exchange: _after_exchange,
}
