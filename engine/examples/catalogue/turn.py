"""Scenarios of a turn: drawing, taking and discarding."""

from engine.examples.catalogue.knocking import REACHABLE, knock_value
from engine.examples.dealing import Wish
from engine.examples.recognition import begins_with, both, ended, happens, refused_for
from engine.examples.scenario import Scenario
from engine.examples.sense import best_discard, improves
from engine.examples.stock_stage import StockStage
from engine.rulebook import NOT_DRAWN, OUT_OF_TURN, RETURNED
from engine.valuation import THIRTY_ONE
from schemas.hand import Discard, DrawStock, HandLog, Knock, TakeDiscard
from schemas.ruling import Ruling

_LOW = Wish(9, 17)


def _to_the_end(stage: StockStage, turns: int) -> None:
    """Play on until someone may and can knock, so many turns having been played, and then the last turns."""
    stage.wait(max(0, stage.turns_before_knock - turns))
    stage.knock_if_able()
    for _ in range(stage.players - 1):
        stage.turn()


def _able_to_knock(stage: StockStage, turns: int) -> dict[int, Wish]:
    """Return the wish for a hand good enough to knock, for the player whose turn that will be after so many turns."""
    knocker = max(turns, stage.turns_before_knock) % stage.players + 1
    return {knocker: Wish(*knock_value(stage.rules, 16, 24))}


def _takes_the_upcard(stage: StockStage) -> None:
    stage.wishes({1: _LOW} | _able_to_knock(stage, 1))
    hand = stage.hands[1]
    stage.deal(
        upcard=stage.find(
            lambda card: improves(hand, card, stage.rules) and best_discard([*hand, card], stage.rules)[0] < THIRTY_ONE
        )
    )
    stage.turn()
    _to_the_end(stage, 1)


def _straight_back(stage: StockStage) -> None:
    stage.deal()
    _take_and_throw_back(stage)


def _take_and_throw_back(stage: StockStage) -> None:
    stage.play(TakeDiscard(stage.to_act), Discard(stage.to_act, stage.pile[-1]))


def _straight_back_and_on(stage: StockStage) -> None:
    stage.deal(_able_to_knock(stage, 1))
    _take_and_throw_back(stage)
    _to_the_end(stage, 1)


def _discards_first(stage: StockStage) -> None:
    stage.deal()
    hand = stage.hands[1]
    stage.play(Discard(1, min(hand, key=lambda card: card.points)))


def _out_of_turn(stage: StockStage) -> None:
    stage.deal()
    stage.play(DrawStock(2, stage.find(lambda _: True)))


def _throws_straight_back(hand: HandLog, _: Ruling) -> bool:
    taken = hand.deal.upcard
    return any(isinstance(event, Discard) and event.card is taken for event in hand.events[1:2])


TURN = (
    Scenario(
        id="taking-the-upcard",
        title="Taking the top card of the discard pile",
        about="The upcard makes the first player's hand better, so the player takes it instead of drawing.",
        made_under={"minimum_knock": REACHABLE},
        script=_takes_the_upcard,
        shows=both(begins_with(TakeDiscard), happens(Knock), ended("knock")),
    ),
    Scenario(
        id="no-throwing-back",
        title="A taken discard may not be thrown back",
        about="A player takes the top discard and wants to discard it again in the same turn.",
        needs={"return_taken_discard": ("forbidden",)},
        script=_straight_back,
        shows=refused_for(RETURNED.id),
    ),
    Scenario(
        id="throwing-back",
        title="A taken discard thrown back",
        about="A player who wants no other card takes the top discard and puts it back, which is as good as a pass.",
        needs={"return_taken_discard": ("allowed",)},
        made_under={"minimum_knock": REACHABLE},
        script=_straight_back_and_on,
        shows=both(begins_with(TakeDiscard), _throws_straight_back, ended("knock")),
    ),
    Scenario(
        id="discard-before-drawing",
        title="A discard before the draw",
        about="A player wants to discard without having drawn.",
        script=_discards_first,
        shows=refused_for(NOT_DRAWN.id),
    ),
    Scenario(
        id="out-of-turn",
        title="A draw out of turn",
        about="The second player draws before the first.",
        script=_out_of_turn,
        shows=refused_for(OUT_OF_TURN.id),
    ),
)
