"""What an event does to the table. Nothing here asks whether the event is legal."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from engine.table import Table
from schemas.hand import (
    Declare,
    Discard,
    DrawStock,
    Event,
    Exchange,
    Knock,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.rules import RuleSet


def _draw_stock(table: Table[RuleSet], event: DrawStock) -> None:
    card = event.card
    if table.stock is not None:
        card = table.stock.pop()
    table.unseen.remove(card)  # type: ignore[arg-type] # a legal draw names its card where no stock tells it
    table.hands[event.seat].append(card)  # type: ignore[arg-type] # likewise
    table.drawn = True


def _take_discard(table: Table[RuleSet], event: TakeDiscard) -> None:
    card = table.taken = table.pile.pop()
    table.hands[event.seat].append(card)
    table.drawn = True


def _discard(table: Table[RuleSet], event: Discard) -> None:
    seat, card = event.seat, event.card
    hand = table.hands[seat]
    if hand[-1] is not card:
        table.changed_at[seat] = table.at
    hand.remove(card)
    table.pile.append(card)
    table.taken = None
    table.drawn = False
    _end_turn(table)


def _knock(table: Table[RuleSet], event: Knock) -> None:
    table.knocker = event.seat
    table.knocked_at = table.at
    table.calm = False
    _end_turn(table)


def _stand(table: Table[RuleSet], event: Stand) -> None:  # noqa: ARG001 - every change takes the event
    _end_turn(table)


def _declare(table: Table[RuleSet], event: Declare) -> None:
    """Change nothing: whether a shown 31 ends the hand is for `endings` to say."""


def _reshuffle(table: Table[RuleSet], event: Reshuffle) -> None:
    refill, table.pile = table.pile[:-1], table.pile[-1:]
    table.unseen.update(refill)
    table.stock_size = len(refill)
    table.stock = None if event.stock is UNSET else list(reversed(event.stock))


def _exchange(table: Table[RuleSet], event: Exchange) -> None:
    hand = table.hands[event.seat]
    for given, taken in zip(event.give, event.take, strict=True):
        hand[hand.index(given)] = taken
        table.widow[table.widow.index(taken)] = given
    table.changed_at[event.seat] = table.at
    _end_turn(table)


def _end_turn(table: Table[RuleSet]) -> None:
    table.turns_done += 1
    table.to_act = table.to_act % table.count + 1


Change = Callable[[Table[Any], Any], None]

CHANGES: dict[type[Event], Change] = {
    DrawStock: _draw_stock,
    TakeDiscard: _take_discard,
    Discard: _discard,
    Knock: _knock,
    Declare: _declare,
    Stand: _stand,
    Reshuffle: _reshuffle,
    Exchange: _exchange,
}
