"""What is typed at a table, and what it means."""

from contextlib import suppress

import pytest
from msgspec import UNSET

from schemas.cards import Card
from schemas.hand import (
    Declare,
    DeclareEnding,
    Discard,
    DrawStock,
    Exchange,
    FirstKnockEnding,
    Knock,
    KnockEnding,
    Reshuffle,
    Stand,
    StockEnding,
    TakeDiscard,
)
from schemas.notation import Comment, NotatedRules, NotationError, read, write
from tests.bytecodes import counted

TABLE = """[dealer Cleo]
Ann(3): As Ks 4d
Bob(3): 7h 7d 7c
Cleo(2): 2c 3c 9h
Up: 5s
"""
C4, C9, CQ, CT = Card("4d"), Card("9c"), Card("Qh"), Card("Th")


def events(text):
    return read(TABLE + text).hand.events


EVENTS = {
    "+9c": DrawStock(1, C9),
    "+": DrawStock(1),
    "+?": DrawStock(1),
    "+??": DrawStock(1),
    "^4d": TakeDiscard(1, C4),
    "^ 4d": TakeDiscard(1, C4),
    "^": TakeDiscard(1),
    "^?": TakeDiscard(1),
    "-4d": Discard(1, C4),
    "- 4D": Discard(1, C4),
    "\u20134d": Discard(1, C4),
    "\u22124\u2666\ufe0f": Discard(1, C4),
    "-10H": Discard(1, CT),
    "knock": Knock(1),
    "Knocks": Knock(1),
    "stand": Stand(1),
    "ann: 31": Declare(1),
    "Ann: DECLARE": Declare(1),
    "Seat 2: knock": Knock(2),
    "2: knock": Knock(2),
    "BOB: knock": Knock(2),
    '"Bob": knock': Knock(2),
    "Seat 16: knock": Knock(16),
    "reshuffle": Reshuffle(),
    "Reshuffle: 4d, 9c": Reshuffle((C4, C9)),
    "Reshuffle: nothing": Reshuffle(()),
    "swap 4d for Qh": Exchange(1, (C4,), (CQ,)),
    "exchange 4d, 9c for Qh 10h": Exchange(1, (C4, C9), (CQ, CT)),
    "swap nothing for nothing": Exchange(1, (), ()),
}


@pytest.mark.parametrize("text", EVENTS)
def test_an_event(text):
    assert events(text) == (EVENTS[text],)


SEATS = {
    "turns go round from the player after the dealer": ("+9c -4d; knock; stand; +Qh", [1, 1, 2, 3, 1]),
    "a draw keeps the turn": ("+9c\n-4d\n+9c", [1, 1, 2]),
    "a 31 goes with the turn that made it": ("+9c -4d 31; +9c", [1, 1, 1, 2]),
    "a 31 by somebody passes no turn": ("Bob: 31; +9c", [2, 1]),
    "an exchange passes the turn": ("swap 4d for Qh; knock", [1, 2]),
    "a name out of turn goes on from there": ("Cleo: +9c -4d; knock", [3, 3, 1]),
    "a seat that no table has goes on from there too": ("Seat 9: knock; knock", [9, 1]),
    "all of an entry is by one player": ("Bob: +9c -4d 31 31", [2, 2, 2, 2]),
}


@pytest.mark.parametrize("case", SEATS)
def test_whose_turn_it_is(case):
    text, seats = SEATS[case]
    assert [event.seat for event in events(text)] == seats


def test_a_reshuffle_passes_no_turn():
    assert events("reshuffle\nknock")[1] == Knock(1)


@pytest.mark.parametrize(
    "dealer", ["[dealer Cleo]", "Dealer: cleo", "dealer seat 3", "[ DEALER : 3 ]", '[dealer "Cleo"]']
)
def test_facts_can_be_typed_in_several_ways_and_stand_anywhere(dealer):
    *others, _ = TABLE.replace("[dealer Cleo]\n", "").splitlines()
    text = "\n".join(["knock", "up 5\u2660", *others, dealer])
    assert read(text) == read(f"{TABLE}knock")


def test_players():
    text = """
        Ann (3 lives): As Ks 4d; (county): 7h 7d 7c; Seat 3(2): 2c 3c 9h
        4(1, redeemed): Ks Ks Ks
        O'Neil-Smith, the 2nd (0): 2c 2c 2c {who came late}
        "Zo\u00eb \\"Z\\" (left)"(99): nothing
        [dealer 1]
    """
    hand = read(text).hand
    assert [player.name for player in hand.players] == [
        "Ann", UNSET, UNSET, UNSET, "O'Neil-Smith, the 2nd", 'Zo\u00eb "Z" (left)',
    ]  # fmt: skip
    assert [player.lives for player in hand.players] == [3, 0, 2, 1, 0, 99]
    assert [player.redeemed for player in hand.players] == [False, False, False, True, False, False]
    assert len(hand.deal.hands) == 5


