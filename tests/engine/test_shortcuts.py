"""The engine's shortcuts for speed say nothing that its rules do not say."""

from hypothesis import given

from engine.acts import PLAINLY_LEGAL
from engine.legality import broken
from engine.presets import STANDARD
from engine.valuation import worth
from schemas.cards import in_order, pack
from schemas.hand import Deal, Discard, DrawStock, HandLog, Player, TakeDiscard
from schemas.rules import StockRules
from tests.making.dice import Dice
from tests.making.referee import Referee
from tests.strategies import dice, examples, legal_logs

PLAIN = PLAINLY_LEGAL[StockRules]


def draws_and_discards(referee: Referee, rolls: Dice) -> list[DrawStock | TakeDiscard | Discard]:
    """Return either draw and a discard for every seat, each of a card that is likely to matter."""
    table = referee.table
    cards = in_order({*pack(2)} if rolls.chance(20) else {*table.hands[table.to_act], *table.pile[-1:], *table.unseen})
    seats = (*table.seats, table.count + 1)
    named = [kind(seat, rolls.pick(cards)) for seat in seats for kind in (DrawStock, TakeDiscard, Discard)]
    return [*named, *[TakeDiscard(seat) for seat in seats]]


@examples(2)
@given(legal_logs(StockRules), dice(600))
def test_what_is_plainly_legal_breaks_no_rule(question, rolls):
    referee = Referee(question.hand, question.rules)
    for event in question.hand.events:
        if referee.ending:
            break
        for tried in (event, *draws_and_discards(referee, rolls)):
            if type(tried) in PLAIN and PLAIN[type(tried)](referee.table, tried):
                assert not broken(referee.table, tried), (
                    f"engine/acts.py calls {tried} plainly legal, but it breaks a rule"
                )
        referee.play(event)


def test_the_commonest_events_are_plainly_legal():
    """A shortcut that is never taken would be right as well."""
    rest = list(in_order(pack(0)))
    hands = tuple(tuple(rest.pop() for _ in range(3)) for _ in range(4))
    log = HandLog((Player(3),) * 4, dealer=4, deal=Deal(hands, upcard=rest.pop()), events=())
    referee = Referee(log, STANDARD)
    for turn in range(30):
        seat, card = turn % 4 + 1, rest.pop()
        top, held = referee.table.pile[-1], referee.table.hands[seat][0]
        turns = (DrawStock(seat, card), Discard(seat, card)), (TakeDiscard(seat, top), Discard(seat, held))
        for event in turns[turn % 2]:
            assert PLAIN[type(event)](referee.table, event)
            referee.play(event)


def test_a_worth_that_is_remembered_is_not_that_of_other_rules():
    triple = in_order(card for card in pack(0) if card.rank == "7")[:3]
    answers = ("none", "30", "30.5", "none")
    worths = [worth(triple, StockRules(three_of_a_kind=answer)).half_points for answer in answers]
    assert worths == [14, 60, 61, 14]
