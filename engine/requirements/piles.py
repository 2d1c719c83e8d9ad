"""The cards of the stock form: what can be drawn, taken, discarded and reshuffled."""

from collections import Counter
from typing import assert_never

from msgspec import UNSET

from engine import rulebook
from engine.readings import empty_stock
from engine.requirements.citing import SeatEvent, breach
from engine.table import Table
from engine.wording import counted, shown
from schemas.cards import Card
from schemas.hand import Discard, DrawStock, Exchange, Reshuffle, TakeDiscard
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation


def stock_gives_card(table: Table[StockRules], event: DrawStock) -> Citation | None:
    """A stock draw needs a stock, and takes its top card where its order is known."""
    card, stock = event.card, table.stock
    if not table.stock_left:
        return breach(table, rulebook.STOCK_EMPTY, event, count=table.stock_size)
    if stock is None or card is UNSET or card is stock[-1]:
        return None
    why = f"{shown([card])} was drawn, but {shown(stock[-1:])} was on top"
    return breach(table, rulebook.STOCK_MISMATCH, event, option=None, why=why)


def card_can_be_drawn(table: Table[StockRules], event: DrawStock) -> Citation | None:
    """A drawn card has to be known, and comes from the pack and from nowhere else."""
    card = event.card
    if card in table.unseen:
        return None
    if card is UNSET:
        return breach(table, rulebook.CARD_UNKNOWN, event) if table.stock is None else None
    if card in table.pack:
        return breach(table, rulebook.CARD_TWICE, event, cards=shown([card]))
    return _cite_strange(table, event, {card})


def pile_has_a_card(table: Table[StockRules], event: TakeDiscard) -> Citation | None:
    """Taking a discard needs one."""
    if table.pile:
        return None
    return breach(table, rulebook.PILE_EMPTY, event)


def card_is_top_discard(table: Table[StockRules], event: TakeDiscard) -> Citation | None:
    """Only the top card of the discard pile can be taken."""
    card, pile = event.card, table.pile
    if card is UNSET or not pile or card is pile[-1]:
        return None
    return breach(table, rulebook.DISCARD_MISMATCH, event, card=shown([card]), top=shown(pile[-1:]))


def holds_card(table: Table[StockRules], event: Discard) -> Citation | None:
    """A discard comes from the hand."""
    if event.card in table.hands[event.seat]:
        return None
    return breach(table, rulebook.CARD_NOT_HELD, event, cards=shown([event.card]))


def not_straight_back(table: Table[StockRules], event: Discard) -> Citation | None:
    """Most tables do not let the card just taken from the discard pile go straight back."""
    if event.card is not table.taken or event.seat != table.to_act:
        return None
    match table.rules.return_taken_discard:
        case "forbidden":
            return breach(table, rulebook.RETURNED, event, card=shown([event.card]))
        case "allowed":
            return None
        case unknown:
            assert_never(unknown)


def card_is_in_pack(table: Table[StockRules], event: TakeDiscard | Discard) -> Citation | None:
    """A joker is only a card where the pack has it."""
    card = event.card
    if card is UNSET or card in table.pack:
        return None
    return _cite_strange(table, event, {card})


def cards_are_in_pack(table: Table[RuleSet], event: Exchange) -> Citation | None:
    """A joker is only a card where the pack has it."""
    strange = {*event.give, *event.take} - table.pack
    return _cite_strange(table, event, strange) if strange else None


def may_reshuffle(table: Table[StockRules], event: Reshuffle) -> Citation | None:
    """A reshuffle stands at the start of a turn, where the rules refill an empty stock with the discards."""
    option = None
    if empty_stock(table.rules).then != "refill":
        option, why = "stock_exhausted", "these rules do not refill the stock"
    elif table.drawn:
        why = f"{table.clerk.name(table.to_act)} is in mid-turn"
    elif table.stock_left:
        option, why = "jokers", there_are_in_stock(table)
    elif len(table.pile) < 2:  # noqa: PLR2004 - the top discard stays
        why = "there are no discards under the top one"
    elif event.stock is not UNSET and Counter(event.stock) != Counter(table.pile[:-1]):
        why = "the new stock is not the discards under the top one"
    else:
        return None
    return table.clerk.cite(rulebook.RESHUFFLE, event=table.at, option=option, why=why)


def there_are_in_stock(table: Table[RuleSet]) -> str:
    """Return how many cards the stock has: "there is 1 card in the stock"."""
    return f"there {'is' if table.stock_left == 1 else 'are'} {counted(table.stock_left, 'card')} in the stock"


def _cite_strange(table: Table[RuleSet], event: SeatEvent, strange: set[Card]) -> Citation:
    jokers = counted(table.rules.jokers, "joker")
    return breach(table, rulebook.CARD_NOT_IN_PACK, event, cards=shown(strange), jokers=jokers)
