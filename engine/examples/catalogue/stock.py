"""Scenarios of the empty stock, before a knock and after it."""

from collections.abc import Sequence

from engine.examples.dealing import Wish
from engine.examples.recognition import both, cites, ended, happens, refused_for
from engine.examples.scenario import Scenario
from engine.examples.sense import improves
from engine.examples.stage import StuckError
from engine.examples.stock_stage import StockStage
from engine.readings import empty_stock, last_chance
from engine.rulebook import (
    DECLINED,
    EVERYONE_OUT,
    KNOCK_ON_EMPTY,
    KNOCKED,
    LOWEST_TIE,
    STOCK_NO_LOSER,
    STOCK_SHOWDOWN,
)
from schemas.cards import HAND_SIZE, SUITS, Card
from schemas.hand import Discard, DrawStock, Knock, Reshuffle, Stand

MANY = 9
"""The most players that rule pages speak of. The more there are, the sooner is the stock used up."""
_STEADY = Wish(17, 21, ("two_suits",))
"""A hand that few cards make better."""
_ANY_LOW = Wish(9, 21)


def use_up(stage: StockStage, left: int = 0) -> None:
    """Let players draw and throw away until so many cards are left in the stock.

    Each card has to be of no use to the player who draws it and to the next one, who could take it.
    """
    first = stage.to_act - 1
    helps = [{card for card in stage.unseen if improves(stage.hands[seat], card, stage.rules)} for seat in stage.seats]
    turns = [
        [card for card in stage.unseen if card not in helps[turn % stage.players] | helps[(turn + 1) % stage.players]]
        for turn in range(first, first + stage.stock - left)
    ]
    for card in one_for_each(turns):
        stage.play(DrawStock(stage.to_act, card), Discard(stage.to_act, card))


def one_for_each(choices: Sequence[Sequence[Card]]) -> list[Card]:
    """Return a card for each place from those that fit there, none twice; StuckError if that cannot be done.

    It is a maximum matching: a place takes a card from another place if that one can have another card instead.
    """
    taken: dict[Card, int] = {}

    def place(at: int, tried: set[Card]) -> bool:
        for card in choices[at]:
            if card not in tried:
                tried.add(card)
                if card not in taken or place(taken[card], tried):
                    taken[card] = at
                    return True
        return False

    if not all(place(at, set()) for at in range(len(choices))):
        raise StuckError
    return sorted(taken, key=lambda card: taken[card])


def _deal_steady(stage: StockStage) -> None:
    """Deal hands that few cards make better, as far as there are enough of them."""
    _deal_jokers(stage, 10, 8)
    stage.deal(dict.fromkeys(stage.seats, _STEADY if stage.players <= MANY else _ANY_LOW))


def _deal_jokers(stage: StockStage, *points: int) -> None:
    """Deal every joker to a player, with cards of one suit of so many points: in the stock it would help anybody."""
    for seat, joker in zip(reversed(stage.seats), list(stage.jokers), strict=False):
        suit = stage.chance.pick(SUITS)
        cards = [stage.suited(suit, few) for few in points]
        if len(cards) < HAND_SIZE - 1:
            cards.append(stage.suited(stage.chance.pick(SUITS.replace(suit, "")), stage.chance.between(2, 5)))
        stage.give(seat, [joker, *cards])


def _runs_out(stage: StockStage) -> None:
    _deal_steady(stage)
    use_up(stage)
    if empty_stock(stage.rules).then == "discard_pile":
        stage.stand()


def _lowest_tie(stage: StockStage) -> None:
    low = stage.chance.between(16, 18)
    _deal_jokers(stage, 10, 8)
    lowest = dict.fromkeys((1, 2), Wish(low, low, _STEADY.shapes))
    stage.deal(dict.fromkeys(stage.seats, Wish(low + 1, 21, _STEADY.shapes)) | lowest)
    use_up(stage)
    if empty_stock(stage.rules).then == "discard_pile":
        stage.stand()


def _all_tie_on_the_last_life(stage: StockStage) -> None:
    value = 21 if stage.jokers else stage.chance.between(19, 20)
    shapes = ("two_suits", "one_suit") if stage.jokers else _STEADY.shapes
    _deal_jokers(stage, 10)
    stage.lives = [last_chance(stage.rules)] * stage.players
    stage.deal(dict.fromkeys(stage.seats, Wish(value, value, shapes)))
    use_up(stage)
    if empty_stock(stage.rules).then == "discard_pile":
        stage.stand()


def _refilled(stage: StockStage) -> None:
    _deal_steady(stage)
    use_up(stage)
    stage.reshuffle()
    stage.turn()
    stage.knock_if_able()
    for _ in range(stage.players - 1):
        stage.turn()


