"""The sentences of a ruling: what people read, with the facts of the hand filled in."""

import re

import pytest
from hypothesis import given

from tests.corpus import CASES, EXAMPLES, hands
from tests.questions import cited
from tests.strategies import examples, questions

ASKED = {str(pair): pair for pair in [*hands(CASES), *hands(EXAMPLES)]}

SENTENCES = {
    "knocking.knocker-alone-lowest [large-group]": [
        "Ben knocked on the very first turn, which ends the hand at once.",
        "Cara and You tie for the lowest hand, 18, so Cara and You lose 1 life each.",
        "Ben deals next.",
    ],
    "lives.county-knocker-ties [quick-knock]": [
        "Seat 1 knocked, and everyone else has had a last turn.",
        "Seat 1 knocked and ties for the lowest hand with Seat 2, so Seat 1 loses 2 lives and Seat 2 loses 1 life.",
        "Seat 1 and Seat 2 lost on the county and are out.",
        "Seat 3 is the last one in and wins the game.",
    ],
    "lives.one-life-against-a-31-after-the-knock [quick-knock]": [
        "Seat 2 showed 31, which ends the hand.",
        "Seat 1 had knocked, but a 31 still ends the hand.",
        "The 31 takes 1 life each from Seat 1 and Seat 3.",
        "Seat 1 had knocked, so loses 2 lives instead.",
        "Seat 1 must lose 2 lives with 1 life left, and is out.",
        "Seat 2 deals next.",
    ],
    "lives.everyone-out-after-a-knock [casual]": [
        "Seat 1 knocked, and everyone else has had a last turn.",
        (
            "Seat 1 knocked and ties for the lowest hand with Seat 2 and Seat 3, "
            "so Seat 1, Seat 2 and Seat 3 lose 1 life each."
        ),
        "Seat 1, Seat 2 and Seat 3 lost the last life and are out.",
        "The hand would put out everyone still in, so those losses do not count and it is played again.",
    ],
    "knocking.minimum-met-by-a-triple [pagat three_of_a_kind=30.5 minimum_knock=21]": [
        "Seat 1 knocked, and everyone else has had a last turn.",
        "Seat 1's 7♠ 7♥ 7♦ are three of a kind, which counts 30½.",
        "Seat 2 has the lowest hand, 18, and loses 1 life.",
        "Seat 1 deals next.",
    ],
    "stock.runs-out-and-a-player-declines [pagat]": [
        "All 3 cards that the deal left of a pack of 52 cards were drawn.",
        "With the stock gone, Seat 4 did not want the discard, so everyone showed.",
        "Seat 6 has the lowest hand, 7, and loses 1 life.",
        "Seat 1 deals next.",
    ],
    "showdown-records.redemption [redemption]": [
        "Seat 3 knocked, and everyone showed.",
        "Seat 2 has the lowest hand, 14, and loses 1 life.",
        "Seat 1 began the hand one loss from going out.",
        "Seat 1 had the only highest hand and wins a life back.",
        "Seat 3 deals next.",
    ],
    "showdown-records.pot [bicycle]": [
        "Seat 2 knocked, and everyone showed.",
        "Seat 1 and Seat 3 tie for the best hand, 19, and Seat 3 takes the pot with the higher cards.",
        "Seat 1 deals next.",
    ],
    "stock.runs-out-and-a-player-declines [pub jokers=1]": [
        ("Seat 4 may not keep the hand without drawing: there is 1 card in the stock, and nobody has knocked."),
        "At this point there is 1 card in the stock, of the 4 that the deal left of a pack of 53 cards.",
    ],
    "thirty-one.declared-in-another-players-turn [pagat]": [
        "The time for Seat 3 to show a 31 is over: it has to be shown at once.",
        "Seat 3 did not show the 31 in time, so the hand counts 30.",
        "A 31 dealt to Seat 3 does not wait for Seat 1's first turn.",
    ],
    "stock.draw-from-an-empty-stock [pagat]": [
        "Seat 4 cannot draw from the stock: all its 3 cards are drawn.",
        "2♣ cannot be in two places.",
    ],
    "grounds.showing-a-31-late-after-a-knock [pagat]": [
        "The time for Ben to show a 31 is over: it has to be shown at once.",
        "Ben did not show the 31 in time, so the hand counts 30.",
        "A 31 made after the knock has to be shown at once to end the hand.",
    ],
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_ruling_reads(name):
    ruling = ASKED[name].question().ruling()
    assert [citation.says for citation in cited(ruling)] == SENTENCES[name]


@examples(3)
@given(questions())
def test_sentences_are_sentences(question):
    """Every citation is one whole sentence, with each noun in its number."""
    for citation in cited(question.ruling()):
        assert re.fullmatch(r"[^a-z{}][^{}]*[^.]\.", citation.says)
        assert "  " not in citation.says
        assert not re.search(r"\b1 (lives|cards|jokers|players|hands|draws)\b", citation.says)
        assert not re.search(r"\b(0|[2-9]|\d\d+) (life|card|joker|player|hand|draw)\b", citation.says)
