"""Positions: how a hand stands after some of its events, for whoever steps through it or plays on."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.adjudicate import conclude, play
from engine.clerk import Clerk
from engine.endings import ended_by_deal
from engine.possible import legal
from engine.table import Table
from schemas.cards import Card
from schemas.hand import Declare, Event, HandLog
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Ruling, Settled, Unfinished


class Position(Struct, frozen=True):
    """How a hand stands: what judging says of it so far, and what lies on the table."""

    ruling: Ruling
    """The ruling of the log up to here, without `stated`; it has the hands."""
    played: int
    """How many events have happened; one that is refused has not."""
    stock: int
    """Cards in the stock; 0 in the form without one."""
    pile: tuple[Card, ...]
    """The discard pile, its top card last."""
    widow: tuple[Card, ...]
    knocker: int | None
    moves: tuple[Event, ...]
    """Every event that may come next. Draws name each card that may be drawn, unless the record knows the stock."""


def position(log: HandLog, rules: RuleSet, events: int) -> Position:
    """Return how a hand stands after so many of its events, or where it was over or refused before that.

    The deal must be sound: one with which `adjudicate` refuses the log as a whole (`at` is None) has no position.
    """
    so_far = replace(log, events=log.events[:events])
    table: Table[Any] = Table(so_far, rules, Clerk(log.players, None))
    ruling = conclude(table, ended_by_deal(table) or play(table, so_far.events))
    return Position(
        ruling,
        table.at,
        table.stock_left if isinstance(rules, StockRules) else 0,
        tuple(table.pile),
        tuple(table.widow),
        table.knocker,
        _moves(table, ruling),
    )


def _moves(table: Table[RuleSet], ruling: Ruling) -> tuple[Event, ...]:
    match ruling:
        case Unfinished():
            return legal(table)
        case Settled(open_claims=seats):
            return tuple(map(Declare, seats))
        case _:
            return ()
