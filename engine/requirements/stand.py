"""When a player may keep the hand without drawing."""

from typing import assert_never

from engine import rulebook
from engine.readings import empty_stock
from engine.requirements.citing import breach
from engine.requirements.piles import there_are_in_stock
from engine.table import Table
from schemas.hand import Stand
from schemas.rules import StockRules, WidowRules
from schemas.ruling import Citation

_RESHUFFLED = "the discards are reshuffled"


def may_stand(table: Table[StockRules], event: Stand) -> Citation | None:
    """A player keeps the hand to stop a bus ride, on a last turn, or to decline the last discard."""
    if table.bus_ride:
        return None
    if table.knocker is not None:
        return _may_stand_on_last_turn(table, event)
    if table.stock_left:
        why = f"{there_are_in_stock(table)}, and nobody has knocked"
        return breach(table, rulebook.MAY_NOT_STAND, event, option=None, why=why)
    if empty_stock(table.rules).then == "discard_pile":
        return None
    return breach(table, rulebook.MAY_NOT_STAND, event, option="stock_exhausted", why=_RESHUFFLED)


def _may_stand_on_last_turn(table: Table[StockRules], event: Stand) -> Citation | None:
    match table.rules.last_turn_stand:
        case "always":
            return None
        case "stock_empty":
            if not table.stock_left and empty_stock(table.rules).then != "refill":
                return None
        case unknown:
            assert_never(unknown)
    why = there_are_in_stock(table) if table.stock_left else _RESHUFFLED
    return breach(table, rulebook.MAY_NOT_STAND, event, option="last_turn_stand", why=why)


def is_last_turn(table: Table[WidowRules], event: Stand) -> Citation | None:
    """In the widow form a player keeps the hand on a last turn only."""
    if table.knocker is not None:
        return None
    return breach(table, rulebook.MAY_NOT_STAND, event, option=None, why="nobody has knocked")
