"""Scenarios of the form with a widow: turns, knocks, and what hands count."""

from engine.examples.catalogue.counting import joker_with, left_in_the_pack
from engine.examples.catalogue.knocking import just_below, knock_value
from engine.examples.catalogue.widow_play import POINTS, TEN, able, best_hand, first_turns, knocks_first, last_turns
from engine.examples.dealing import Wish
from engine.examples.recognition import both, cites, ended, happens, refused_for, somebody
from engine.examples.scenario import Scenario
from engine.examples.stage import StuckError
from engine.examples.widow_stage import WidowStage
from engine.readings import first_knock
from engine.rulebook import (
    BELOW_MINIMUM,
    CARD_NOT_IN_PACK,
    EXCHANGE_COUNT,
    FIRST_KNOCK,
    FIRST_ROUND,
    JOKER,
    TRIPLE,
)
from engine.valuation import is_triple
from schemas.cards import SUITS
from schemas.hand import Exchange, Knock, Stand

_LOW = Wish(9, 16)


def _too_little(stage: WidowStage) -> None:
    least = stage.rules.minimum_knock
    stage.deal({stage.first_knocker: just_below(least)})
    for _ in range(stage.turns_before_knock):
        stage.turn()
    if stage.value(stage.to_act) >= 2 * least:
        raise StuckError
    stage.knock()


def _several(stage: WidowStage) -> None:
    stage.deal({1: _LOW, max(1, stage.turns_before_knock) % stage.players + 1: able(stage)})
    stage.turn(several=True)
    for _ in range(stage.turns_before_knock - 1):
        stage.turn()
    stage.knock_if_able()
    last_turns(stage)


def _too_many(stage: WidowStage) -> None:
    stage.deal()
    given = sorted(stage.hands[1], key=lambda card: card.points)[:2]
    taken = sorted(stage.widow, key=lambda card: -card.points)[:2]
    stage.play(Exchange(1, tuple(given), tuple(taken)))


def _keeps(stage: WidowStage) -> None:
    keeper = stage.after(stage.first_knocker)[0]
    stage.deal({stage.first_knocker: Wish(*knock_value(stage.rules, 18, 24)), keeper: Wish(27, 30)})
    first_turns(stage)
    stage.stand()
    for _ in range(stage.players - 2):
        stage.turn()


def _triple(stage: WidowStage) -> None:
    held = Wish(7, TEN, ("triple",))
    stage.deal({stage.first_knocker: able(stage), stage.after(stage.first_knocker)[0]: held})
    first_turns(stage)
    last_turns(stage)


def _worthless_triple(stage: WidowStage) -> None:
    stage.wish(2, Wish(7, TEN, ("triple",)))
    (suit,) = set(SUITS) - {card.suit for card in stage.hands[2]}
    stage.deal({1: able(stage)}, *[stage.suited(suit, few) for few in (2, 4, 6)])
    stage.knock()
    if not first_knock(stage.rules).ends_hand:
        last_turns(stage)


def _joker(stage: WidowStage) -> None:
    joker_with(stage, stage.after(stage.first_knocker)[0], TEN, 8)
    stage.deal({stage.first_knocker: able(stage)})
    first_turns(stage)
    last_turns(stage)


WIDOW_TURNS = (
    Scenario(
        id="widow-knock-ends-the-hand",
        title="A knock before any exchange ends the hand",
        about="The first player knocks before anyone has exchanged, and all show at once.",
        form="widow",
        needs={"first_knock": ("ends_hand",)},
        made_under=POINTS,
        script=knocks_first,
        shows=both(cites(FIRST_KNOCK.id), ended("first_knock")),
    ),
    Scenario(
        id="widow-knock-at-once",
        title="A knock before any exchange",
        about="The first player knocks before anyone has exchanged, and the others still have a last turn.",
        form="widow",
        needs={"first_knock": ("free",)},
        made_under=POINTS,
        script=best_hand,
        shows=ended("knock"),
    ),
    Scenario(
        id="widow-knock-too-early",
        title="A knock before everyone has exchanged",
        about="The first player wants to knock with a good hand, but the first round is not over.",
        form="widow",
        needs={"first_knock": ("after_first_round",)},
        made_under=POINTS,
        script=knocks_first,
        shows=refused_for(FIRST_ROUND.id),
    ),
    Scenario(
        id="widow-too-little-to-knock",
        title="A hand that is not good enough to knock, with a widow",
        about="A player wants to knock with fewer points than the house asks for.",
        form="widow",
        needs={"minimum_knock": range(3, 32)},
        script=_too_little,
        shows=refused_for(BELOW_MINIMUM.id),
    ),
    Scenario(
        id="widow-exchange-several",
        title="Several cards exchanged at once",
        about="A player gives two or three cards to the widow and takes as many.",
        form="widow",
        needs={"exchange": ("any",)},
        made_under=POINTS,
        script=_several,
        shows=both(ended("knock"), happens(Exchange)),
    ),
    Scenario(
        id="widow-exchange-too-many",
        title="Only one card may be exchanged",
        about="A player wants to exchange two cards with the widow in one turn.",
        form="widow",
        needs={"exchange": ("one",)},
        script=_too_many,
        shows=refused_for(EXCHANGE_COUNT.id),
    ),
    Scenario(
        id="widow-keeping-a-good-hand",
        title="A good hand kept on the last turn, with a widow",
        about="On a last turn nothing in the widow is better, and the player keeps the hand.",
        form="widow",
        made_under=POINTS,
        script=_keeps,
        shows=both(happens(Knock, Stand), ended("knock")),
    ),
    Scenario(
        id="widow-three-of-a-kind",
        title="Three of a kind, with a widow",
        about="A player holds three cards of one rank, which have a value of their own.",
        form="widow",
        needs={"three_of_a_kind": ("30", "30.5")},
        made_under=POINTS,
        script=_triple,
        shows=both(cites(TRIPLE.id), somebody(lambda seat: seat.counts_as == "three_of_a_kind")),
    ),
    Scenario(
        id="widow-three-of-a-kind-counts-nothing",
        title="Three of a kind without a value of its own, with a widow",
        about="Three cards of one rank are of three suits, and here they count but one card.",
        form="widow",
        needs={"three_of_a_kind": ("none",)},
        made_under={"first_knock": ("ends_hand", "free"), **POINTS},
        script=_worthless_triple,
        shows=both(cites(TRIPLE.id), somebody(lambda seat: is_triple(seat.cards) and seat.counts_as == "suit")),
    ),
    Scenario(
        id="widow-joker-left-in-the-pack",
        title="A joker left in the pack by mistake, with a widow",
        about="A player is dealt a joker where there is none in the pack, and the cards have to be dealt again.",
        form="widow",
        needs={"jokers": (0,)},
        script=left_in_the_pack,
        shows=refused_for(CARD_NOT_IN_PACK.id),
    ),
    Scenario(
        id="widow-joker",
        title="A joker, with a widow",
        about="A joker joins two cards of one suit as 11.",
        form="widow",
        needs={"jokers": (1, 2)},
        made_under=POINTS,
        script=_joker,
        shows=both(cites(JOKER.id), ended("knock")),
    ),
)
