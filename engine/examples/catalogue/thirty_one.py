"""Scenarios of the 31: when it is shown, what it ends and whom it costs."""

from engine.examples.catalogue.knocking import REACHABLE, held_by_knocker
from engine.examples.dealing import THIRTY_ONE, Wish
from engine.examples.recognition import begins_with, both, cites, ended, happens, refused_for, somebody
from engine.examples.scenario import Scenario
from engine.examples.stock_stage import Drawn, StockStage, thrown_back
from engine.readings import first_knock
from engine.rulebook import (
    COST_OF_31,
    ENDS_AFTER_KNOCK,
    HELD_31,
    LAPSED,
    NOBODY_ELSE,
    NOT_31,
    SHOWED_31,
    UNCLAIMED,
    WAIT,
)
from engine.valuation import THIRTY_ONE as BEST
from schemas.hand import Declare, DrawStock, HandLog
from schemas.ruling import Ruling, Settled

_THIRTY_ONE = 31
ONE_SHORT = Wish(21, 21, ("two_suits",))
"""An ace and a ten-point card of its suit: another ten-point card of the suit makes 31."""


def makes_31(drawn: Drawn) -> bool:
    """Return whether a turn leaves a 31."""
    return drawn.left == BEST


def _waits(stage: StockStage) -> bool:
    """Return whether dealt 31s have to wait for the first player's first turn."""
    return first_knock(stage.rules).ends_hand


def _dealt(stage: StockStage) -> None:
    holder = 1 if _waits(stage) else stage.chance.between(1, stage.players)
    stage.deal({holder: THIRTY_ONE})
    stage.show(holder)


def _made(stage: StockStage) -> None:
    stage.deal({1: ONE_SHORT})
    stage.turn(makes_31)
    stage.show(1)


def made_after_knock(stage: StockStage) -> None:
    """Let the player after the knocker make 31 on the last turn, and show it."""
    held = held_by_knocker(stage, 19, 25)
    lucky = stage.after(stage.first_knocker)[0]
    stage.deal({stage.first_knocker: Wish(held, held), lucky: ONE_SHORT})
    stage.wait(stage.turns_before_knock)
    stage.knock()
    stage.turn(makes_31)
    stage.show(lucky)


def _top_hand(stage: StockStage) -> None:
    held = held_by_knocker(stage, 19, 25)
    lucky, *others = stage.after(stage.first_knocker)
    stage.deal({stage.first_knocker: Wish(held, held), lucky: ONE_SHORT})
    stage.wait(stage.turns_before_knock)
    stage.knock()
    stage.turn(makes_31)
    stage.show(lucky)
    for _ in others:
        stage.turn()


def _several(stage: StockStage) -> None:
    second = stage.chance.between(2, stage.players)
    stage.deal({1: THIRTY_ONE, second: THIRTY_ONE})
    stage.show(1, second)


def _everyone(stage: StockStage) -> None:
    stage.deal(dict.fromkeys(stage.seats, THIRTY_ONE))
    stage.show(*stage.seats)


def _forgotten(stage: StockStage) -> None:
    held = held_by_knocker(stage, 17, 24)
    *others, holder = stage.after(stage.first_knocker)
    stage.deal({stage.first_knocker: Wish(held, held), holder: THIRTY_ONE})
    stage.wait(stage.turns_before_knock)
    stage.knock()
    for _ in others:
        stage.turn()
    stage.turn(thrown_back)


def _not_at_once(stage: StockStage) -> None:
    """Let the second player show a dealt 31 at the start of a turn, when it is too late to show it at once."""
    stage.deal({2: THIRTY_ONE})
    stage.wait(stage.players + 1 if _waits(stage) else 1)
    stage.play(Declare(2))


def _waiting(stage: StockStage) -> None:
    stage.deal({2: THIRTY_ONE})
    stage.wait(1)
    stage.show(2)


def _too_soon(stage: StockStage) -> None:
    stage.deal({2: THIRTY_ONE})
    stage.play(Declare(2))


def _knocked_in_time(stage: StockStage) -> None:
    held = held_by_knocker(stage, 19, 26)
    stage.deal({1: Wish(held, held), 2: THIRTY_ONE})
    stage.knock()


def _only_thirty(stage: StockStage) -> None:
    stage.deal({1: Wish(30, 30, ("one_suit",))})
    stage.play(Declare(1))


def _four_cards(stage: StockStage) -> None:
    stage.deal({1: ONE_SHORT})
    ace = max(stage.hands[1], key=lambda card: card.points)
    stage.play(DrawStock(1, stage.suited(ace.suit, 10)), Declare(1))


def _everything(stage: StockStage) -> None:
    stage.lives = [max(1, stage.rules.lives - seat + 1) for seat in stage.seats]
    _made(stage)


