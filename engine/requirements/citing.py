"""How a requirement cites the rule that an event breaks."""

from msgspec import UNSET, UnsetType

from engine.rulebook import Rule
from engine.table import Table
from schemas.hand import Declare, Discard, DrawStock, Exchange, Knock, Stand, TakeDiscard
from schemas.rules import RuleSet
from schemas.ruling import Citation

SeatEvent = DrawStock | TakeDiscard | Discard | Knock | Declare | Stand | Exchange
"""An event of one player; a reshuffle is nobody's."""


def breach(
    table: Table[RuleSet], rule: Rule, event: SeatEvent, option: str | UnsetType | None = UNSET, **facts: object
) -> Citation:
    """Return the citation of a rule that an event of one player breaks."""
    clerk = table.clerk
    player = clerk.name(event.seat)
    return clerk.cite(rule, event.seat, event=table.at, option=option, player=player, **facts)
