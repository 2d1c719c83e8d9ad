"""Scenarios of the knock: who may, what follows, and whom it costs lives."""

from collections.abc import Sequence
from itertools import pairwise

from engine.examples.dealing import MIXED, Shape, Wish
from engine.examples.recognition import begins_with, both, cites, ended, happens, refused_for, somebody
from engine.examples.scenario import Scenario
from engine.examples.stage import StuckError
from engine.examples.stock_stage import StockStage, within
from engine.rulebook import (
    ALREADY_DRAWN,
    BELOW_MINIMUM,
    FIRST_KNOCK,
    FIRST_ROUND,
    KNOCKED,
    KNOCKER_ALONE,
    KNOCKER_TIE,
    LOWEST,
    MAY_NOT_STAND,
    SECOND_KNOCK,
)
from engine.rulebook import LOWEST_TIE as TIE
from schemas.hand import Discard, DrawStock, HandLog, Knock, Stand
from schemas.rules import RuleSet
from schemas.ruling import Ruling, Settled

Range = tuple[int, int]
"""From the least to the greatest value of a hand, in points."""

BEST_UNSHOWN = 30
"""The best hand in points that has no 31 in it."""


REACHABLE = range(BEST_UNSHOWN + 1)
"""Points asked of a knocker that can be had without a 31."""


_FEW_POINTS = 9
_MOST_DEALT = 40
_WORTH_DRAWING = 8
_GOOD = 26
"""Points with which a player would rather not draw."""


def knock_value(rules: RuleSet, least: int, greatest: int, above: int = 0) -> Range:
    """Return what a knocker may hold: a value in a range, or the fewest points that the rules ask for.

    Raises StuckError if others could not hold so many points more.
    """
    lowest = max(least, rules.minimum_knock)
    if lowest + above > BEST_UNSHOWN:
        raise StuckError
    return lowest, min(max(greatest, lowest), BEST_UNSHOWN - above)


def seat_for(stage: StockStage, held: int, others: Sequence[Range]) -> None:
    """Deal so that the first who may knock holds so many points, and the others can come to theirs in a turn."""
    knocker = stage.first_knocker
    wishes = {knocker: Wish(held, held, shapes_of(held))}
    for seat, (least, greatest) in zip(stage.after(knocker), others, strict=True):
        final = stage.chance.between(least, greatest)
        # At a large table there are few cards to come by anything else.
        stays = is_large(stage) or stage.chance.below(2)
        wishes[seat] = Wish(least, final) if stays else Wish(max(final - 9, 5), final)
    stage.deal(wishes)


def is_large(stage: StockStage) -> bool:
    """Return whether so many play that the last turns use up most of the stock."""
    return 4 * stage.players > _MOST_DEALT


def last_turns(stage: StockStage, others: Sequence[Range]) -> None:
    """Let the first who may knock do so, and the others come to their values."""
    stage.wait(stage.turns_before_knock)
    stage.knock()
    for least, greatest in others:
        stage.turn(within(least, greatest))


def knocked(stage: StockStage, held: int, others: Sequence[Range]) -> None:
    """Play a hand in which a knocker holds so many points, and the others come to theirs."""
    seat_for(stage, held, others)
    last_turns(stage, others)


def above(points: int) -> Range:
    """Return the values from one point more up to nine more, as far as there are."""
    return points + 1, min(points + 9, BEST_UNSHOWN)


def shapes_of(points: int) -> tuple[Shape, ...]:
    """Return the shapes of hands worth so many points: the lowest may be three of a kind."""
    return (*MIXED, "triple") if points < _FEW_POINTS else MIXED


def held_by_knocker(stage: StockStage, least: int, greatest: int, above: int = 0) -> int:
    """Return what the knocker shall hold, as `knock_value` has it."""
    return stage.chance.between(*knock_value(stage.rules, least, greatest, above))


def just_below(points: int) -> Wish:
    """Return the wish for a hand that lacks a few points; the lowest are of three suits, or three of a kind."""
    return Wish(max(2, points - 8), points - 1, shapes_of(points))


def one_is_lowest(stage: StockStage) -> None:
    """Let one player end below a knocker, and the others not."""
    held = held_by_knocker(stage, 18, 25)
    low = stage.chance.between(9, 10 if is_large(stage) else min(held - 1, 21))
    others = [(low + 1, BEST_UNSHOWN)] * (stage.players - 1)
    others[stage.chance.below(stage.players - 1)] = (low, low)
    knocked(stage, held, others)


