"""Scenarios of the form with a widow: the 31, and who takes the pot."""

from engine.examples.catalogue.knocking import knock_value
from engine.examples.catalogue.widow_play import POINTS, able, best_hand, deal_one_short, first_turns, last_turns
from engine.examples.dealing import THIRTY_ONE, Wish
from engine.examples.recognition import both, cites, ended, happens, somebody
from engine.examples.scenario import Scenario
from engine.examples.widow_stage import WidowStage
from engine.rulebook import BEST_HAND, POT_BY_31, POT_TIE
from schemas.cards import SUITS, Card
from schemas.hand import Declare, Exchange, HandLog, Knock
from schemas.ruling import Ruling, Settled

_THIRTY_ONE = 31
_HIGH = Wish(25, 29)
_LASTING = Wish(19, 21, ("two_suits",))
"""A hand that is worth as much when its third card has been exchanged."""


def _makes_31(stage: WidowStage) -> None:
    deal_one_short(stage, 1)
    stage.turn()
    stage.show(1)


def _dealt_31(stage: WidowStage) -> None:
    stage.deal({1: THIRTY_ONE})
    stage.show(1)


def _two_31s(stage: WidowStage) -> None:
    second = stage.chance.between(2, stage.players)
    stage.deal({1: THIRTY_ONE, second: THIRTY_ONE})
    stage.show(1, second)


def _top_hand(stage: WidowStage) -> None:
    deal_one_short(stage, stage.after(stage.first_knocker)[0], {stage.first_knocker: able(stage)})
    first_turns(stage)
    last_turns(stage, to_31=True)


def _met(stage: WidowStage) -> None:
    stage.wish(stage.first_knocker, THIRTY_ONE)
    deal_one_short(stage, stage.after(stage.first_knocker)[0])
    for _ in range(stage.turns_before_knock):
        stage.turn()
    stage.show(stage.to_act)
    stage.knock()
    last_turns(stage, to_31=True)


def _tie(stage: WidowStage) -> None:
    least, greatest, shapes = _LASTING if stage.turns_before_knock == stage.players else _HIGH
    high = stage.chance.between(*knock_value(stage.rules, least, greatest))
    first, last = stage.first_knocker, stage.after(stage.first_knocker)[0]
    wishes = {seat: Wish(high, high, shapes) if seat in (first, last) else Wish(9, 20) for seat in stage.seats}
    stage.deal(wishes, dull_to=(first, last))
    first_turns(stage)
    last_turns(stage)


def _same_ranks(stage: WidowStage) -> None:
    first, last = stage.first_knocker, stage.after(stage.first_knocker)[0]
    least, greatest, shapes = _LASTING if stage.turns_before_knock == stage.players else _HIGH
    stage.wish(first, Wish(*knock_value(stage.rules, least, greatest), shapes))
    ranks = [card.rank for card in stage.hands[first]]
    suit = stage.chance.pick(SUITS)
    stage.give(last, [Card(rank + suit) for rank in ranks])
    stage.deal(dict.fromkeys(stage.seats, Wish(9, 20)), dull_to=(first, last))
    first_turns(stage)
    last_turns(stage)


def _wins_without_sharing(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and len(ruling.pot_winners or ()) == 1


def _not_for_the_knocker_alone(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and ruling.pot_winners != (ruling.knocker,)


def _shares(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and len(ruling.pot_winners or ()) > 1


POT = (
    Scenario(
        id="widow-best-hand",
        title="The best hand takes the pot",
        about="A player knocks, the others exchange a last time, and the best hand wins.",
        form="widow",
        made_under=POINTS,
        script=best_hand,
        shows=both(cites(BEST_HAND.id), ended("knock"), happens(Exchange)),
    ),
    Scenario(
        id="widow-31",
        title="A 31 takes the pot",
        about="A player makes 31 by an exchange, shows it, and the hand is over.",
        form="widow",
        needs={"thirty_one": ("wins_at_once",)},
        script=_makes_31,
        shows=both(cites(POT_BY_31.id), ended("thirty_one"), happens(Exchange)),
    ),
    Scenario(
        id="widow-dealt-31",
        title="A 31 in the deal takes the pot",
        about="A player is dealt 31 and shows it before anyone has exchanged.",
        form="widow",
        needs={"thirty_one": ("wins_at_once",)},
        script=_dealt_31,
        shows=both(cites(POT_BY_31.id), ended("thirty_one"), lambda hand, _: not isinstance(hand.events[0], Exchange)),
    ),
    Scenario(
        id="widow-two-31s",
        title="Two 31s share the pot",
        about="Two players are dealt 31 and show it.",
        form="widow",
        needs={"thirty_one": ("wins_at_once",)},
        script=_two_31s,
        shows=both(ended("thirty_one"), happens(Declare), _shares),
    ),
    Scenario(
        id="widow-31-as-the-top-hand",
        title="A 31 is only the top hand",
        about="On a last turn a player makes 31 and shows it, but play goes on, and it is the best hand when all show.",
        form="widow",
        needs={"thirty_one": ("top_hand",)},
        made_under=POINTS,
        script=_top_hand,
        shows=both(ended("knock"), somebody(lambda seat: seat.value == _THIRTY_ONE)),
    ),
    Scenario(
        id="widow-31-met-by-another",
        title="A 31 that another player still meets",
        about="A player shows 31 and knocks, and on the last turn another player makes one as good.",
        form="widow",
        needs={"thirty_one": ("top_hand",)},
        script=_met,
        shows=both(cites(POT_TIE.id), ended("knock"), happens(Declare, Knock), _not_for_the_knocker_alone),
    ),
    Scenario(
        id="pot-tie",
        title="Two hands tie for the pot",
        about="The two best hands are worth the same.",
        form="widow",
        made_under=POINTS,
        script=_tie,
        shows=both(cites(POT_TIE.id), ended("knock")),
    ),
    Scenario(
        id="pot-tie-decided-by-rank",
        title="A tie for the pot decided by the ranks",
        about="The two best hands are worth the same, and one of them has the higher card.",
        form="widow",
        needs={"pot_tie": ("card_rank",)},
        made_under=POINTS,
        script=_tie,
        shows=both(cites(POT_TIE.id), ended("knock"), _wins_without_sharing),
    ),
    Scenario(
        id="pot-tie-of-the-same-ranks",
        title="A tie for the pot with the same ranks",
        about="The two best hands have the same ranks in two suits, so that nothing is left but to share.",
        form="widow",
        made_under=POINTS,
        script=_same_ranks,
        shows=both(cites(POT_TIE.id), ended("knock"), _shares),
    ),
)
