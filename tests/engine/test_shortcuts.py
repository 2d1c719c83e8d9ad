"""The engine's shortcuts for speed say nothing that its rules do not say."""

import pytest
from hypothesis import given
from msgspec import UNSET
from msgspec.structs import replace

from engine.clerk import Clerk
from engine.deal import faults_of_deal, is_plainly_sound
from engine.legality import broken
from engine.ordinary import play_ordinary
from engine.presets import STANDARD, resolve
from engine.table import Table
from engine.transitions import CHANGES
from engine.valuation import worth
from schemas.cards import Card, in_order, pack
from schemas.hand import Deal, Discard, DrawStock, HandLog, Knock, Player, TakeDiscard
from schemas.rules import StockRules
from tests.making.damage import damaged_deal
from tests.making.dice import Dice
from tests.making.referee import Referee
from tests.strategies import dice, examples, legal_logs, rule_choices, tables

CARDS = in_order(pack(0))
HANDS = (CARDS[:3], CARDS[3:6], CARDS[6:9], CARDS[9:12])
COMMON = HandLog((Player(3),) * 4, dealer=1, deal=Deal(HANDS, upcard=CARDS[12]), events=())
"""A log of nothing but a deal, in which nothing is special."""


def draws_and_discards(referee: Referee, rolls: Dice) -> list[DrawStock | TakeDiscard | Discard]:
    """Return either draw and a discard for every seat, each of a card that is likely to matter."""
    table = referee.table
    cards = in_order({*pack(2)} if rolls.chance(20) else {*table.hands[table.to_act], *table.pile[-1:], *table.unseen})
    seats = (*table.seats, table.count + 1)
    named = [kind(seat, rolls.pick(cards)) for seat in seats for kind in (DrawStock, TakeDiscard, Discard)]
    return [*named, *[TakeDiscard(seat) for seat in seats]]


def after(table, play, event):
    """Return what playing an event returns, and all that the table holds then."""
    copy = table.copy(table.rules)
    played = play(copy, event)
    return played, {name: getattr(copy, name) for name in Table.__slots__}


def play(table, event):
    """Play an event if it is ordinary; return whether it was, and whether play goes on without a look at the rules."""
    stopped, is_played = play_ordinary(table, iter((event,)))
    assert stopped is None or stopped is event
    return stopped is None or is_played, stopped is None


def change(table, event):
    """Play an event as the rules have it."""
    CHANGES[type(event)](table, event)
    table.at += 1


@examples(2)
@given(legal_logs(StockRules), dice(600))
def test_what_is_played_as_ordinary_is_legal_and_played_as_the_rules_have_it(question, rolls):
    referee = Referee(question.hand, question.rules)
    for event in question.hand.events:
        if referee.ending:
            break
        for tried in (event, *draws_and_discards(referee, rolls)):
            table = referee.table
            unchanged = after(table, lambda *_: None, tried)[1]
            (played, _), then = after(table, play, tried)
            if played:
                assert not broken(table, tried), f"engine/ordinary.py plays {tried}, but it breaks a rule"
                assert then == after(table, change, tried)[1]
            else:
                assert then == unchanged
        _, goes_on = after(referee.table, play, event)[0]
        referee.play(event)
        if goes_on:
            assert referee.ending is None


def test_the_commonest_events_are_ordinary_and_played_in_one_go():
    """A shortcut that is never taken would be right as well."""
    rest = list(CARDS[13:])
    referee = Referee(COMMON, STANDARD)
    for turn in range(30):
        seat, card = (turn + 1) % 4 + 1, rest.pop()
        top, held = referee.table.pile[-1], referee.table.hands[seat][0]
        turns = (DrawStock(seat, card), Discard(seat, card)), (TakeDiscard(seat, top), Discard(seat, held))
        for event in turns[turn % 2]:
            referee.play(event)
    table, knock = Table(COMMON, STANDARD, referee.table.clerk), Knock(referee.table.to_act)
    left = iter((*referee.events, knock))
    assert play_ordinary(table, left) == (knock, False)
    assert (table.at, table.hands, table.pile) == (60, referee.table.hands, referee.table.pile)


@examples(5)
@given(tables(), rule_choices(), dice(40))
def test_a_deal_that_is_plainly_sound_breaks_no_rule(question, other, rolls):
    rules = question.rules if rolls.chance(80) else resolve(other).rules
    log = damaged_deal(rolls, question.hand)
    if is_plainly_sound(log, rules):
        assert not list(faults_of_deal(log, rules, Clerk(log.players, None)))


def test_the_commonest_deal_is_plainly_sound():
    assert is_plainly_sound(COMMON, STANDARD)


@pytest.mark.parametrize(
    "change",
    [
        {"dealer": 5},
        {"players": (Player(3),) * 3},
        {"players": (Player(3), Player(3), Player(3), Player(0))},
        {"players": (Player(3),), "deal": {"hands": HANDS[:1]}},
        {"deal": {"hands": (*HANDS, HANDS[0])}},
        {"deal": {"upcard": UNSET}},
        {"deal": {"upcard": HANDS[0][0]}},
        {"deal": {"upcard": Card("X1")}},
        {"deal": {"widow": CARDS[13:16]}},
        {"deal": {"stock": CARDS[13:]}},
    ],
)
def test_a_deal_that_a_rule_may_have_something_to_say_of_is_not_plainly_sound(change):
    deal = replace(COMMON.deal, **change.get("deal", {}))
    assert not is_plainly_sound(replace(COMMON, **{**change, "deal": deal}), STANDARD)


def test_a_worth_that_is_remembered_is_not_that_of_other_rules():
    triple = in_order(card for card in pack(0) if card.rank == "7")[:3]
    answers = ("none", "30", "30.5", "none")
    worths = [worth(triple, StockRules(three_of_a_kind=answer)).half_points for answer in answers]
    assert worths == [14, 60, 61, 14]
