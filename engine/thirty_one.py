"""When a 31 may be shown, and when it is too late."""

from engine.readings import claim_of_31, dealt_31s_wait, is_only_top_hand
from engine.table import Table
from engine.valuation import makes_31
from schemas.hand import Discard
from schemas.rules import RuleSet


def holds_31(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a player holds three cards that make 31; a seat that is not at the table holds none."""
    return makes_31(table.hands.get(seat, ()))


def made_just_now(table: Table[RuleSet], seat: int) -> bool:
    """Return whether the last event gave this player other cards."""
    return table.changed_at.get(seat) == table.at - 1


def discarded_just_now(table: Table[RuleSet], seat: int) -> bool:
    """Return whether the last event was this player's discard, whatever card it was."""
    last = table.events[table.at - 1] if table.at else None
    return isinstance(last, Discard) and last.seat == seat


def made_after_knock(table: Table[RuleSet], seat: int) -> bool:
    """Return whether the player's cards became what they are after the knock."""
    made = table.changed_at.get(seat)
    return made is not None and table.knocked_at is not None and made > table.knocked_at


def turn_begins(table: Table[RuleSet], seat: int) -> bool:
    """Return whether it is this player's turn and nothing has been done in it."""
    return seat == table.to_act and not table.drawn


def dealt_to_another(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a player other than the first to act still holds the dealt hand."""
    return seat != table.first and seat not in table.changed_at


def first_turn_is_over(table: Table[RuleSet]) -> bool:
    """Return whether the first player's first turn is over and the second player has not begun."""
    return table.turns_done == 1 and not table.drawn


def waits(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a 31 in this hand would have to wait for the first player's first turn."""
    return table.turns_done == 0 and dealt_to_another(table, seat) and dealt_31s_wait(table.rules)


def dealt_window_is_open(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a dealt 31 may be shown now: before anyone plays, or once it has waited."""
    if dealt_to_another(table, seat) and dealt_31s_wait(table.rules):
        return first_turn_is_over(table)
    return seat not in table.changed_at and table.untouched


def is_time_to_show(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a 31 that need not be shown at once may be shown now."""
    return (
        dealt_window_is_open(table, seat)
        or made_just_now(table, seat)
        or discarded_just_now(table, seat)
        or turn_begins(table, seat)
    )


def lapsed(table: Table[RuleSet], seat: int) -> bool:
    """Return whether a 31 in this hand was not shown when it should have been, so that it counts 30."""
    if not claim_of_31(table.rules).lapses or table.bus_ride:
        return False
    if is_only_top_hand(table.rules, knocked=made_after_knock(table, seat)):
        return False
    return not (made_just_now(table, seat) or waits(table, seat) or dealt_window_is_open(table, seat))
