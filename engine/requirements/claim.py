"""When a 31 may be shown."""

from engine import rulebook
from engine.readings import claim_of_31, is_only_top_hand
from engine.requirements.citing import breach
from engine.table import Table
from engine.thirty_one import holds_31, is_time_to_show, lapsed, waits
from schemas.hand import Declare
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation


def makes_31(table: Table[RuleSet], event: Declare) -> Citation | None:
    """Three cards kept make a 31, never four."""
    if holds_31(table, event.seat):
        return None
    return breach(table, rulebook.NOT_31, event)


def need_not_wait(table: Table[StockRules], event: Declare) -> Citation | None:
    """Where a first knock ends the hand, a dealt 31 waits for the first player's first turn."""
    if not waits(table, event.seat):
        return None
    return breach(table, rulebook.WAIT, event, first=table.clerk.name(table.first))


def in_time(table: Table[StockRules], event: Declare) -> Citation | None:
    """A 31 is shown at once where it would lapse, and otherwise also as a later turn of its holder begins."""
    claim = claim_of_31(table.rules)
    if claim.by_itself:
        return None
    if claim.lapses:
        return breach(table, rulebook.LAPSED, event) if lapsed(table, event.seat) else None
    if is_only_top_hand(table.rules, knocked=table.knocker is not None) or waits(table, event.seat):
        return None
    return at_a_time_to_show(table, event)


def at_a_time_to_show(table: Table[RuleSet], event: Declare) -> Citation | None:
    """A 31 that need not be shown at once is shown after the deal, when made, or as a turn begins."""
    if is_time_to_show(table, event.seat):
        return None
    why = "a 31 is shown after the deal, when it is made, or as a turn of its holder begins"
    return breach(table, rulebook.OUT_OF_TURN, event, why=why)
