"""Scenarios of the bus ride: the last solo round of a player who is out."""

from engine.examples.catalogue.knocking import BEST_UNSHOWN
from engine.examples.dealing import Wish
from engine.examples.recognition import both, cites, ended, refused_for
from engine.examples.scenario import Scenario
from engine.examples.stock_stage import StockStage, within
from engine.rulebook import BUS_DRAWS, BUS_STOOD, NO_BUS

_PLAYED = range(1, 10)


def _all_draws(stage: StockStage) -> None:
    stage.lives = [0]
    stage.deal()
    draws = stage.rules.ride_the_bus
    for draw in range(1, draws + 1):
        # The first and the last draw make the hand better, so that each of them is seen to count.
        if draw in {1, draws}:
            stage.turn(within(stage.value(1) / 2 + 1, BEST_UNSHOWN))
        else:
            stage.turn()


def _stops_early(stage: StockStage) -> None:
    stage.lives = [0]
    stage.deal({1: Wish(26, 30)})
    stage.stand()


def _not_played(stage: StockStage) -> None:
    stage.lives = [0]
    stage.deal()


BUS = (
    Scenario(
        id="bus-ride",
        title="Riding the bus",
        about="A player who is out draws alone, as often as the rules allow.",
        needs={"ride_the_bus": _PLAYED},
        players=1,
        fewest=1,
        most=1,
        script=_all_draws,
        shows=both(cites(BUS_DRAWS.id), ended("bus_ride")),
    ),
    Scenario(
        id="bus-ride-cut-short",
        title="Getting off the bus",
        about="A player who rides the bus has a good hand and stops before the draws are used up.",
        needs={"ride_the_bus": _PLAYED},
        players=1,
        fewest=1,
        most=1,
        script=_stops_early,
        shows=both(cites(BUS_STOOD.id), ended("bus_ride")),
    ),
    Scenario(
        id="no-bus-ride",
        title="No bus to ride",
        about="A player who is out wants a last solo round, which is not played.",
        needs={"ride_the_bus": (0,)},
        players=1,
        fewest=1,
        most=1,
        script=_not_played,
        shows=refused_for(NO_BUS.id),
    ),
)
