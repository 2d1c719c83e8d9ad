"""When a player may knock, and when a player may keep the hand without drawing."""

from typing import assert_never

from engine import rulebook
from engine.readings import empty_stock, first_knock
from engine.requirements.piles import cards_left
from engine.requirements.turn import breach
from engine.table import Table
from engine.thirty_one import lapsed
from engine.valuation import is_31, unclaimed, worth
from engine.wording import points
from schemas.cards import HAND_SIZE
from schemas.hand import Declare, Knock, Stand
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


def not_alone(table: Table[StockRules], event: Knock | Declare) -> Citation | None:
    """A bus ride is draws and discards only."""
    if not table.bus_ride:
        return None
    act = "knock" if isinstance(event, Knock) else "showing of a 31"
    return breach(table, rulebook.ONLY_DRAWS, event, act=act)


def nobody_has_knocked(table: Table[RuleSet], event: Knock) -> Citation | None:
    """There is one knock in a hand."""
    if table.knocker is None:
        return None
    return breach(table, rulebook.SECOND_KNOCK, event, knocker=table.clerk.name(table.knocker))


def reaches_minimum(table: Table[RuleSet], event: Knock) -> Citation | None:
    """Some tables ask for a hand value; it is what the hand counts, three of a kind included."""
    minimum, hand = table.rules.minimum_knock, table.hands[event.seat]
    if not minimum or len(hand) != HAND_SIZE:
        return None
    counts = worth(hand, table.rules)
    if is_31(counts) and lapsed(table, event.seat):
        counts = unclaimed(counts)
    if counts.half_points >= 2 * minimum:
        return None
    value = points(counts.half_points)
    return breach(table, rulebook.BELOW_MINIMUM, event, points=value, minimum=minimum)


def first_round_is_over(table: Table[RuleSet], event: Knock) -> Citation | None:
    """Some tables allow a knock only once every player has had a turn."""
    if not first_knock(table.rules).waits_for_round or table.turns_done >= table.count:
        return None
    return breach(table, rulebook.FIRST_ROUND, event, why="not every player has had a turn")


def stock_allows_knock(table: Table[StockRules], event: Knock) -> Citation | None:
    """Few tables allow a knock once the stock is empty."""
    if table.stock_left:
        return None
    match table.rules.knock_after_stock:
        case "forbidden":
            return breach(table, rulebook.KNOCK_ON_EMPTY, event)
        case "allowed":
            return None
        case unknown:
            assert_never(unknown)


def may_stand(table: Table[StockRules], event: Stand) -> Citation | None:
    """A player keeps the hand to stop a bus ride, on a last turn, or to decline the last discard."""
    if table.bus_ride:
        return None
    if table.knocker is not None:
        return _may_stand_on_last_turn(table, event)
    if table.stock_left:
        why = f"there {cards_left(table)} in the stock, and nobody has knocked"
        return breach(table, rulebook.MAY_NOT_STAND, event, option=None, why=why)
    if empty_stock(table.rules).play_goes_on:
        return None
    why = "the discards are reshuffled"
    return breach(table, rulebook.MAY_NOT_STAND, event, option="stock_exhausted", why=why)


def _may_stand_on_last_turn(table: Table[StockRules], event: Stand) -> Citation | None:
    match table.rules.last_turn_stand:
        case "always":
            return None
        case "stock_empty":
            if not table.stock_left and not empty_stock(table.rules).is_refilled:
                return None
        case unknown:
            assert_never(unknown)
    why = f"there {cards_left(table)} in the stock" if table.stock_left else "the discards are reshuffled"
    return breach(table, rulebook.MAY_NOT_STAND, event, option="last_turn_stand", why=why)


def is_last_turn(table: Table[WidowRules], event: Stand) -> Citation | None:
    """In the widow form a player keeps the hand on a last turn only."""
    if table.knocker is not None:
        return None
    return breach(table, rulebook.MAY_NOT_STAND, event, option=None, why="nobody has knocked")
