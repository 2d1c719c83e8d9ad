"""Scenarios of the form with a widow and a pot."""

from collections.abc import Mapping

from engine.examples.catalogue.knocking import REACHABLE, just_below, knock_value
from engine.examples.dealing import THIRTY_ONE, Wish
from engine.examples.recognition import both, cites, ended, happens, refused_for, somebody
from engine.examples.scenario import Scenario
from engine.examples.stage import StuckError
from engine.examples.widow_stage import WidowStage
from engine.readings import first_knock
from engine.rulebook import (
    BELOW_MINIMUM,
    BEST_HAND,
    CARD_NOT_IN_PACK,
    EXCHANGE_COUNT,
    FIRST_KNOCK,
    FIRST_ROUND,
    JOKER,
    POT_BY_31,
    POT_TIE,
    TRIPLE,
)
from engine.valuation import THIRTY_ONE as BEST
from engine.valuation import is_triple
from schemas.cards import SUITS, Card
from schemas.hand import Declare, Exchange, HandLog, Knock, Stand
from schemas.ruling import Ruling, Settled

_TEN, _THIRTY_ONE = 10, 31
_LOW = Wish(9, 16)
_HIGH = Wish(25, 29)
_LASTING = Wish(19, 21, ("two_suits",))
"""A hand that is worth as much when its third card has been exchanged."""


def _first_turns(stage: WidowStage) -> None:
    """Let turns pass until a knock begins the last turns, and see that the hand is good enough."""
    for _ in range(stage.turns_before_knock):
        stage.turn()
        if stage.value(stage.to_act - 1 or stage.players) == BEST:
            raise StuckError
    _knock(stage)


def _knock(stage: WidowStage) -> None:
    if stage.value(stage.to_act) < 2 * stage.rules.minimum_knock:
        raise StuckError
    stage.knock()


def _last_turns(stage: WidowStage, *, to_31: bool = False) -> None:
    for _ in range(stage.players - 1):
        seat = stage.to_act
        stage.turn()
        if stage.value(seat) == BEST:
            if not to_31:
                raise StuckError
            stage.show(seat)


def _able(stage: WidowStage) -> Wish:
    """Return the wish for a hand good enough to knock."""
    return Wish(*knock_value(stage.rules, 18, 26))


def _best_hand(stage: WidowStage) -> None:
    stage.deal({stage.first_knocker: Wish(*knock_value(stage.rules, 18, 26))})
    _first_turns(stage)
    _last_turns(stage)


def _knocks_first(stage: WidowStage) -> None:
    stage.deal({1: Wish(*knock_value(stage.rules, 18, 27))})
    stage.knock()


def _too_early(stage: WidowStage) -> None:
    stage.deal({1: Wish(*knock_value(stage.rules, 22, 28))})
    stage.knock()


def _too_little(stage: WidowStage) -> None:
    least = stage.rules.minimum_knock
    stage.deal({stage.first_knocker: just_below(least)})
    for _ in range(stage.turns_before_knock):
        stage.turn()
    if stage.value(stage.to_act) >= 2 * least:
        raise StuckError
    stage.knock()


def _several(stage: WidowStage) -> None:
    stage.deal({1: _LOW, max(1, stage.turns_before_knock) % stage.players + 1: _able(stage)})
    stage.turn(several=True)
    for _ in range(stage.turns_before_knock - 1):
        stage.turn()
    _knock(stage)
    _last_turns(stage)


def _too_many(stage: WidowStage) -> None:
    stage.deal()
    given = sorted(stage.hands[1], key=lambda card: card.points)[:2]
    taken = sorted(stage.widow, key=lambda card: -card.points)[:2]
    stage.play(Exchange(1, tuple(given), tuple(taken)))


def _deal_one_short(stage: WidowStage, seat: int, wishes: Mapping[int, Wish] | None = None) -> None:
    """Deal an ace and a ten-point card of a suit to a player, and another such card to the widow."""
    stage.wish(seat, Wish(21, 21, ("two_suits",)))
    ace = max(stage.hands[seat], key=lambda card: card.points)
    stage.deal(wishes, stage.suited(ace.suit, _TEN))