def test_names_that_differ_in_the_case_of_letters_only_are_told_apart():
    text = "Al(3): As Ks 4d\nal(3): 7h 7d 7c\n[dealer al]\nAl: knock\nal: stand"
    hand = read(text).hand
    assert (hand.dealer, hand.events) == (2, (Knock(1), Stand(2)))


def test_players_of_one_name_are_called_by_their_seats():
    text = "[dealer Seat 2]\nAl(3): As Ks 4d\nAl(3): 7h 7d 7c\nSeat 1: knock\n"
    assert write(read(text)) == text


def test_the_rest_of_a_deal():
    text = "[dealer 1]\n(3): nothing\nWidow: Ks 9s 2h\nStock: 10h, 9c\nExtra: 2c 3c 4c"
    with_players = text.replace("nothing", "As Ks 4d")
    deal = read(with_players).hand.deal
    assert deal.widow == (Card("Ks"), Card("9s"), Card("2h"))
    assert deal.stock == (CT, C9)
    assert deal.hands == ((Card("As"), Card("Ks"), C4), (Card("2c"), Card("3c"), Card("4c")))
    assert read(with_players.replace("10h, 9c", "nothing")).hand.deal.stock == ()


ENDS = {
    "End: knock Ann": KnockEnding(1),
    "[end knock ann]": KnockEnding(1),
    "ended first knock Seat 2": FirstKnockEnding(2),
    "End: stock": StockEnding(),
    "End: 31 Bob": DeclareEnding((2,)),
    "End: 31 Bob, Seat 9, Ann, Bob; Knocker: Cleo": DeclareEnding((2, 9, 1, 2), 3),
}


@pytest.mark.parametrize("text", ENDS)
def test_how_a_hand_ended(text):
    hand = read(TABLE.replace("Up: 5s\n", text)).hand
    assert hand.ended_by == ENDS[text]
    assert hand.dealer == 3
    assert hand.players[0].cards == (Card("As"), Card("Ks"), C4)


def test_a_31_that_was_not_shown_and_no_dealer():
    hand = read("Ann(3, Unclaimed): As Ks Qs\nBob(3): 7h 7d 7c\nEnd: knock Bob").hand
    assert (hand.dealer, [player.unclaimed_31 for player in hand.players]) == (UNSET, [True, False])


RULES = {
    "[rules pub]": NotatedRules("pub"),
    "Rules: PUB": NotatedRules("pub"),
    "[rules]": NotatedRules(),
    "[rules lives=4]": NotatedRules(changes={"lives": 4}),
    "[rules pub knocker-tie=Shares three_of_a_kind=30\u00bd]": NotatedRules(
        "pub", {"knocker_tie": "shares", "three_of_a_kind": "30.5"}
    ),
    "[rules four-lives-online first_knock=after-first-round]": NotatedRules(
        "four-lives-online", {"first_knock": "after_first_round"}
    ),
}


@pytest.mark.parametrize("text", RULES)
def test_rules(text):
    assert read(TABLE + text, {"pub", "four-lives-online"}).rules == (RULES[text],)


def test_several_rule_sets_keep_their_order():
    assert [each.preset for each in read(f"{TABLE}[rules pub] [rules casual]\n[rules pub]").rules] == [
        "pub", "casual", "pub",
    ]  # fmt: skip


def test_marks_and_comments_belong_to_the_event_before_them():
    said = read(
        "{A  long\tnight} # of which nobody knows\n"
        + TABLE
        + "{ } +9c {from the top} -4d ? {Ann says\u2026} {and Bob not}\n?\nknock\n# {not kept}\n{late}"
    )
    assert said.disputed == (1,)
    assert said.comments == (
        Comment(None, "A long night"),
        Comment(0, "from the top"),
        Comment(1, "Ann says\u2026"),
        Comment(1, "and Bob not"),
        Comment(2, "late"),
    )


def test_a_card_and_a_mark_are_told_apart():
    assert read(f"{TABLE}+? ? -4d").disputed == (0,)
    assert read(f"{TABLE}+ ? -4d").disputed == (0,)
    assert read(f"{TABLE}+? -4d?").disputed == (1,)
    assert read(f"{TABLE}^ -4d; ^ ? -4d").disputed == (2,)


def test_what_is_typed_needs_no_blanks():
    assert events("+Qh-4d;^-7h;swap 2c for Ks") == events("+Qh -4d\n^ -7h\nswap 2c for Ks")


def test_a_byte_order_mark_and_any_ends_of_lines():
    assert read("\ufeff" + TABLE.replace("\n", "\r\n")) == read(TABLE.replace("\n", "\r")) == read(TABLE)


@pytest.mark.parametrize(
    "piece", ["+Qh -4d\n", "Ann: 31 ? {so}\n", "{", "(", ",", "a:", '"', "= ", "[", "?", "\n", "Ks "]
)
def test_the_work_is_linear_in_the_length(piece):
    def worked(times):
        return counted(lambda: _read(TABLE + piece * times))[0] / times

    assert worked(400) <= 1.3 * worked(100)


def _read(text):
    with suppress(NotationError):
        read(text)
