"""What scripts of the form with a widow have in common: turns before a knock and after it, and hands that matter."""

from collections.abc import Mapping

from engine.examples.catalogue.knocking import REACHABLE, knock_value
from engine.examples.dealing import Wish
from engine.examples.stage import StuckError
from engine.examples.widow_stage import WidowStage
from engine.valuation import THIRTY_ONE

POINTS = {"minimum_knock": REACHABLE}
"""The points that may be asked of a knocker in these scripts."""
TEN = 10


def first_turns(stage: WidowStage) -> None:
    """Let turns pass until a knock begins the last turns, and let the player to act knock."""
    for _ in range(stage.turns_before_knock):
        seat = stage.to_act
        stage.turn()
        if stage.value(seat) == THIRTY_ONE:
            raise StuckError
    stage.knock_if_able()


def last_turns(stage: WidowStage, *, to_31: bool = False) -> None:
    """Let all others have their last turn; a 31 that is made in it is shown, or the script is stuck."""
    for _ in range(stage.players - 1):
        seat = stage.to_act
        stage.turn()
        if stage.value(seat) == THIRTY_ONE:
            if not to_31:
                raise StuckError
            stage.show(seat)


def able(stage: WidowStage) -> Wish:
    """Return the wish for a hand good enough to knock."""
    return Wish(*knock_value(stage.rules, 18, 26))


def deal_one_short(stage: WidowStage, seat: int, wishes: Mapping[int, Wish] | None = None) -> None:
    """Deal an ace and a ten-point card of a suit to a player, and another such card to the widow."""
    stage.wish(seat, Wish(21, 21, ("two_suits",)))
    ace = max(stage.hands[seat], key=lambda card: card.points)
    stage.deal(wishes, stage.suited(ace.suit, TEN))


def knocks_first(stage: WidowStage) -> None:
    """Let the first player knock, before anyone has exchanged."""
    stage.deal({1: able(stage)})
    stage.knock()


def best_hand(stage: WidowStage) -> None:
    """Play a hand without 31s to the end."""
    stage.deal({stage.first_knocker: able(stage)})
    first_turns(stage)
    last_turns(stage)