def _makes_31(stage: WidowStage) -> None:
    _deal_one_short(stage, 1)
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
    _deal_one_short(stage, stage.after(stage.first_knocker)[0], {stage.first_knocker: _able(stage)})
    _first_turns(stage)
    _last_turns(stage, to_31=True)


def _met(stage: WidowStage) -> None:
    stage.wish(stage.first_knocker, THIRTY_ONE)
    _deal_one_short(stage, stage.after(stage.first_knocker)[0])
    for _ in range(stage.turns_before_knock):
        stage.turn()
    stage.show(stage.to_act)
    stage.knock()
    _last_turns(stage, to_31=True)


def _tie(stage: WidowStage) -> None:
    least, greatest, shapes = _LASTING if stage.turns_before_knock == stage.players else _HIGH
    high = stage.chance.between(*knock_value(stage.rules, least, greatest))
    first, last = stage.first_knocker, stage.after(stage.first_knocker)[0]
    wishes = {seat: Wish(high, high, shapes) if seat in (first, last) else Wish(9, 20) for seat in stage.seats}
    stage.deal(wishes, dull_to=(first, last))
    _first_turns(stage)
    _last_turns(stage)


def _same_ranks(stage: WidowStage) -> None:
    first, last = stage.first_knocker, stage.after(stage.first_knocker)[0]
    least, greatest, shapes = _LASTING if stage.turns_before_knock == stage.players else _HIGH
    stage.wish(first, Wish(*knock_value(stage.rules, least, greatest), shapes))
    ranks = [card.rank for card in stage.hands[first]]
    suit = stage.chance.pick("shdc")
    stage.give(last, [Card(rank + suit) for rank in ranks])
    stage.deal(dict.fromkeys(stage.seats, Wish(9, 20)), dull_to=(first, last))
    _first_turns(stage)
    _last_turns(stage)


def _keeps(stage: WidowStage) -> None:
    keeper = stage.after(stage.first_knocker)[0]
    stage.deal({stage.first_knocker: Wish(*knock_value(stage.rules, 18, 24)), keeper: Wish(27, 30)})
    _first_turns(stage)
    stage.stand()
    for _ in range(stage.players - 2):
        stage.turn()


def _triple(stage: WidowStage) -> None:
    held = Wish(7, _TEN, ("triple",))
    stage.deal({stage.first_knocker: _able(stage), stage.after(stage.first_knocker)[0]: held})
    _first_turns(stage)
    _last_turns(stage)


def _worthless_triple(stage: WidowStage) -> None:
    stage.wish(2, Wish(7, _TEN, ("triple",)))
    (suit,) = set(SUITS) - {card.suit for card in stage.hands[2]}
    stage.deal({1: _able(stage)}, *[stage.suited(suit, few) for few in (2, 4, 6)])
    stage.knock()
    if not first_knock(stage.rules).ends_hand:
        _last_turns(stage)


def _left_in_the_pack(stage: WidowStage) -> None:
    stage.hands[1] = [Card.X1, stage.remove(stage.suited("s", _TEN)), stage.remove(stage.suited("h", 4))]
    stage.deal()


def _joker(stage: WidowStage) -> None:
    seat = stage.after(stage.first_knocker)[0]
    suit = stage.chance.pick("shdc")
    stage.give(seat, [stage.jokers[0], stage.suited(suit, _TEN), stage.suited(suit, 8)])
    stage.deal({stage.first_knocker: _able(stage)})
    _first_turns(stage)
    _last_turns(stage)


