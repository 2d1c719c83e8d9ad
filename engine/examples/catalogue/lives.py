"""Scenarios of the lives: the last one, the county, going out, winning, and a life won back."""

from engine.examples.catalogue.knocking import (
    BEST_UNSHOWN,
    REACHABLE,
    held_by_knocker,
    knocked,
    knocker_is_alone,
    knocker_ties,
    one_is_lowest,
)
from engine.examples.catalogue.thirty_one import ONE_SHORT, made_after_knock, makes_31
from engine.examples.recognition import both, cites, ended, refused_for, somebody
from engine.examples.scenario import Scenario
from engine.examples.stage import StuckError
from engine.examples.stock_stage import StockStage
from engine.readings import last_chance
from engine.rulebook import EVERYONE_OUT, GAME_WON, NO_COUNTY, REDEEMED, REDEMPTION_CAP
from schemas.hand import HandLog
from schemas.rules import StockRules
from schemas.ruling import Ruling, Settled


def _lowest(stage: StockStage) -> int:
    return min(stage.seats, key=stage.value)


def _best(stage: StockStage) -> int:
    """Return who alone has the best hand; StuckError if it is shared."""
    first, second = sorted(map(stage.value, stage.seats))[-1:-3:-1]
    if first == second:
        raise StuckError
    return max(stage.seats, key=stage.value)


def _lowest_has(stage: StockStage, lives: int) -> None:
    one_is_lowest(stage)
    stage.lives[_lowest(stage) - 1] = lives


def _last_life(stage: StockStage) -> None:
    _lowest_has(stage, 1)


def _on_the_county(stage: StockStage) -> None:
    _lowest_has(stage, 0)


def _two_with_one_left(stage: StockStage) -> None:
    rules = stage.rules
    if rules.knocker_alone > 1 and rules.minimum_knock < BEST_UNSHOWN:
        knocker_is_alone(stage)
    elif rules.knocker_tie in _TIES_THAT_COST_TWO:
        knocker_ties(stage)
    else:
        made_after_knock(stage)
    stage.lives[stage.first_knocker - 1] = 1


_TIES_THAT_COST_TWO = ("double", "only_two")


def _nobody_loses_two(rules: StockRules) -> str | None:
    if rules.knocker_alone > 1 or rules.knocker_tie in _TIES_THAT_COST_TWO:
        return None
    if rules.knocker_on_31 > 1 and rules.thirty_one_after_knock == "ends_hand":
        return None
    return "Under these rules nobody loses more than one life at once, or else every life that is held."


def _two_left(stage: StockStage) -> None:
    one_is_lowest(stage)
    loser = _lowest(stage)
    stage.lives[loser - 1] = last_chance(stage.rules)


def _both_out(stage: StockStage) -> None:
    held = held_by_knocker(stage, 15, 24)
    stage.lives = [last_chance(stage.rules)] * stage.players
    knocked(stage, held, [(held, held)] * (stage.players - 1))


def _best_on_the_last_life(stage: StockStage) -> None:
    held = held_by_knocker(stage, 16, 20, above=4)
    others = [(held + 1, held + 3)] * (stage.players - 1)
    others[stage.chance.below(stage.players - 1)] = (held + 4, 30)
    knocked(stage, held, others)
    stage.lives[_best(stage) - 1] = last_chance(stage.rules)


def _saved_by_31(stage: StockStage) -> None:
    stage.deal({1: ONE_SHORT})
    stage.turn(makes_31)
    stage.show(1)
    stage.lives[0] = last_chance(stage.rules)


def _too_few_lives(rules: StockRules) -> str | None:
    if rules.lives == last_chance(rules):
        return "Under these rules nobody ever has fewer lives than at the start and is still in."
    return None


def _enough_lives(rules: StockRules) -> str | None:
    if rules.lives == last_chance(rules):
        return None
    return "Under these rules a player who is one loss from going out has fewer lives than at the start."


def _no_lives_at_all(stage: StockStage) -> None:
    stage.lives[stage.chance.below(stage.players)] = 0
    stage.deal()


