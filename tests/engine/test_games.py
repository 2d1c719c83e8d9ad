"""Laws of the game: it is its hands, each judged by itself with what the others have left."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.games import LIVES_WITHOUT_MEANING, Opening, play
from engine.presets import PRESET_BY_ID, STANDARD
from engine.rulebook import RULE_BY_ID
from schemas.game import GameHand, GamePlayer
from schemas.ruling import Refused, Settled, Unfinished
from tests.game_stories import FAULTS, TO_A_WINNER, shown
from tests.strategies import examples, games

decode_hands = msgspec.json.Decoder(list[GameHand]).decode


def judge_by(rules):
    return lambda hand: adjudicate(hand, rules)


def played(made, hands=None):
    return play(made.opening, made.given if hands is None else hands, judge_by(made.opening.rules))


@examples(3)
@given(games())
def test_a_game_is_its_hands_judged_by_themselves_with_what_is_carried(made):
    found = played(made)
    assert [hand.hand for hand in found.hands] == made.hands
    assert [hand.ruling for hand in found.hands] == made.rulings
    assert [list(hand.seats) for hand in found.hands] == made.seats
    assert [list(hand.lives) for hand in found.hands] == made.sheet
    last = made.rulings[-1]
    if isinstance(last, Settled) and last.game_over:
        assert (found.outcome, found.next_dealer) == ("over", None)
        assert found.winners == tuple(made.seats[-1][seat - 1] for seat in last.winners)
    else:
        assert found.outcome == ("refused" if isinstance(last, Refused) else "under_way")
        assert found.winners == ()
        assert (found.next_dealer is None) == isinstance(last, Unfinished)


@examples(1)
@given(games())
def test_everybody_goes_out_at_most_once_and_never_plays_again(made):
    found = played(made)
    assert len({out.seat for out in found.out}) == len(found.out)
    for out in found.out:
        assert all((out.seat in hand.seats) == (place <= out.hand) for place, hand in enumerate(found.hands))
    if found.hands:
        last = found.hands[-1]
        assert {seat for seat, lives in enumerate(last.lives, start=1) if lives is None} == {o.seat for o in found.out}
        assert [lives is None for lives in last.lives] == [status == "out" for status in last.status]


@examples(1)
@given(games(), st.integers(0, 8))
def test_later_hands_change_nothing_of_earlier_ones(made, number):
    shorter = played(made, made.given[:number])
    assert shorter.hands == played(made).hands[:number]
    assert shorter.unjudged == 0


@examples(1)
@given(games(), st.integers(1, 3))
def test_nothing_follows_the_last_hand_of_a_game_that_stopped(made, more):
    found, longer = played(made), played(made, made.given + made.given[:1] * more)
    if found.outcome == "under_way" and not isinstance(made.rulings[-1], Unfinished):
        return
    assert longer.hands == found.hands
    assert (longer.outcome, longer.unjudged) == ("refused", more)
    if found.outcome != "refused":
        assert longer.refusal.hand == len(found.hands)
        assert [cited.rule for cited in longer.refusal.broken] == [
            "game.over" if found.outcome == "over" else "game.unfinished"
        ]


@examples(1)
@given(games(), st.data())
def test_a_hand_that_says_otherwise_is_refused_and_not_judged(made, data):
    place = data.draw(st.integers(0, len(made.given) - 1))
    hand, seats = made.given[place], made.seats[place]
    wrong = data.draw(st.sampled_from(["dealer", "lives", "redeemed", "name"]))
    if wrong == "dealer":
        said, seat = replace(hand, dealer=made.hands[place].dealer % len(seats) + 1), None
    elif hand.players is UNSET:
        return
    else:
        at = data.draw(st.integers(0, len(seats) - 1))
        right = made.hands[place].players[at]
        value = {"lives": right.lives + 1, "redeemed": not right.redeemed, "name": right.name + "!"}[wrong]
        players = list(hand.players)
        players[at] = replace(players[at], **{wrong: value})
        said, seat = replace(hand, players=tuple(players)), seats[at]
    found = played(made, [*made.given[:place], said, *made.given[place + 1 :]])
    assert (found.outcome, found.refusal.hand, len(found.hands)) == ("refused", place, place)
    (cited,) = found.refusal.broken
    assert cited.rule == f"game.{wrong}"
    assert seat is None or cited.seats == (seat,)


def opening(story, rules=STANDARD):
    return Opening(tuple(GamePlayer(player.get("name", UNSET)) for player in story["players"]), story["dealer"], rules)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_what_is_broken_refuses(fault):
    hands = decode_hands(msgspec.json.encode(fault.game["hands"]))
    found = play(opening(fault.game), hands, judge_by(STANDARD))
    assert found.refusal.hand == fault.hand
    assert all(RULE_BY_ID[cited.rule].refuses for cited in found.refusal.broken)


def test_each_hand_is_judged_once_and_none_after_the_game_stops():
    judged = []

    def judge(hand):
        judged.append(hand)
        return adjudicate(hand, STANDARD)

    hands = decode_hands(msgspec.json.encode([*TO_A_WINNER["hands"], shown(2, 2, knocker=1)]))
    found = play(opening(TO_A_WINNER), hands, judge)
    assert judged == [hand.hand for hand in found.hands]
    assert len(judged) == 8


@pytest.mark.parametrize("preset", PRESET_BY_ID)
def test_a_game_starts_with_the_lives_of_its_rules(preset):
    rules = PRESET_BY_ID[preset].rules
    hands = decode_hands(msgspec.json.encode([shown(2, 2, knocker=1)]))
    (only,) = play(opening({"players": [{}, {}], "dealer": 2}, rules), hands, judge_by(rules)).hands
    assert {player.lives for player in only.hand.players} == {getattr(rules, "lives", LIVES_WITHOUT_MEANING)}
