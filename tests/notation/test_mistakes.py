"""Texts that are not understood: each place is told, with what would be right there."""

import pytest

from schemas.notation import Mistake, NotationError, read
from schemas.notation.mistakes import MOST

TABLE = "[dealer Cleo]; Ann(3): As Ks 4d; Bob(3): 7h 7d 7c; Cleo(2): 2c 3c 9h; Up: 5s\n"
"""All in one line, so that what is wrong stands in the second."""
SHOWN = "Ann(3): As Ks 4d; Bob(3): 7h 7d 7c\n"


def mistakes(text):
    with pytest.raises(NotationError) as error:
        read(text, {"pagat"})
    return error.value.mistakes


def told(text, line=2):
    """Return the column of each mistake, what stands there, and what is said of it; all are in one line."""
    found = mistakes(text)
    assert {mistake.line for mistake in found} == {line}
    row = text.split("\n")[line - 1]
    return [(mistake.column, row[mistake.column - 1 :][: mistake.length], mistake.says) for mistake in found]


ACTS = {
    "Rob: knock": (1, "Rob", "there is no player `Rob`"),
    "Seat 17: knock": (1, "Seat 17", "a seat is a number from 1 to 16"),
    "0: knock": (1, "0", "a seat is a number from 1 to 16"),
    "Ann knocks": (1, "Ann", "`Ann` is not understood"),
    "Bob:": (1, "Bob", "nothing is said of what `Bob` did"),
    ": knock": (1, ":", "nobody is named before this colon"),
    "+4x -4d": (2, "4x", "`4x` is not a card"),
    "+Qh -": (5, "-", "the card that was discarded is missing"),
    "+Qh -?": (6, "?", "the record has to say which card this is"),
    "+Qh -knock": (5, "-", "the card that was discarded is missing"),
    "31": (1, "31", "nobody could tell who shows this 31; name the player, or put it behind the turn that made it"),
    "+Qh -4d knock": (9, "knock", "another turn begins here, and needs an entry of its own"),
    "+Qh +4d": (5, "+", "another turn begins here, and needs an entry of its own"),
    "?": (1, "?", "there is no event before this mark"),
    "swap 4d": (1, "swap 4d", "an exchange names the cards that are given, `for`, and the cards that are taken"),
    "swap 4d for 5x": (13, "5x", "`5x` is not a card"),
    "swap 4d for ?": (9, "for", "no cards are named here, not even `nothing`"),
    "swap for 4d": (6, "for", "no cards are named here, not even `nothing`"),
    "reshuffle:": (1, "reshuffle", "no cards are named here, not even `nothing`"),
    "knock {he says": (7, "{he says", "a comment ends on its line, with `}`"),
    '"Ann: knock': (1, '"Ann: knock', '`"Ann: knock` is not understood'),
    '"Ann" Lee: knock': (1, '"Ann" Lee', '`"Ann" Lee` is no name in quotes'),
    '"\\x": knock': (1, '"\\x"', '`"\\x"` is no name in quotes'),
    "Ann: take the = (5)": (6, "take the = (5)", "`take \u2026` is not understood"),
}


@pytest.mark.parametrize("text", ACTS)
def test_an_act_that_is_not_understood(text):
    assert ACTS[text] in told(TABLE + text)
    if text != "+Qh -knock":
        assert len(told(TABLE + text)) == 1


FACTS = {
    "Up: 6s": (1, "Up", "`up` is said twice"),
    "[lives 3]": (
        1,
        "[lives 3]",
        "brackets hold one of: `rules`, `dealer`, `up`, `widow`, `stock`, `extra`, `end`, `knocker`",
    ),
    "[]": (1, "[]", "brackets hold one of: `rules`, `dealer`, `up`, `widow`, `stock`, `extra`, `end`, `knocker`"),
    "[rules pagat": (1, "[rules pagat", "this bracket is not closed"),
    "[rules scat]": (8, "scat", "there is no preset `scat`"),
    "[rules pagat pagat]": (14, "pagat", "a rule set has one preset, and answers as `option=answer`"),
    "[rules tie=safe]": (8, "tie=safe", "there is no option `tie`"),
    "[rules jokers=3]": (8, "jokers=3", "`jokers` cannot be `3`, but `0`, `1`, `2`"),
    "[rules jokers=2 jokers=2]": (17, "jokers=2", "`jokers` is answered twice"),
    "Widow: Ks 9s": (8, "Ks 9s", "there have to be 3 cards here"),
    "Widow:": (1, "Widow", "no cards are named here, not even `nothing`"),
    "Stock: Ks ? 2h": (11, "?", "the record has to say which card this is"),
    "Stock: " + "2c " * 55: (170, "2c", "there are more than 54 cards"),
    "Knocker: Ann": (1, "Knocker", "this goes with `End: 31` only"),
    "Dan: 2c 3c 4c": (
        6,
        "2c 3c 4c",
        "`2c` is neither drawn nor discarded; and cards that are dealt come after the lives",
    ),
    "Dan(): 2c 3c 4c": (4, "(", "it is not said how many lives the player has"),
    "Dan(100): 2c 3c 4c": (5, "100", "a player has 0 to 99 lives"),
    "Dan(3 coins): 2c 3c 4c": (7, "coins", "`coins` is not understood here"),
    "Dan(3, unclaimed): 2c 3c 4c": (8, "unclaimed", "this goes with a record of how a hand ended only, one with `End`"),
    "Dan(3): 2c 3c": (9, "2c 3c", "there have to be 3 cards here"),
    "Dan(3): ?? 3c 4c": (9, "??", "the record has to say which card this is"),
    "Dan(3):": (6, ")", "no cards are named here, not even `nothing`"),
    "Seat 5(3): 2c 3c 4c": (1, "Seat 5", "players stand in the order of their seats, and this one is in seat 4"),
    f"{'x' * 65}(3): 2c 3c 4c": (1, "x" * 65, "a name has 1 to 64 characters"),
    '""(3): 2c 3c 4c': (1, '""', "a name has 1 to 64 characters"),
    "Dan(3): nothing; Eve(3): 2c 3c 4c": (
        1,
        "Dan",
        "hands are dealt in the order of the seats, and this one is missing",
    ),
    "Dan(3): nothing; Extra: 2c 3c 4c": (
        1,
        "Dan",
        "hands are dealt in the order of the seats, and this one is missing",
    ),
}


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_or_a_player_that_is_not_understood(text):
    assert FACTS[text] in told(TABLE + text)


