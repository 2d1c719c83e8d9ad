"""What else a refusal rests on: the other answers that would have made the event legal.

A broken rule names one option. Where a second option could have saved the event, such as another number of
jokers that would have left a card in the stock, these citations name it.
"""

from collections.abc import Callable, Iterable

from engine import rulebook
from engine.claims import cite_no_waiting
from engine.endings import cite_stock
from engine.readings import claim_of_31, dealt_31s_wait, empty_stock, is_only_top_hand
from engine.requirements.piles import there_are_in_stock
from engine.table import Table
from engine.thirty_one import (
    dealt_to_another,
    first_turn_is_over,
    holds_31,
    made_after_knock,
)
from schemas.hand import Event, Reshuffle
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


def grounds(table: Table[RuleSet], event: Event, broken: Iterable[Citation]) -> list[Citation]:
    """Return what a refusal rests on beyond the rules that the event breaks."""
    if isinstance(event, Reshuffle):
        return []
    seat = event.seat
    found = []
    for citation in broken:
        if look := _GROUNDS.get(citation.rule):
            found.extend(look(table, seat))
    return found


def _of_empty_stock(table: Table[RuleSet], seat: int) -> list[Citation]:  # noqa: ARG001 - every ground takes the seat
    return [cite_stock(table, table.at)]


def _of_standing(table: Table[RuleSet], seat: int) -> list[Citation]:  # noqa: ARG001 - every ground takes the seat
    if isinstance(table.rules, WidowRules):
        return []
    if table.stock_left:
        return _of_stock_left(table)
    found = [cite_stock(table, table.at)]
    if table.knocker is not None and empty_stock(table.rules).then == "refill":
        found.append(table.clerk.cite(rulebook.STOCK_REFILLED, event=table.at))
    return found


def _of_stock_left(table: Table[RuleSet]) -> list[Citation]:
    """Return what the jokers add to the stock, where without them it would be empty."""
    if table.stock_left > table.rules.jokers:
        return []
    there, pack = there_are_in_stock(table), len(table.pack)
    return [table.clerk.cite(rulebook.STOCK_LEFT, event=table.at, there=there, count=table.stock_size, pack=pack)]


def _of_claim(table: Table[RuleSet], seat: int) -> list[Citation]:
    rules = table.rules
    if isinstance(rules, WidowRules) or not holds_31(table, seat):
        return []
    found = []
    if not dealt_31s_wait(rules) and dealt_to_another(table, seat) and first_turn_is_over(table):
        found.append(cite_no_waiting(table, seat, table.at))
    if _would_be_top_hand(table, rules, seat):
        found.append(table.clerk.cite(rulebook.DECLARED_TOO_LATE, seat, event=table.at))
    return found


def _would_be_top_hand(table: Table[RuleSet], rules: StockRules, seat: int) -> bool:
    """Return whether a 31 shown now would be accepted as the top hand."""
    if table.knocker is None or is_only_top_hand(rules, knocked=True):
        return False
    return not claim_of_31(rules).lapses or made_after_knock(table, seat)


_GROUNDS: dict[str, Callable[[Table[RuleSet], int], list[Citation]]] = {
    rulebook.KNOCK_ON_EMPTY.id: _of_empty_stock,
    rulebook.MAY_NOT_STAND.id: _of_standing,
    rulebook.BELOW_MINIMUM.id: _of_claim,
    rulebook.LAPSED.id: _of_claim,
    rulebook.OUT_OF_TURN.id: _of_claim,
}