def _wins_without_sharing(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and len(ruling.pot_winners or ()) == 1


def _not_for_the_knocker_alone(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and ruling.pot_winners != (ruling.knocker,)


def _shares(_: HandLog, ruling: Ruling) -> bool:
    return isinstance(ruling, Settled) and len(ruling.pot_winners or ()) > 1


_POINTS = {"minimum_knock": REACHABLE}

WIDOW = (
    Scenario(
        id="widow-best-hand",
        title="The best hand takes the pot",
        about="A player knocks, the others exchange a last time, and the best hand wins.",
        form="widow",
        needs=_POINTS,
        script=_best_hand,
        shows=both(cites(BEST_HAND.id), ended("knock"), happens(Exchange)),
    ),
    Scenario(
        id="widow-knock-ends-the-hand",
        title="A knock before any exchange ends the hand",
        about="The first player knocks before anyone has exchanged, and all show at once.",
        form="widow",
        needs={"first_knock": ("ends_hand",)},
        made_under={"minimum_knock": REACHABLE},
        script=_knocks_first,
        shows=both(cites(FIRST_KNOCK.id), ended("first_knock")),
    ),
    Scenario(
        id="widow-knock-at-once",
        title="A knock before any exchange",
        about="The first player knocks before anyone has exchanged, and the others still have a last turn.",
        form="widow",
        needs={"first_knock": ("free",)},
        made_under={"minimum_knock": REACHABLE},
        script=_best_hand,
        shows=ended("knock"),
    ),
    Scenario(
        id="widow-knock-too-early",
        title="A knock before everyone has exchanged",
        about="The first player wants to knock with a good hand, but the first round is not over.",
        form="widow",
        needs={"first_knock": ("after_first_round",)},
        made_under={"minimum_knock": REACHABLE},
        script=_too_early,
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
        made_under={"minimum_knock": REACHABLE},
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
        made_under={"minimum_knock": REACHABLE},
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
        needs=_POINTS,
        script=_tie,
        shows=both(cites(POT_TIE.id), ended("knock")),
    ),
    Scenario(
        id="pot-tie-decided-by-rank",
        title="A tie for the pot decided by the ranks",
        about="The two best hands are worth the same, and one of them has the higher card.",
        form="widow",
        needs={"pot_tie": ("card_rank",)},
        made_under={"minimum_knock": REACHABLE},
        script=_tie,
        shows=both(cites(POT_TIE.id), ended("knock"), _wins_without_sharing),
    ),
    Scenario(
        id="pot-tie-of-the-same-ranks",
        title="A tie for the pot with the same ranks",
        about="The two best hands have the same ranks in two suits, so that nothing is left but to share.",
        form="widow",
        needs=_POINTS,
        script=_same_ranks,
        shows=both(cites(POT_TIE.id), ended("knock"), _shares),
    ),
    Scenario(
        id="widow-keeping-a-good-hand",
        title="A good hand kept on the last turn, with a widow",
        about="On a last turn nothing in the widow is better, and the player keeps the hand.",
        form="widow",
        needs=_POINTS,
        script=_keeps,
        shows=both(happens(Knock, Stand), ended("knock")),
    ),
    Scenario(
        id="widow-three-of-a-kind",
        title="Three of a kind, with a widow",
        about="A player holds three cards of one rank, which have a value of their own.",
        form="widow",
        needs={"three_of_a_kind": ("30", "30.5")},
        made_under={"minimum_knock": REACHABLE},
        script=_triple,
        shows=both(cites(TRIPLE.id), somebody(lambda seat: seat.counts_as == "three_of_a_kind")),
    ),
    Scenario(
        id="widow-three-of-a-kind-counts-nothing",
        title="Three of a kind without a value of its own, with a widow",
        about="Three cards of one rank are of three suits, and here they count but one card.",
        form="widow",
        needs={"three_of_a_kind": ("none",)},
        made_under={"first_knock": ("ends_hand", "free"), "minimum_knock": REACHABLE},
        script=_worthless_triple,
        shows=both(cites(TRIPLE.id), somebody(lambda seat: is_triple(seat.cards) and seat.counts_as == "suit")),
    ),
    Scenario(
        id="widow-joker-left-in-the-pack",
        title="A joker left in the pack by mistake, with a widow",
        about="A player is dealt a joker where there is none in the pack, and the cards have to be dealt again.",
        form="widow",
        needs={"jokers": (0,)},
        script=_left_in_the_pack,
        shows=refused_for(CARD_NOT_IN_PACK.id),
    ),
    Scenario(
        id="widow-joker",
        title="A joker, with a widow",
        about="A joker joins two cards of one suit as 11.",
        form="widow",
        needs={"jokers": (1, 2)},
        made_under={"minimum_knock": REACHABLE},
        script=_joker,
        shows=both(cites(JOKER.id), ended("knock")),
    ),
)