def _is_shown_at_once(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and ruling.ended_by == "thirty_one" and not ruling.unplayed


def _in_the_deal(hand: HandLog, ruling: Ruling) -> bool:
    return _is_shown_at_once(hand, ruling) and all(isinstance(event, Declare) for event in hand.events)


def _two_hold_31(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and [seat.value for seat in ruling.seats].count(_THIRTY_ONE) > 1


THIRTY_ONES = (
    Scenario(
        id="dealt-31",
        title="A 31 in the deal",
        about="A player is dealt 31, and the hand is over before anyone has drawn.",
        script=_dealt,
        shows=_in_the_deal,
    ),
    Scenario(
        id="thirty-one",
        title="A 31 made by a draw",
        about="A player draws the card that makes 31, discards, and everyone else pays.",
        script=_made,
        shows=both(_is_shown_at_once, happens(DrawStock), cites(COST_OF_31.id)),
    ),
    Scenario(
        id="thirty-one-after-a-knock",
        title="A 31 after a knock",
        about="On a last turn a player makes 31, which ends the hand and costs the knocker too.",
        needs={"thirty_one_after_knock": ("ends_hand",)},
        made_under={"minimum_knock": REACHABLE},
        script=made_after_knock,
        shows=both(cites(ENDS_AFTER_KNOCK.id), ended("thirty_one")),
    ),
    Scenario(
        id="thirty-one-as-the-top-hand",
        title="A 31 after a knock is only the top hand",
        about="On a last turn a player makes 31 and shows it, but play goes on, and the lowest hand pays.",
        needs={"thirty_one_after_knock": ("top_hand",)},
        made_under={"minimum_knock": REACHABLE},
        script=_top_hand,
        shows=both(ended("knock"), somebody(lambda seat: seat.value == _THIRTY_ONE and seat.change == 0)),
    ),
    Scenario(
        id="two-31s",
        title="Two players hold 31",
        about="Two players are dealt 31; both are safe, and everyone else pays.",
        fewest=3,
        script=_several,
        shows=both(_two_hold_31, _in_the_deal),
    ),
    Scenario(
        id="everyone-has-31",
        title="Everyone holds 31",
        about="Every player is dealt 31, so nobody is left to pay.",
        players=2,
        script=_everyone,
        shows=both(cites(NOBODY_ELSE.id), _is_shown_at_once),
    ),
    Scenario(
        id="forgotten-31",
        title="A 31 that was not shown",
        about="A player is dealt 31 and does not show it, so that it counts 30 when someone has knocked.",
        needs={"thirty_one_claim": ("at_once",)},
        made_under={"minimum_knock": REACHABLE},
        script=_forgotten,
        shows=both(cites(UNCLAIMED.id), ended("knock")),
    ),
    Scenario(
        id="thirty-one-shown-too-late",
        title="A 31 shown too late",
        about="A player did not show a dealt 31 at once and wants to show it at the start of a turn.",
        needs={"thirty_one_claim": ("at_once",)},
        script=_not_at_once,
        shows=refused_for(LAPSED.id),
    ),
    Scenario(
        id="thirty-one-shown-later",
        title="A 31 kept and shown later",
        about="A player does not show a dealt 31 at once, but at the start of a turn.",
        needs={"thirty_one_claim": ("optional",)},
        script=_not_at_once,
        shows=both(cites(SHOWED_31.id), happens(DrawStock), _is_shown_at_once),
    ),
    Scenario(
        id="thirty-one-by-itself",
        title="A 31 that nobody has to show",
        about="A 31 ends the hand by itself as soon as it is held.",
        needs={"thirty_one_claim": ("automatic",)},
        script=_made,
        shows=both(cites(HELD_31.id), _is_shown_at_once),
    ),
    Scenario(
        id="thirty-one-takes-everything",
        title="A 31 that costs every life",
        about="A player makes 31, and everyone else loses all the lives that are left.",
        needs={"thirty_one_cost": ("all",)},
        script=_everything,
        shows=both(cites(COST_OF_31.id), _is_shown_at_once),
    ),
    Scenario(
        id="waiting-31",
        title="A dealt 31 waits for the first turn",
        about="A player is dealt 31 and shows it when the first player has not knocked.",
        needs={"first_knock": ("ends_hand",)},
        script=_waiting,
        shows=both(_is_shown_at_once, begins_with(DrawStock)),
    ),
    Scenario(
        id="thirty-one-shown-too-soon",
        title="A dealt 31 shown too soon",
        about="A player shows a dealt 31 before the first player's first turn is over.",
        needs={"first_knock": ("ends_hand",)},
        script=_too_soon,
        shows=refused_for(WAIT.id),
    ),
    Scenario(
        id="knock-before-a-waiting-31",
        title="A knock out of the gate against a dealt 31",
        about="A player is dealt 31, but the first player knocks at once, and the 31 is only the top hand.",
        needs={"first_knock": ("ends_hand",)},
        made_under={"minimum_knock": REACHABLE},
        script=_knocked_in_time,
        shows=both(ended("first_knock"), somebody(lambda seat: seat.value == _THIRTY_ONE)),
    ),
    Scenario(
        id="thirty-is-not-31",
        title="A 30 is not a 31",
        about="A player shows three ten-point cards, or an ace, a ten-point card and a nine, of one suit.",
        script=_only_thirty,
        shows=refused_for(NOT_31.id),
    ),
    Scenario(
        id="four-cards-are-no-31",
        title="Three cards make a 31, never four",
        about="A player draws the card that would make 31 and shows it before discarding.",
        script=_four_cards,
        shows=refused_for(NOT_31.id),
    ),
)