def others_tie(stage: StockStage) -> None:
    """Let two players, or more at a large table, end below a knocker with equal hands."""
    held = held_by_knocker(stage, 19, 26)
    low = stage.chance.between(9, 10) if is_large(stage) else stage.chance.between(12, min(held - 1, 21))
    knocked(stage, held, [(low, low), (low, low), *[above(low)] * (stage.players - 3)])


def knocker_is_alone(stage: StockStage) -> None:
    """Let everybody end above a knocker."""
    held = held_by_knocker(stage, *((9, 10) if is_large(stage) else (14, 19)), above=1)
    knocked(stage, held, [above(held)] * (stage.players - 1))


def knocker_ties(stage: StockStage) -> None:
    """Let one player end as a knocker does, and the others above."""
    held = held_by_knocker(stage, *((9, 10) if is_large(stage) else (15, 21)))
    others = [above(held)] * (stage.players - 1) if held < BEST_UNSHOWN else [(held, held)] * (stage.players - 1)
    others[stage.chance.below(stage.players - 1)] = (held, held)
    knocked(stage, held, others)


def _knock_first(stage: StockStage) -> None:
    held = held_by_knocker(stage, 19, 25)
    stage.deal({1: Wish(held, held)})
    stage.knock()


def _just_enough(stage: StockStage) -> None:
    held = stage.rules.minimum_knock
    others = [(min(max(4, held - 9), 9), BEST_UNSHOWN)] * (stage.players - 1)
    knocked(stage, held, others)


def _too_little(stage: StockStage) -> None:
    least = stage.rules.minimum_knock
    stage.deal({stage.first_knocker: just_below(least)})
    stage.wait(stage.turns_before_knock)
    stage.knock()


def _after_drawing(stage: StockStage) -> None:
    stage.deal()
    stage.wait(stage.turns_before_knock)
    seat = stage.to_act
    card = stage.find(lambda card: card.points >= _WORTH_DRAWING)
    stage.play(DrawStock(seat, card))
    stage.knock()


def _twice(stage: StockStage) -> None:
    held = held_by_knocker(stage, 19, 25)
    second = stage.after(stage.first_knocker)[0]
    stage.deal({stage.first_knocker: Wish(held, held), second: Wish(max(22, stage.rules.minimum_knock), BEST_UNSHOWN)})
    stage.wait(stage.turns_before_knock)
    stage.knock()
    stage.knock()


def _keep_without_drawing(stage: StockStage) -> None:
    held = held_by_knocker(stage, 19, 24)
    good = stage.after(stage.first_knocker)[0]
    stage.deal({stage.first_knocker: Wish(held, held), good: Wish(_GOOD, BEST_UNSHOWN)})
    stage.wait(stage.turns_before_knock)
    stage.knock()
    stage.stand()


def _keeps_a_good_hand(stage: StockStage) -> None:
    _keep_without_drawing(stage)
    for _ in range(stage.players - 2):
        stage.turn()


