"""Whose turn it is, and how far it has gone."""

from engine import rulebook
from engine.requirements.citing import SeatEvent, breach
from engine.table import Table
from engine.wording import counted
from schemas.cards import HAND_SIZE
from schemas.hand import Declare, Discard, Event, Knock, Reshuffle
from schemas.rules import RuleSet, StockRules, form_of
from schemas.ruling import Citation


def at_the_table(table: Table[RuleSet], event: SeatEvent) -> Citation | None:
    """A player's event needs a player in that seat."""
    if event.seat <= table.count:
        return None
    count = counted(table.count, "player")
    return table.clerk.cite(rulebook.SEAT, event=table.at, seat=event.seat, count=count)


def in_turn(table: Table[RuleSet], event: SeatEvent) -> Citation | None:
    """Turns go round by seat."""
    if event.seat == table.to_act:
        return None
    return breach(table, rulebook.OUT_OF_TURN, event, why=f"it is {table.clerk.name(table.to_act)}'s turn")


def not_yet_drawn(table: Table[RuleSet], event: SeatEvent) -> Citation | None:
    """A draw, a knock and keeping the hand stand at the start of a turn."""
    if len(table.hands[event.seat]) == HAND_SIZE:
        return None
    return breach(table, rulebook.ALREADY_DRAWN, event)


def has_drawn(table: Table[RuleSet], event: Discard) -> Citation | None:
    """A discard follows a draw."""
    if len(table.hands[event.seat]) != HAND_SIZE:
        return None
    return breach(table, rulebook.NOT_DRAWN, event)


def of_this_form(table: Table[RuleSet], event: Event) -> Citation | None:
    """An event belongs to one form of the game; this is asked only of those of the other form."""
    form = form_of(table.rules)
    seats = () if isinstance(event, Reshuffle) else (event.seat,)
    what = f"`{event.__struct_config__.tag}`"
    return table.clerk.cite(rulebook.OTHER_FORM, *seats, event=table.at, what=what, form=form)


def not_alone(table: Table[StockRules], event: Knock | Declare) -> Citation | None:
    """A bus ride is draws and discards only."""
    if not table.bus_ride:
        return None
    act = "knock" if isinstance(event, Knock) else "showing of a 31"
    return breach(table, rulebook.ONLY_DRAWS, event, act=act)