ENDS = {
    "End: draw": (6, "draw", "a hand ends by `knock`, `first knock`, `31` or `stock`"),
    "End:": (1, "End", "a hand ends by `knock`, `first knock`, `31` or `stock`"),
    "End: knock": (6, "knock", "a player is missing here"),
    "End: knock Ann, Bob": (17, "Bob", "too many are named here"),
    "End: stock Ann": (12, "Ann", "nobody ends a hand by `stock`"),
    "End: 31 Ann,, Bob": (15, "Bob", "a player is missing here"),
    "End: 31 Rob": (9, "Rob", "there is no player `Rob`"),
    "End: stock; Knocker: Ann": (13, "Knocker", "this goes with `End: 31` only"),
    "End: stock; Up: 5s": (13, "Up", "a record of how a hand ended does not have this"),
    "End: stock; Ann: knock": (18, "knock", "a record of how a hand ended has no turns"),
    "End: stock; Dan(3): nothing": (13, "Dan", "a record of how a hand ended has the cards of all"),
}


@pytest.mark.parametrize("text", ENDS)
def test_an_end_that_is_not_understood(text):
    assert ENDS[text] in told(SHOWN + text)


def test_what_is_missing_is_told_of_the_first_line():
    assert mistakes("") == (Mistake(1, 1, 0, "there are no players", "Ann(3): As Ks 4d"),)
    assert mistakes(SHOWN) == (Mistake(1, 1, 0, "it is not said who deals", "[dealer Ann]"),)


def test_a_name_that_could_be_two_players():
    text = "[dealer 1]; Al(3): As Ks 4d; al(3): 7h 7d 7c\nAL: knock"
    assert told(text) == [(1, "AL", "2 players could be `AL`")]


def test_reading_goes_on_and_the_places_are_in_order():
    found = mistakes(TABLE + "Rob: +4x -4d\n{so\nAnn: kock; Bob: +Qh -4e")
    assert [(mistake.line, mistake.column) for mistake in found] == [(2, 1), (2, 7), (3, 1), (4, 6), (4, 22)]


def test_a_mistake_says_where_it_is_and_what_would_be_right():
    (mistake,) = mistakes(TABLE + "+4x -4d")
    assert str(mistake) == "Line 2, column 2: `4x` is not a card. For example: `Ks`."


def test_columns_are_characters():
    assert told("\ufeff" + TABLE + "{\U0001f0cf \u2660} +4x")[0][:2] == (8, "4x")


def test_no_more_than_fifty_places_are_told():
    assert len(mistakes(TABLE + "nonsense\n" * 1000)) == MOST == 50


def test_a_long_word_is_cut():
    (mistake,) = mistakes(TABLE + "x" * 1000)
    assert mistake.says == f"`{'x' * 40}\u2026` is not understood"
    assert mistake.length == 1000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TABLE + "+?; -4d\n" * 1001, "there are more than 2,000 events"),
        ("[dealer 1]\n" + "(3): 2c 3c 4c\n" * 17, "there are more than 16 players"),
        ("[dealer 1]\n(3): 2c 3c 4c\n" + "Extra: 2c 3c 4c\n" * 18, "there are more than 18 hands"),
        (SHOWN + "End: 31 " + "Ann, " * 16 + "Ann", "too many are named here"),
    ],
)
def test_bounds(text, says):
    assert says in [mistake.says for mistake in mistakes(text)]


def test_the_bounds_themselves_are_fine():
    read(TABLE + "+?; -4d\n" * 1000)
    read("[dealer 1]\n" + "(3): 2c 3c 4c\n" * 16 + "Extra: 2c 3c 4c\n" * 2 + "Stock: " + "2c " * 54)
    read(SHOWN + "End: 31 " + "Ann, " * 15 + "Ann")
    read(TABLE + f"{'x' * 64}(99): 2c 3c 4c")
