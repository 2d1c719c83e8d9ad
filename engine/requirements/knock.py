"""When a player may knock."""

from typing import assert_never

from engine import rulebook
from engine.readings import first_knock
from engine.requirements.citing import breach
from engine.table import Table
from engine.thirty_one import lapsed
from engine.valuation import worth_now
from engine.wording import points
from schemas.cards import HAND_SIZE
from schemas.hand import Knock
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation


def nobody_has_knocked(table: Table[RuleSet], event: Knock) -> Citation | None:
    """There is one knock in a hand."""
    if table.knocker is None:
        return None
    return breach(table, rulebook.SECOND_KNOCK, event, knocker=table.clerk.name(table.knocker))


def reaches_minimum(table: Table[RuleSet], event: Knock) -> Citation | None:
    """Some tables ask for a hand value; it is what the hand counts, three of a kind included."""
    minimum, hand = table.rules.minimum_knock, table.hands[event.seat]
    if len(hand) != HAND_SIZE:
        return None
    counts = worth_now(hand, table.rules, lambda: lapsed(table, event.seat))
    if counts.half_points / 2 >= minimum:
        return None
    value = points(counts.half_points)
    return breach(table, rulebook.BELOW_MINIMUM, event, points=value, minimum=minimum)


def first_round_is_over(table: Table[RuleSet], event: Knock) -> Citation | None:
    """Some tables allow a knock only once every player has had a turn."""
    if table.turns_done >= table.count or not first_knock(table.rules).waits_for_round:
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
