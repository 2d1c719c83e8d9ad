"""What an event needs to be legal: a table from the type of event to its requirements.

Each requirement looks by itself at the table before the event and returns the citation of the rule that is
broken, or None. Nothing here changes the table.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, assert_never

from msgspec import UNSET

from engine import rulebook
from engine.rulebook import Rule, counted, points, shown
from engine.table import Table
from engine.thirty_one import (
    holds_31,
    is_only_top_hand,
    is_time_to_show,
    lapsed,
    waits,
)
from engine.valuation import is_31, unclaimed, worth
from schemas.cards import HAND_SIZE, Card
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
from schemas.rules import StockRules, WidowRules
from schemas.ruling import Citation

Requirement = Callable[[Table, Any], Citation | None]
SeatEvent = DrawStock | TakeDiscard | Discard | Knock | Declare | Stand | Exchange


def broken(table: Table, event: Event) -> tuple[Citation, ...]:
    """Return a citation for every rule that the event breaks; none if it is legal."""
    requirements = REQUIREMENTS[type(table.rules)][type(event)]
    if not isinstance(event, Reshuffle) and event.seat > table.count:
        # Nothing can be asked of such a player's hand, only whether it is that seat's turn.
        requirements = (_at_the_table, *(need for need in requirements if need is _in_turn))
    return tuple([citation for need in requirements if (citation := need(table, event)) is not None])


def _at_the_table(table: Table, event: SeatEvent) -> Citation | None:
    count = counted(table.count, "player")
    return table.clerk.cite(rulebook.SEAT, event=table.at, seat=event.seat, count=count)


def _in_turn(
    table: Table, event: DrawStock | TakeDiscard | Discard | Knock | Stand | Exchange
) -> Citation | None:
    if event.seat == table.to_act:
        return None
    return _cite(table, rulebook.OUT_OF_TURN, event, whose=table.clerk.name(table.to_act))


def _not_yet_drawn(table: Table, event: DrawStock | TakeDiscard | Knock | Stand) -> Citation | None:
    if len(table.hands[event.seat]) == HAND_SIZE:
        return None
    return _cite(table, rulebook.ALREADY_DRAWN, event)


def _has_drawn(table: Table, event: Discard) -> Citation | None:
    if len(table.hands[event.seat]) != HAND_SIZE:
        return None
    return _cite(table, rulebook.NOT_DRAWN, event)


def _stock_gives_card(table: Table, event: DrawStock) -> Citation | None:
    card, stock = event.card, table.stock
    if not table.stock_left:
        return _cite(table, rulebook.STOCK_EMPTY, event, count=table.stock_size)
    if stock is None or card is UNSET or card is stock[-1]:
        return None
    why = f"{shown([card])} was drawn, but {shown(stock[-1:])} was on top"
    return _cite(table, rulebook.STOCK_MISMATCH, event, option=None, why=why)


def _card_can_be_drawn(table: Table, event: DrawStock) -> Citation | None:
    card = event.card
    if card in table.unseen:
        return None
    if card is UNSET:
        return _cite(table, rulebook.CARD_UNKNOWN, event) if table.stock is None else None
    if card in table.pack:
        return _cite(table, rulebook.CARD_TWICE, event, cards=shown([card]))
    return _card_is_in_pack(table, event)


def _card_is_in_pack(table: Table, event: DrawStock | TakeDiscard | Discard) -> Citation | None:
    card = event.card
    if card is UNSET or card in table.pack:
        return None
    return _cite_strange(table, event, {card})


def _cards_are_in_pack(table: Table, event: Exchange) -> Citation | None:
    strange = {*event.give, *event.take} - table.pack
    return _cite_strange(table, event, strange) if strange else None


def _cite_strange(table: Table, event: SeatEvent, strange: set[Card]) -> Citation:
    jokers = counted(table.rules.jokers, "joker")
    return _cite(table, rulebook.CARD_NOT_IN_PACK, event, cards=shown(strange), jokers=jokers)


def _pile_has_a_card(table: Table, event: TakeDiscard) -> Citation | None:
    if table.pile:
        return None
    return _cite(table, rulebook.PILE_EMPTY, event)


def _card_is_top_discard(table: Table, event: TakeDiscard) -> Citation | None:
    if event.card is UNSET or not table.pile or event.card is table.pile[-1]:
        return None
    return _cite(
        table, rulebook.DISCARD_MISMATCH, event, card=shown([event.card]), top=shown(table.pile[-1:])
    )


def _holds_card(table: Table, event: Discard) -> Citation | None:
    if event.card in table.hands[event.seat]:
        return None
    return _cite(table, rulebook.CARD_NOT_HELD, event, cards=shown([event.card]))


def _not_straight_back(table: Table, event: Discard) -> Citation | None:
    rules = table.rules
    if event.card is not table.taken or event.seat != table.to_act or isinstance(rules, WidowRules):
        return None
    match rules.return_taken_discard:
        case "forbidden":
            return _cite(table, rulebook.RETURNED, event, card=shown([event.card]))
        case "allowed":
            return None
        case unknown:
            assert_never(unknown)


def _not_alone(table: Table, event: Knock | Declare) -> Citation | None:
    if not table.bus_ride:
        return None
    act = "knock" if isinstance(event, Knock) else "showing of a 31"
    return _cite(table, rulebook.ONLY_DRAWS, event, act=act)


def _nobody_has_knocked(table: Table, event: Knock) -> Citation | None:
    if table.knocker is None:
        return None
    return _cite(table, rulebook.SECOND_KNOCK, event, knocker=table.clerk.name(table.knocker))


def _reaches_minimum(table: Table, event: Knock) -> Citation | None:
    minimum = table.rules.minimum_knock
    if not minimum or len(table.hands[event.seat]) != HAND_SIZE:
        return None
    counts = worth(table.hands[event.seat], table.rules)
    if is_31(counts) and lapsed(table, event.seat):
        counts = unclaimed(counts)
    half_points = counts.half_points
    if half_points >= 2 * minimum:
        return None
    return _cite(table, rulebook.BELOW_MINIMUM, event, points=points(half_points), minimum=minimum)


def _first_round_is_over(table: Table, event: Knock) -> Citation | None:
    match table.rules.first_knock:
        case "free" | "ends_hand":
            return None
        case "after_first_round":
            if table.turns_done >= table.count:
                return None
            return _cite(table, rulebook.FIRST_ROUND, event, why="not every player has had a turn")
        case unknown:
            assert_never(unknown)


def _stock_allows_knock(table: Table, event: Knock) -> Citation | None:
    rules = table.rules
    if table.stock_left or isinstance(rules, WidowRules):
        return None
    match rules.knock_after_stock:
        case "forbidden":
            return _cite(table, rulebook.KNOCK_ON_EMPTY, event)
        case "allowed":
            return None
        case unknown:
            assert_never(unknown)


def _makes_31(table: Table, event: Declare) -> Citation | None:
    if holds_31(table, event.seat):
        return None
    return _cite(table, rulebook.NOT_31, event)


def _not_waiting(table: Table, event: Declare) -> Citation | None:
    if not waits(table, event.seat):
        return None
    return _cite(table, rulebook.WAIT, event, first=table.clerk.name(table.first))


def _in_time(table: Table, event: Declare) -> Citation | None:
    rules, seat = table.rules, event.seat
    if isinstance(rules, WidowRules):
        return _at_a_time_to_show(table, event)
    match rules.thirty_one_claim:
        case "at_once":
            if lapsed(table, seat):
                return _cite(table, rulebook.LAPSED, event)
            return None
        case "optional":
            if is_only_top_hand(table) or waits(table, seat):
                return None
            return _at_a_time_to_show(table, event)
        case "automatic":
            return None
        case unknown:
            assert_never(unknown)


def _at_a_time_to_show(table: Table, event: Declare) -> Citation | None:
    if is_time_to_show(table, event.seat):
        return None
    return _cite(table, rulebook.OUT_OF_TURN, event, whose=table.clerk.name(table.to_act))


def _may_stand(table: Table, event: Stand) -> Citation | None:
    rules = table.rules
    if isinstance(rules, WidowRules):
        return (
            None
            if table.knocker
            else _cite(table, rulebook.MAY_NOT_STAND, event, option=None, why="nobody has knocked")
        )
    if table.bus_ride:
        return None
    if table.knocker is not None:
        return _may_stand_on_last_turn(table, event, rules)
    if table.stock_left:
        why = f"{_cards_left(table)} in the stock, and nobody has knocked"
        return _cite(table, rulebook.MAY_NOT_STAND, event, option=None, why=why)
    if rules.stock_exhausted == "discard_pile":
        return None
    return _cite(
        table, rulebook.MAY_NOT_STAND, event, option="stock_exhausted", why="the discards are reshuffled"
    )


def _may_stand_on_last_turn(table: Table, event: Stand, rules: StockRules) -> Citation | None:
    match rules.last_turn_stand:
        case "always":
            return None
        case "stock_empty":
            if not table.stock_left and rules.stock_exhausted != "reshuffle":
                return None
            why = f"{_cards_left(table)} in the stock" if table.stock_left else "the discards are reshuffled"
            return _cite(table, rulebook.MAY_NOT_STAND, event, option="last_turn_stand", why=why)
        case unknown:
            assert_never(unknown)


def _may_reshuffle(table: Table, event: Reshuffle) -> Citation | None:
    rules, option = table.rules, None
    if isinstance(rules, WidowRules) or rules.stock_exhausted != "reshuffle":
        option, why = "stock_exhausted", "these rules do not refill the stock"
    elif table.drawn:
        why = f"{table.clerk.name(table.to_act)} is in mid-turn"
    elif table.stock_left:
        option, why = "jokers", f"{_cards_left(table)} in the stock"
    elif len(table.pile) < 2:  # noqa: PLR2004 - the top discard stays
        why = "there are no discards under the top one"
    elif event.stock is not UNSET and Counter(event.stock) != Counter(table.pile[:-1]):
        why = "the new stock is not the discards under the top one"
    else:
        return None
    return table.clerk.cite(rulebook.RESHUFFLE, event=table.at, option=option, why=why)


def _exchanges_as_many(table: Table, event: Exchange) -> Citation | None:
    give, take = len(event.give), len(event.take)
    option = None
    if give != take:
        why = "as many must be taken as are given"
    elif not give:
        why = "an exchange needs a card"
    elif isinstance(table.rules, WidowRules) and table.rules.exchange == "one" and give > 1:
        option, why = "exchange", "one card may be exchanged in a turn"
    elif give > HAND_SIZE:
        why = "a hand has three cards"
    else:
        return None
    return _cite(
        table,
        rulebook.EXCHANGE_COUNT,
        event,
        option=option,
        give=counted(give, "card"),
        take=counted(take, "card"),
        why=why,
    )


def _holds_given(table: Table, event: Exchange) -> Citation | None:
    missing = Counter(event.give) - Counter(table.hands[event.seat])
    return _cite(table, rulebook.CARD_NOT_HELD, event, cards=shown(missing)) if missing else None


def _widow_has_taken(table: Table, event: Exchange) -> Citation | None:
    missing = Counter(event.take) - Counter(table.widow)
    return _cite(table, rulebook.WIDOW_MISMATCH, event, cards=shown(missing)) if missing else None


def _of_other_form(table: Table, event: Event) -> Citation | None:
    form = "widow" if isinstance(table.rules, WidowRules) else "stock"
    seats = () if isinstance(event, Reshuffle) else (event.seat,)
    what = f"`{event.__struct_config__.tag}`"
    return table.clerk.cite(rulebook.OTHER_FORM, *seats, event=table.at, what=what, form=form)


def _cite(
    table: Table,
    rule: Rule,
    event: SeatEvent,
    option: str | None = "",
    **facts: object,
) -> Citation:
    clerk = table.clerk
    return clerk.cite(rule, event.seat, event=table.at, option=option, player=clerk.name(event.seat), **facts)


def _cards_left(table: Table) -> str:
    return f"{'is' if table.stock_left == 1 else 'are'} {counted(table.stock_left, 'card')}"


_OTHER_FORM = (_of_other_form,)

REQUIREMENTS: dict[type[StockRules | WidowRules], dict[type[Event], tuple[Requirement, ...]]] = {
    StockRules: {
        DrawStock: (
            _in_turn,
            _not_yet_drawn,
            _stock_gives_card,
            _card_can_be_drawn,
        ),
        TakeDiscard: (_in_turn, _not_yet_drawn, _pile_has_a_card, _card_is_top_discard, _card_is_in_pack),
        Discard: (_in_turn, _has_drawn, _holds_card, _not_straight_back, _card_is_in_pack),
        Knock: (
            _in_turn,
            _not_yet_drawn,
            _not_alone,
            _nobody_has_knocked,
            _reaches_minimum,
            _first_round_is_over,
            _stock_allows_knock,
        ),
        Declare: (_not_alone, _makes_31, _not_waiting, _in_time),
        Stand: (_in_turn, _not_yet_drawn, _may_stand),
        Reshuffle: (_may_reshuffle,),
        Exchange: _OTHER_FORM,
    },
    WidowRules: {
        DrawStock: _OTHER_FORM,
        TakeDiscard: _OTHER_FORM,
        Discard: _OTHER_FORM,
        Knock: (_in_turn, _nobody_has_knocked, _reaches_minimum, _first_round_is_over),
        Declare: (_makes_31, _in_time),
        Stand: (_in_turn, _may_stand),
        Reshuffle: _OTHER_FORM,
        Exchange: (_in_turn, _exchanges_as_many, _holds_given, _widow_has_taken, _cards_are_in_pack),
    },
}
