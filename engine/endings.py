"""When a hand is over, and why: it ends with the deal or with an event."""

from collections.abc import Callable
from typing import Any

from engine import rulebook
from engine.claims import cite_no_waiting, held_31, may_still_show, shown_31
from engine.ending import Ending, cite_last
from engine.readings import dealt_31s_wait, empty_stock, first_knock, is_only_top_hand
from engine.table import Table
from engine.thirty_one import holds_31
from engine.wording import counted
from schemas.hand import Declare, Discard, Event, Exchange, Knock, Stand
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation


def ended_by_deal(table: Table[RuleSet]) -> Ending | None:
    """Return the ending of a hand that was over before anyone played, or None."""
    if not table.automatic:
        return None
    ending, first_holds = held_31(table, event=None), holds_31(table, table.first)
    if ending and not first_holds and dealt_31s_wait(table.rules):
        return None
    if ending and not first_holds:
        ending.citations.extend(cite_no_waiting(table, seat, None) for seat in ending.holders)
    return ending


def _after_discard(table: Table[StockRules], event: Discard) -> Ending | None:
    if table.bus_ride:
        return _after_bus_turn(table, event.seat)
    if table.automatic and (held := held_31(table, event=table.at - 1)):
        return held
    if table.knocker is not None:
        return _after_last_turn(table, event)
    if table.unseen:
        return None
    return _after_last_stock_card(table, event)


def _after_last_stock_card(table: Table[StockRules], event: Discard) -> Ending | None:
    stock = empty_stock(table.rules)
    if stock.then != "end":
        return None
    rule = rulebook.STOCK_SHOWDOWN if stock.hands_are_compared else rulebook.STOCK_NO_LOSER
    return Ending(
        "stock_exhausted",
        [cite_stock(table, table.at - 1), cite_last(table, rule)],
        claims=may_still_show(table, event.seat),
    )


def _after_last_turn(table: Table[RuleSet], event: Discard | Stand | Exchange) -> Ending | None:
    if table.to_act != table.knocker:
        return None
    claims = may_still_show(table, event.seat)
    knocked = table.clerk.cite(
        rulebook.KNOCKED, table.knocker, event=table.knocked_at, knocker=table.clerk.name(table.knocker)
    )
    return Ending("knock", [knocked], claims=claims)


def _after_knock(table: Table[RuleSet], event: Knock) -> Ending | None:
    if table.turns_done > 1 or not first_knock(table.rules).ends_hand:
        return None
    knocked = cite_last(table, rulebook.FIRST_KNOCK, event.seat, knocker=table.clerk.name(event.seat))
    return Ending("first_knock", [knocked])


def _after_stand(table: Table[RuleSet], event: Stand) -> Ending | None:
    player = table.clerk.name(event.seat)
    if table.bus_ride:
        return Ending("bus_ride", [cite_last(table, rulebook.BUS_STOOD, event.seat, player=player)])
    if table.knocker is not None:
        return _after_last_turn(table, event)
    return Ending(
        "stock_exhausted",
        [cite_stock(table, table.at - 1), cite_last(table, rulebook.DECLINED, event.seat, player=player)],
    )


def _after_declare(table: Table[RuleSet], event: Declare) -> Ending | None:
    return None if is_only_top_hand(table.rules, knocked=table.knocker is not None) else shown_31(table, event.seat)


def _after_bus_turn(table: Table[StockRules], seat: int) -> Ending | None:
    if table.turns_done < table.rules.ride_the_bus:
        return None
    player, draws = table.clerk.name(seat), counted(table.turns_done, "draw")
    return Ending("bus_ride", [cite_last(table, rulebook.BUS_DRAWS, seat, player=player, draws=draws)])


def cite_stock(table: Table[RuleSet], event: int) -> Citation:
    """Return the citation, at an event, that the stock is used up: it depends on the jokers in the pack."""
    pack = len(table.pack)
    return table.clerk.cite(rulebook.STOCK_USED_UP, event=event, count=table.stock_size, pack=pack)


End = Callable[[Table[Any], Any], Ending | None]

ENDINGS: dict[type[Event], End] = {
    Discard: _after_discard,
    Knock: _after_knock,
    Declare: _after_declare,
    Stand: _after_stand,
    Exchange: _after_last_turn,
}