def _knock_on_empty(stage: StockStage) -> None:
    _deal_steady(stage)
    use_up(stage)
    stage.knock_if_able()
    for _ in range(stage.players - 1):
        stage.turn()


def _no_knock_on_empty(stage: StockStage) -> None:
    _deal_steady(stage)
    use_up(stage)
    stage.knock_if_able()


def _runs_out_on_last_turns(stage: StockStage) -> None:
    _deal_steady(stage)
    use_up(stage, left=stage.players - 2)
    stage.knock_if_able()
    for _ in range(stage.players - 1):
        stage.turn()


_STEADY_ENOUGH = range(22)
"""Points asked of a knocker that a steady hand can have."""

STOCK = (
    Scenario(
        id="stock-runs-out",
        title="The stock runs out",
        about="Nobody knocks until the stock is gone and a player does not want the top discard.",
        needs={"stock_exhausted": ("discard_pile",)},
        players=MANY,
        script=_runs_out,
        shows=both(cites(DECLINED.id), ended("stock_exhausted")),
    ),
    Scenario(
        id="stock-ends-the-hand",
        title="The last card of the stock ends the hand",
        about="Nobody knocks, and all show when the last card of the stock has been drawn.",
        needs={"stock_exhausted": ("showdown",)},
        players=MANY,
        script=_runs_out,
        shows=both(cites(STOCK_SHOWDOWN.id), ended("stock_exhausted")),
    ),
    Scenario(
        id="stock-without-a-loser",
        title="The stock runs out and nobody loses",
        about="Nobody knocks, and the hand is a draw when the last card of the stock has been drawn.",
        needs={"stock_exhausted": ("no_loser",)},
        players=MANY,
        script=_runs_out,
        shows=both(cites(STOCK_NO_LOSER.id), ended("stock_exhausted")),
    ),
    Scenario(
        id="stock-refilled",
        title="The discards become the stock",
        about="The stock is gone, all discards but the top one are shuffled, and play goes on until a knock.",
        needs={"stock_exhausted": ("reshuffle",)},
        made_under={"minimum_knock": _STEADY_ENOUGH},
        players=MANY,
        script=_refilled,
        shows=both(happens(Reshuffle, Knock), ended("knock")),
    ),
    Scenario(
        id="stock-out-and-a-tie",
        title="The stock runs out and the lowest tie",
        about="Nobody has knocked when the stock is gone, and two players share the lowest value.",
        needs={"stock_exhausted": ("discard_pile", "showdown")},
        players=MANY,
        script=_lowest_tie,
        shows=both(cites(LOWEST_TIE.id), ended("stock_exhausted")),
    ),
    Scenario(
        id="stock-out-and-everyone-ties",
        title="The stock runs out and everyone ties on the last life",
        about="Everyone is one loss from going out, nobody has knocked, and all hands are equal.",
        needs={"stock_exhausted": ("discard_pile", "showdown")},
        made_under={"lowest_tie": ("all_lose",)},
        players=MANY,
        script=_all_tie_on_the_last_life,
        shows=both(cites(EVERYONE_OUT.id), ended("stock_exhausted")),
    ),
    Scenario(
        id="knock-on-an-empty-stock",
        title="A knock when the stock is empty",
        about="The stock is gone, and a player knocks all the same.",
        needs={"knock_after_stock": ("allowed",)},
        made_under={"minimum_knock": _STEADY_ENOUGH},
        players=MANY,
        script=_knock_on_empty,
        shows=both(cites(KNOCKED.id), ended("knock")),
    ),
    Scenario(
        id="no-knock-on-an-empty-stock",
        title="No knock when the stock is empty",
        about="The stock is gone, and a player wants to knock.",
        needs={"knock_after_stock": ("forbidden",), "stock_exhausted": ("discard_pile", "reshuffle")},
        made_under={"minimum_knock": _STEADY_ENOUGH},
        players=MANY,
        script=_no_knock_on_empty,
        shows=refused_for(KNOCK_ON_EMPTY.id),
    ),
    Scenario(
        id="stock-out-on-the-last-turns",
        title="The stock runs out during the last turns",
        about="After a knock the stock is used up, and a player keeps the hand, with nothing left to draw.",
        made_under={"stock_exhausted": ("discard_pile", "showdown", "no_loser"), "minimum_knock": _STEADY_ENOUGH},
        players=MANY,
        script=_runs_out_on_last_turns,
        shows=both(ended("knock"), happens(Knock, Stand)),
    ),
)
