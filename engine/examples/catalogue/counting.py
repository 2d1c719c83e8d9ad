"""Scenarios of what a hand counts."""

from collections.abc import Sequence

from engine.examples.catalogue.knocking import REACHABLE, held_by_knocker, knocked, one_is_lowest
from engine.examples.dealing import Wish
from engine.examples.recognition import both, cites, ended, refused_for, somebody
from engine.examples.scenario import Scenario, Shows
from engine.examples.stage import Stage
from engine.examples.stock_stage import StockStage, thrown_back
from engine.examples.widow_stage import WidowStage
from engine.rulebook import CARD_NOT_IN_PACK, JOKER, TRIPLE
from engine.valuation import is_triple
from schemas.cards import SUITS, Card
from schemas.ruling import SeatResult

_TEN, _ACE, _THIRTY = 10, 11, 30


def _jokers_in(cards: Sequence[Card]) -> int:
    return sum(card.is_joker for card in cards)


def _plays_out(stage: StockStage, keeper: int) -> None:
    """Let the first who may knock do so and all others take a turn, in which one player throws the drawn card away."""
    stage.wait(stage.turns_before_knock)
    stage.knock_if_able()
    for seat in stage.after(stage.first_knocker):
        if seat == keeper:
            stage.turn(thrown_back)
        else:
            stage.turn()


def _one_suit(stage: StockStage) -> None:
    held = held_by_knocker(stage, 18, 23)
    others = [(held, 30)] * (stage.players - 1)
    others[stage.chance.below(stage.players - 1)] = (max(24, held), max(29, held))
    knocked(stage, held, others)


def _three_suits(stage: StockStage) -> None:
    held = held_by_knocker(stage, 16, 21)
    keeper = stage.after(stage.first_knocker)[-1]
    stage.deal({stage.first_knocker: Wish(held, held), keeper: Wish(_TEN, _ACE, ("three_suits",))})
    _plays_out(stage, keeper)


def _triple(stage: StockStage) -> None:
    held = held_by_knocker(stage, 17, 23)
    keeper = stage.after(stage.first_knocker)[-1]
    stage.deal({stage.first_knocker: Wish(held, held), keeper: Wish(7, _TEN, ("triple",))})
    _plays_out(stage, keeper)


def _triple_against_thirty(stage: StockStage) -> None:
    keeper = stage.after(stage.first_knocker)[-1]
    stage.deal({stage.first_knocker: Wish(30, 30, ("one_suit",)), keeper: Wish(7, _TEN, ("triple",))})
    _plays_out(stage, keeper)


def joker_with(stage: Stage, seat: int, *points: int) -> None:
    """Deal a joker to a player, and cards of one suit with so many points."""
    suit = stage.chance.pick(SUITS)
    stage.give(seat, stage.jokers[:1])
    for wanted in points:
        stage.hands[seat].append(stage.remove(stage.suited(suit, wanted)))


def _joker(stage: StockStage) -> None:
    joker_with(stage, stage.first_knocker, _TEN, stage.chance.between(3, 8))
    stage.deal()
    _plays_out(stage, 0)


def _joker_makes_31(stage: StockStage) -> None:
    joker_with(stage, 1, _TEN, _TEN)
    stage.deal()
    stage.show(1)


def _joker_counts_nothing(stage: StockStage) -> None:
    joker_with(stage, stage.first_knocker, _ACE, _TEN)
    stage.deal(watching=[seat for seat in stage.seats[:2] if seat != stage.first_knocker])
    _plays_out(stage, 0)


def left_in_the_pack(stage: StockStage | WidowStage) -> None:
    """Deal a joker that the pack should not have, on the stage of either form."""
    stage.hands[1] = [Card.X1, stage.remove(stage.suited("s", _TEN)), stage.remove(stage.suited("h", 4))]
    stage.deal()


def _two_jokers(stage: StockStage) -> None:
    stage.give(stage.first_knocker, [*stage.jokers, stage.suited(stage.chance.pick(SUITS), stage.chance.between(4, 7))])
    stage.deal()
    _plays_out(stage, 0)


def _counts(kind: str, jokers: int = 0) -> Shows:
    """Return the test that a hand is settled and a player's hand counts as a kind, with so many jokers counted."""
    return somebody(lambda seat: seat.counts_as == kind and _jokers_in(seat.counted) == jokers)


def _suits(number: int) -> Shows:
    """Return the test that somebody's hand counts so many cards of its best suit, without jokers."""
    return somebody(
        lambda seat: seat.counts_as == "suit" and len(seat.counted) == number and not _jokers_in(seat.cards)
    )


