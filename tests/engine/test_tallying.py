"""The tally: told only who lost what in each hand, it comes to what the hands themselves would have led to."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from engine.games import play
from engine.presets import PRESET_BY_ID
from engine.tallying import tally
from schemas.game import GamePlayer
from schemas.rules import StockRules
from schemas.ruling import Settled
from tests.engine.test_games import judge_by
from tests.strategies import examples, games

PAGAT = PRESET_BY_ID["pagat"].rules
ANN, BOB, CLEO = 1, 2, 3
NAMES = tuple(map(GamePlayer, ("Ann", "Bob", "Cleo")))


def tallied(*hands, rules=PAGAT, lives=3):
    return tally(NAMES, CLEO, lives, rules, hands)


@examples(3)
@given(games().filter(lambda made: isinstance(made.opening.rules, StockRules)))
def test_a_tally_comes_to_what_the_game_does(made):
    opening, rules = made.opening, made.opening.rules
    game = play(opening, made.given, judge_by(rules))
    hands = [hand for hand in game.hands if isinstance(hand.ruling, Settled)]
    told = [
        {
            # A hand that is played again has cost nothing, so say what it would have cost.
            seat: -99 if hand.ruling.play_again else result.change
            for seat, result in zip(hand.seats, hand.ruling.seats, strict=True)
        }
        for hand in hands
    ]
    found = tally(opening.players, opening.dealer, opening.lives, rules, told)
    assert [each.dealer for each in found.hands] == [hand.dealer for hand in hands]
    for each, hand in zip(found.hands, hands, strict=True):
        assert list(each.changes.values()) == [result.change for result in hand.ruling.seats]
        assert [each.lives[seat] for seat in hand.seats] == [result.after for result in hand.ruling.seats]
        assert each.ruling.winners == hand.ruling.winners
    if hands:
        assert tuple(found.left.status.values()) == hands[-1].status
        assert found.left.winners == game.winners
        assert found.left.over == hands[-1].ruling.game_over


def test_lives_county_and_out():
    found = tallied({ANN: -2}, {ANN: -1, BOB: -1}, {ANN: -1})
    assert [hand.lives for hand in found.hands] == [
        {ANN: 1, BOB: 3, CLEO: 3},
        {ANN: 0, BOB: 2, CLEO: 3},
        {ANN: 0, BOB: 2, CLEO: 3},
    ]
    assert found.left.status == {ANN: "out", BOB: "in", CLEO: "in"}
    assert [hand.dealer for hand in found.hands] == [CLEO, ANN, BOB]
    assert found.left.dealer == CLEO


def test_who_is_out_loses_nothing_more_and_does_not_deal():
    found = tallied({ANN: -3}, {ANN: -1}, {ANN: -2}, {CLEO: -1}, {ANN: -1})
    assert ANN not in found.hands[-1].changes
    assert [hand.dealer for hand in found.hands] == [CLEO, ANN, BOB, CLEO, BOB]


@pytest.mark.parametrize(("answer", "status"), [("out", "out"), ("county", "county")])
def test_more_than_is_left(answer, status):
    found = tallied({ANN: -2}, {ANN: -2}, rules=replace(PAGAT, loss_beyond_lives=answer))
    assert (found.left.lives[ANN], found.left.status[ANN]) == (0, status)


def test_a_hand_that_puts_out_everyone_is_played_again_by_the_same_dealer():
    found = tallied({ANN: -1, BOB: -1, CLEO: -1}, {ANN: -1, BOB: -1, CLEO: -1}, lives=1)
    assert found.hands[-1].ruling.play_again
    assert found.left.dealer == found.hands[-1].dealer
    assert set(found.left.status.values()) == {"county"}


def test_nothing_follows_the_end():
    found = tallied({ANN: -2}, {BOB: -2}, {CLEO: -1}, rules=replace(PAGAT, county="none"), lives=1)
    assert (len(found.hands), found.left.over, found.left.winners) == (2, True, (CLEO,))


def test_a_life_is_won_back_once_and_only_from_the_brink():
    rules = replace(PAGAT, redemption="best_hand")
    found = tallied({ANN: 1}, {ANN: -3}, {ANN: 1}, {ANN: -1}, {ANN: 1}, rules=rules)
    assert [hand.changes[ANN] for hand in found.hands] == [0, -3, 1, -1, 0]
    assert found.left.redeemed == {ANN}
    assert tallied({ANN: -3}, {ANN: 1}).hands[-1].changes[ANN] == 0
