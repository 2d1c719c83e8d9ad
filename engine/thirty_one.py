"""When a 31 may be shown, and when it is too late."""

from engine.table import Table
from engine.valuation import makes_31
from schemas.hand import Discard
from schemas.rules import StockRules, WidowRules


def holds_31(table: Table, seat: int) -> bool:
    """Return whether a player holds three cards that make 31; a seat that is not at the table holds none."""
    return makes_31(table.hands.get(seat, ()))


def made_just_now(table: Table, seat: int) -> bool:
    """Return whether the last event gave this player other cards."""
    return table.changed_at.get(seat) == table.at - 1


def discarded_just_now(table: Table, seat: int) -> bool:
    """Return whether the last event was this player's discard, whatever card it was."""
    last = table.events[table.at - 1] if table.at else None
    return isinstance(last, Discard) and last.seat == seat


def made_after_knock(table: Table, seat: int) -> bool:
    """Return whether the player's cards became what they are after the knock."""
    made = table.changed_at.get(seat)
    return made is not None and table.knocked_at is not None and made > table.knocked_at


def turn_begins(table: Table, seat: int) -> bool:
    """Return whether it is this player's turn and nothing has been done in it."""
    return seat == table.to_act and not table.drawn


def dealt_to_another(table: Table, seat: int) -> bool:
    """Return whether a player other than the first to act still holds the dealt hand."""
    return seat != table.first and seat not in table.changed_at


def first_turn_is_over(table: Table) -> bool:
    """Return whether the first player's first turn is over and the second player has not begun."""
    return table.turns_done == 1 and not table.drawn


def waits(table: Table, seat: int) -> bool:
    """Return whether a 31 in this hand would have to wait for the first player's first turn."""
    return dealt_31s_wait(table) and table.turns_done == 0 and dealt_to_another(table, seat)


def dealt_31s_wait(table: Table) -> bool:
    """Return whether a 31 dealt to another player waits while the first player may end the hand by a knock."""
    return isinstance(table.rules, StockRules) and table.rules.first_knock == "ends_hand"


def dealt_window_is_open(table: Table, seat: int) -> bool:
    """Return whether a dealt 31 may be shown now: before anyone plays, or once it has waited."""
    if dealt_31s_wait(table) and dealt_to_another(table, seat):
        return first_turn_is_over(table)
    return seat not in table.changed_at and table.untouched


def is_time_to_show(table: Table, seat: int) -> bool:
    """Return whether a 31 that need not be shown at once may be shown now."""
    return (
        dealt_window_is_open(table, seat)
        or made_just_now(table, seat)
        or discarded_just_now(table, seat)
        or turn_begins(table, seat)
    )


def lapsed(table: Table, seat: int) -> bool:
    """Return whether a 31 in this hand was not shown when it should have been, so that it counts 30."""
    rules = table.rules
    if isinstance(rules, WidowRules) or rules.thirty_one_claim != "at_once" or table.bus_ride:
        return False
    if rules.thirty_one_after_knock == "top_hand" and made_after_knock(table, seat):
        return False
    return not (made_just_now(table, seat) or waits(table, seat) or dealt_window_is_open(table, seat))


def is_only_top_hand(table: Table) -> bool:
    """Return whether showing a 31 now changes nothing, because it is no more than the best hand."""
    rules = table.rules
    if isinstance(rules, WidowRules):
        return rules.thirty_one == "top_hand"
    return rules.thirty_one_after_knock == "top_hand" and table.knocker is not None