def _is_worthless_triple(seat: SeatResult) -> bool:
    return is_triple(seat.cards) and seat.counts_as == "suit"


_TRIPLES_COUNT = ("30", "30.5")

COUNTING = (
    Scenario(
        id="counting-a-hand",
        title="Counting a hand",
        about="A hand counts its cards of one suit, whichever suit gives the most.",
        made_under={"minimum_knock": REACHABLE},
        script=one_is_lowest,
        shows=both(ended("knock"), _suits(2)),
    ),
    Scenario(
        id="three-of-one-suit",
        title="Three cards of one suit",
        about="All three cards of a hand are of one suit and count together.",
        made_under={"minimum_knock": REACHABLE},
        script=_one_suit,
        shows=both(ended("knock"), _suits(3)),
    ),
    Scenario(
        id="three-suits",
        title="Three cards of three suits",
        about="No two cards of a hand are of one suit, so that it counts its highest card alone.",
        made_under={"minimum_knock": REACHABLE},
        script=_three_suits,
        shows=both(ended("knock"), _suits(1)),
    ),
    Scenario(
        id="three-of-a-kind-counts-nothing",
        title="Three of a kind without a value of its own",
        about="Three cards of one rank are of three suits, and here they count but one card.",
        needs={"three_of_a_kind": ("none",)},
        made_under={"minimum_knock": REACHABLE},
        script=_triple,
        shows=both(cites(TRIPLE.id), ended("knock"), somebody(_is_worthless_triple)),
    ),
    Scenario(
        id="three-of-a-kind",
        title="Three of a kind",
        about="A player keeps three cards of one rank, which have a value of their own.",
        needs={"three_of_a_kind": _TRIPLES_COUNT},
        made_under={"minimum_knock": REACHABLE},
        script=_triple,
        shows=both(cites(TRIPLE.id), ended("knock"), _counts("three_of_a_kind")),
    ),
    Scenario(
        id="three-of-a-kind-against-thirty",
        title="Three of a kind against a 30 in one suit",
        about="A knocker has 30 in one suit, and another player has three of a kind.",
        needs={"three_of_a_kind": _TRIPLES_COUNT},
        made_under={"minimum_knock": REACHABLE},
        players=2,
        script=_triple_against_thirty,
        shows=both(
            cites(TRIPLE.id),
            ended("knock"),
            _counts("three_of_a_kind"),
            somebody(lambda seat: seat.value == _THIRTY and seat.counts_as == "suit"),
        ),
    ),
    Scenario(
        id="joker",
        title="A joker counts 11",
        about="A joker joins two cards of one suit as 11.",
        needs={"jokers": (1, 2)},
        made_under={"minimum_knock": range(24)},
        script=_joker,
        shows=both(cites(JOKER.id), ended("knock"), _counts("suit", 1)),
    ),
    Scenario(
        id="joker-makes-31",
        title="A joker makes 31",
        about="A player is dealt a joker and two ten-point cards of one suit.",
        needs={"jokers": (1, 2)},
        script=_joker_makes_31,
        shows=both(cites(JOKER.id), ended("thirty_one"), _counts("suit", 1)),
    ),
    Scenario(
        id="joker-counts-nothing",
        title="A joker that would go past 31",
        about="With an ace and a ten-point card of one suit a joker counts nothing, since 32 is too much.",
        needs={"jokers": (1, 2)},
        made_under={"minimum_knock": range(22), "first_knock": ("free", "ends_hand")},
        script=_joker_counts_nothing,
        shows=both(
            cites(JOKER.id), ended("knock"), somebody(lambda seat: _jokers_in(seat.cards) > _jokers_in(seat.counted))
        ),
    ),
    Scenario(
        id="two-jokers",
        title="Two jokers",
        about="Two jokers count 11 each in one hand.",
        needs={"jokers": (2,)},
        made_under={"minimum_knock": range(27)},
        script=_two_jokers,
        shows=both(cites(JOKER.id), ended("knock"), _counts("suit", 2)),
    ),
    Scenario(
        id="joker-left-in-the-pack",
        title="A joker left in the pack by mistake",
        about="A player is dealt a joker where there is none in the pack, and the cards have to be dealt again.",
        needs={"jokers": (0,)},
        script=left_in_the_pack,
        shows=refused_for(CARD_NOT_IN_PACK.id),
    ),
)
