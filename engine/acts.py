"""The acts of the game: for each type of event what breaks it, what it does, and when it ends the hand.

The fold looks an act up once an event, and its speed lies in how little it does then. So the requirements of an event
are joined into one function, whose calls the interpreter can specialise, and the two commonest events are first asked
whether they are plainly legal. That is a shortcut, not a rule: a property test holds it to the requirements.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.endings import ENDINGS, End
from engine.legality import REQUIREMENTS, Requirement
from engine.table import Table
from engine.transitions import CHANGES, Change
from schemas.hand import Discard, DrawStock, Event
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


class Act(NamedTuple):
    """What breaks a type of event, what it does to the table, and what it ends, if it can end anything."""

    breach: Callable[[Any, Any], Citation | None]
    """Return the citation of the first requirement that is broken, or None."""
    change: Change
    end: End | None


def plainly_drawn(table: Table[StockRules], event: DrawStock) -> bool:
    """Return whether an unseen card was drawn at the start of its player's turn, from a stock of unknown order."""
    return (
        event.seat == table.to_act
        and not table.drawn
        and table.stock_left > 0
        and table.stock is None
        and event.card in table.unseen
    )


def plainly_discarded(table: Table[StockRules], event: Discard) -> bool:
    """Return whether a held card was discarded after the draw in its player's turn, and not one just taken."""
    card = event.card
    return event.seat == table.to_act and table.drawn and card is not table.taken and card in table.hands[event.seat]


PLAINLY_LEGAL = {StockRules: {DrawStock: plainly_drawn, Discard: plainly_discarded}, WidowRules: {}}


def _first_breach(form: type[RuleSet], event: type[Event], requirements: tuple[Requirement, ...]) -> Any:  # noqa: ANN401
    """Return a function that asks the requirements of a type of event in order until one is broken."""
    named: dict[str, Any] = {f"need_{place}": need for place, need in enumerate(requirements)}
    asked = " or ".join(f"{name}(table, event)" for name in named)
    if plainly_legal := PLAINLY_LEGAL[form].get(event):
        named["plainly_legal"] = plainly_legal
        asked = f"None if plainly_legal(table, event) else ({asked})"
    return eval(f"lambda table, event: {asked}", named)  # noqa: S307 - it is made of the words above


ACTS: dict[type[RuleSet], dict[type[Event], Act]] = {
    form: {
        event: Act(_first_breach(form, event, needs), CHANGES[event], ENDINGS.get(event))
        for event, needs in requirements.items()
    }
    for form, requirements in REQUIREMENTS.items()
}
