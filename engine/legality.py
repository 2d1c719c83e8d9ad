"""What an event needs to be legal: a table from the type of event to its requirements."""

from collections.abc import Callable
from typing import Any

from engine.requirements import claim, exchange, knock, piles, stand, turn
from engine.table import Table
from schemas.hand import Declare, Discard, DrawStock, Event, Exchange, Knock, Reshuffle, Stand, TakeDiscard
from schemas.rules import RuleSet, StockRules, WidowRules, form_class
from schemas.ruling import Citation

Requirement = Callable[[Any, Any], Citation | None]
"""From the table and an event to the citation of the rule that is broken, or None."""

_OTHER_FORM = (turn.of_this_form, turn.in_turn)

# Where `in_turn` occurs it stands first: what follows it may ask for the hand of the player in that seat.
REQUIREMENTS: dict[type[RuleSet], dict[type[Event], tuple[Requirement, ...]]] = {
    StockRules: {
        DrawStock: (turn.in_turn, turn.not_yet_drawn, piles.stock_gives_card, piles.card_can_be_drawn),
        TakeDiscard: (
            turn.in_turn,
            turn.not_yet_drawn,
            piles.pile_has_a_card,
            piles.card_is_top_discard,
            piles.card_is_in_pack,
        ),
        Discard: (
            turn.in_turn,
            turn.has_drawn,
            piles.holds_card,
            piles.not_straight_back,
            piles.card_is_in_pack,
        ),
        Knock: (
            turn.in_turn,
            turn.not_yet_drawn,
            turn.not_alone,
            knock.nobody_has_knocked,
            knock.reaches_minimum,
            knock.first_round_is_over,
            knock.stock_allows_knock,
        ),
        Declare: (turn.not_alone, claim.makes_31, claim.need_not_wait, claim.in_time),
        Stand: (turn.in_turn, turn.not_yet_drawn, stand.may_stand),
        Reshuffle: (piles.may_reshuffle,),
        Exchange: _OTHER_FORM,
    },
    WidowRules: {
        DrawStock: _OTHER_FORM,
        TakeDiscard: _OTHER_FORM,
        Discard: _OTHER_FORM,
        Knock: (turn.in_turn, knock.nobody_has_knocked, knock.reaches_minimum, knock.first_round_is_over),
        Declare: (claim.makes_31, claim.at_a_time_to_show),
        Stand: (turn.in_turn, stand.is_last_turn),
        Reshuffle: (turn.of_this_form,),
        Exchange: (
            turn.in_turn,
            exchange.as_many_as_allowed,
            exchange.holds_given,
            exchange.widow_has_taken,
            piles.cards_are_in_pack,
        ),
    },
}


def broken(table: Table[RuleSet], event: Event) -> tuple[Citation, ...]:
    """Return a citation for every rule that the event breaks; none if it is legal."""
    requirements = REQUIREMENTS[form_class(table.rules)][type(event)]
    if not isinstance(event, Reshuffle) and event.seat > table.count:
        # Nothing can be asked of such a player's hand, only whether it is that seat's turn.
        requirements = (turn.at_the_table, *(need for need in requirements if need is turn.in_turn))
    return tuple([citation for need in requirements if (citation := need(table, event)) is not None])