def _loses_two_with_one_left(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and any((seat.before, seat.change) == (1, -2) for seat in ruling.seats)


def _best_gets_nothing(_: HandLog, ruling: Ruling) -> bool:
    if not isinstance(ruling, Settled) or ruling.ended_by != "knock":
        return False
    brink = last_chance(ruling.rules) if isinstance(ruling.rules, StockRules) else None
    best = max(seat.value for seat in ruling.seats)
    return [(seat.before, seat.change) for seat in ruling.seats if seat.value == best] == [(brink, 0)]


LIVES = (
    Scenario(
        id="last-life-and-the-county",
        title="The last life is lost, and the county begins",
        about="A player loses the last life and is still in, on the county.",
        needs={"county": ("all",)},
        made_under={"minimum_knock": REACHABLE},
        script=_last_life,
        shows=both(ended("knock"), somebody(lambda seat: seat.before == 1 and seat.status == "county")),
    ),
    Scenario(
        id="last-life-and-out",
        title="The last life is lost, and the player is out",
        about="A player loses the last life and is out of the game.",
        needs={"county": ("none",)},
        made_under={"minimum_knock": REACHABLE},
        script=_last_life,
        shows=both(ended("knock"), somebody(lambda seat: seat.before == 1 and seat.status == "out")),
    ),
    Scenario(
        id="out-from-the-county",
        title="A loss on the county",
        about="A player on the county has the lowest hand and is out.",
        needs={"county": ("all",)},
        made_under={"minimum_knock": REACHABLE},
        script=_on_the_county,
        shows=both(ended("knock"), somebody(lambda seat: seat.before == 0 and seat.status == "out")),
    ),
    Scenario(
        id="two-lives-to-lose-and-one-left",
        title="Two lives to lose and only one left",
        about="A knocker with one life has to lose two.",
        made_under={"minimum_knock": REACHABLE},
        unless=_nobody_loses_two,
        script=_two_with_one_left,
        shows=_loses_two_with_one_left,
    ),
    Scenario(
        id="game-won",
        title="The last player in wins",
        about="Of two players who are left one goes out, and the other has won the game.",
        made_under={"minimum_knock": REACHABLE},
        players=2,
        most=2,
        script=_two_left,
        shows=both(cites(GAME_WON.id), ended("knock")),
    ),
    Scenario(
        id="everyone-would-be-out",
        title="A tie that would put out everyone",
        about="All who are left are one loss from going out, the knocker ties with them, and all would lose.",
        needs={"knocker_tie": ("shares", "double")},
        made_under={"minimum_knock": REACHABLE},
        players=2,
        script=_both_out,
        shows=both(cites(EVERYONE_OUT.id), ended("knock")),
    ),
    Scenario(
        id="life-won-back",
        title="A life won back",
        about="A player who is one loss from going out has the only best hand.",
        needs={"redemption": ("best_hand",)},
        made_under={"minimum_knock": range(26)},
        unless=_too_few_lives,
        script=_best_on_the_last_life,
        shows=both(cites(REDEEMED.id), ended("knock"), somebody(lambda seat: seat.change == 1)),
    ),
    Scenario(
        id="life-won-back-by-31",
        title="A life won back by a 31",
        about="A player who is one loss from going out makes 31.",
        needs={"redemption": ("best_hand",)},
        unless=_too_few_lives,
        script=_saved_by_31,
        shows=both(cites(REDEEMED.id), ended("thirty_one"), somebody(lambda seat: seat.change == 1)),
    ),
    Scenario(
        id="no-life-beyond-the-start",
        title="Nobody gets more lives than at the start",
        about="A player would win a life back but has as many as the game begins with.",
        needs={"redemption": ("best_hand",)},
        made_under={"minimum_knock": range(26)},
        unless=_enough_lives,
        script=_best_on_the_last_life,
        shows=both(cites(REDEMPTION_CAP.id), ended("knock")),
    ),
    Scenario(
        id="no-life-won-back",
        title="The best hand wins no life back",
        about="A player who is one loss from going out has the only best hand, which saves but wins nothing.",
        needs={"redemption": ("none",)},
        made_under={"minimum_knock": range(26)},
        script=_best_on_the_last_life,
        shows=_best_gets_nothing,
    ),
    Scenario(
        id="no-lives-and-no-county",
        title="No lives and no county",
        about="A player without lives is dealt in where there is no county.",
        needs={"county": ("none",)},
        script=_no_lives_at_all,
        shows=refused_for(NO_COUNTY.id),
    ),
)