def _has_just_enough(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and any(
        seat.seat == ruling.knocker and seat.value == ruling.rules.minimum_knock for seat in ruling.seats
    )


def _throws_a_draw_away(hand: HandLog, _: Ruling) -> bool:
    return any(
        isinstance(drawn, DrawStock) and isinstance(thrown, Discard) and drawn.card is thrown.card
        for drawn, thrown in pairwise(hand.events)
    )


KNOCKING = (
    Scenario(
        id="knock",
        title="A knock, and one player has the lowest hand",
        about="A player knocks, everyone else takes one last turn, all show, and the lowest hand pays.",
        made_under={"minimum_knock": REACHABLE},
        script=one_is_lowest,
        shows=both(cites(KNOCKED.id, LOWEST.id), ended("knock")),
    ),
    Scenario(
        id="lowest-tie",
        title="Two players tie for the lowest hand",
        about="After a knock two players, neither of them the knocker, have equal hands below all others.",
        made_under={"minimum_knock": REACHABLE},
        fewest=3,
        script=others_tie,
        shows=both(cites(KNOCKED.id, TIE.id), ended("knock")),
    ),
    Scenario(
        id="knocker-alone",
        title="The knocker alone has the lowest hand",
        about="Everyone ends above the knocker, who pays for the knock.",
        made_under={"minimum_knock": range(BEST_UNSHOWN)},
        script=knocker_is_alone,
        shows=both(cites(KNOCKED.id, KNOCKER_ALONE.id), ended("knock")),
    ),
    Scenario(
        id="knocker-ties",
        title="The knocker ties for the lowest hand",
        about="Another player ends with just as many points as the knocker, and nobody has fewer.",
        made_under={"minimum_knock": REACHABLE},
        script=knocker_ties,
        shows=both(cites(KNOCKED.id, KNOCKER_TIE.id), ended("knock")),
    ),
    Scenario(
        id="knock-at-once",
        title="A knock on the very first turn",
        about="The first player knocks before anyone has drawn, and the others still have their last turn.",
        needs={"first_knock": ("free",)},
        made_under={"minimum_knock": REACHABLE},
        script=one_is_lowest,
        shows=both(cites(KNOCKED.id), begins_with(Knock), ended("knock")),
    ),
    Scenario(
        id="knock-ends-the-hand",
        title="A knock out of the gate ends the hand",
        about="The first player knocks before anyone has drawn, and all show at once.",
        needs={"first_knock": ("ends_hand",)},
        made_under={"minimum_knock": REACHABLE},
        script=_knock_first,
        shows=both(cites(FIRST_KNOCK.id), ended("first_knock")),
    ),
    Scenario(
        id="knock-too-early",
        title="A knock before everyone has had a turn",
        about="The first player wants to knock with a good hand, but the first round is not over.",
        needs={"first_knock": ("after_first_round",)},
        made_under={"minimum_knock": REACHABLE},
        script=_knock_first,
        shows=refused_for(FIRST_ROUND.id),
    ),
    Scenario(
        id="knock-after-the-first-round",
        title="A knock once everyone has had a turn",
        about="Every player has had one turn, and then the first player knocks.",
        needs={"first_knock": ("after_first_round",)},
        made_under={"minimum_knock": REACHABLE},
        script=one_is_lowest,
        shows=both(cites(KNOCKED.id), ended("knock")),
    ),
    Scenario(
        id="just-enough-to-knock",
        title="A hand that is just good enough to knock",
        about="The knocker holds exactly the points that the house asks of a knocker.",
        needs={"minimum_knock": range(2, BEST_UNSHOWN + 1)},
        script=_just_enough,
        shows=both(cites(KNOCKED.id), _has_just_enough),
    ),
    Scenario(
        id="too-little-to-knock",
        title="A hand that is not good enough to knock",
        about="A player wants to knock with fewer points than the house asks for.",
        needs={"minimum_knock": range(3, 32)},
        script=_too_little,
        shows=refused_for(BELOW_MINIMUM.id),
    ),
    Scenario(
        id="knock-after-drawing",
        title="A knock after drawing",
        about="A player draws and then wants to knock, but a knock takes the place of the draw.",
        script=_after_drawing,
        shows=refused_for(ALREADY_DRAWN.id),
    ),
    Scenario(
        id="second-knock",
        title="A second knock",
        about="A player with a good hand wants to knock on a last turn, after another player's knock.",
        made_under={"minimum_knock": REACHABLE},
        script=_twice,
        shows=refused_for(SECOND_KNOCK.id),
    ),
    Scenario(
        id="keeping-a-good-hand",
        title="A good hand kept on the last turn",
        about="On a last turn a player with a good hand keeps it without drawing.",
        needs={"last_turn_stand": ("always",)},
        made_under={"minimum_knock": REACHABLE},
        script=_keeps_a_good_hand,
        shows=both(happens(Knock, Stand), ended("knock"), somebody(lambda seat: seat.value >= _GOOD)),
    ),
    Scenario(
        id="no-keeping-without-drawing",
        title="A last turn cannot be skipped",
        about="On a last turn a player with a good hand wants to keep it without drawing, but the stock has cards.",
        needs={"last_turn_stand": ("stock_empty",)},
        made_under={"minimum_knock": REACHABLE},
        script=_keep_without_drawing,
        shows=refused_for(MAY_NOT_STAND.id),
    ),
    Scenario(
        id="drawn-and-thrown-away",
        title="A drawn card thrown away at once",
        about="A card from the stock is no help, so it goes straight to the discard pile.",
        made_under={"minimum_knock": REACHABLE},
        script=one_is_lowest,
        shows=both(ended("knock"), _throws_a_draw_away),
    ),
)
