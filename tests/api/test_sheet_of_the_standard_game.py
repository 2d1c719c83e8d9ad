"""The sheet of the standard game says all that its source states as the main rules, in words of our own."""

import re

import pytest

from tests.api.sheets import read

SAID_OF_THE_STANDARD_GAME = [
    r"2 to 9, each for themselves",
    r"and more can play",
    r"pack of 52 cards",
    r"no jokers",
    r"3 tokens for each player as lives, such as pennies or chips",
    r"Agree on the first dealer, or cut.*the lowest card deals",
    r"deal moves to the left",
    r"3 cards to each player, card by card, clockwise from the dealer's left",
    r"next card, the upcard, begins the discard pile, face up",
    r"what is left is the stock, face down",
    r"dealer's left has the first turn, and turns go round clockwise",
    r"top of the stock or of the discard pile, and discard one face up: 3 stay in hand",
    r"from the stock may go straight to the discard pile",
    r"taken from the discard pile may not be discarded in that turn",
    r"in one suit only, the one in which its cards add up to most",
    r"Number cards count what they show, kings, queens and jacks 10, and aces 11",
    r"suits do not mix",
    r"3 suits in hand just the highest card counts",
    r"most is 31: an ace with two cards that count 10, in one suit",
    r"Three cards of one rank have no value of their own",
    r"Instead of drawing, but never after it, a player may knock",
    r"ends the turn, and the knocker's cards do not change",
    r"others have one last turn each, then everybody shows",
    r"knock with any hand",
    r"knock on the very first turn",
    r"31 in the deal is shown before the first turn",
    r"made in a turn right after the discard",
    r"31 that is shown ends the hand there and then",
    r"31 costs each other player 1 life",
    r"31 shown after a knock still ends the hand",
    r"Another player's 31 costs the knocker no more than everyone else",
    r"several players show one together, none of them loses",
    r"must be shown at once; otherwise the unchanged hand counts 30",
    r"kept back is no help.*loses like the rest",
    r"alone has the lowest hand and did not knock loses 1 life",
    r"If the knocker is not among them, all who tie for the lowest hand lose 1 life",
    r"knocker who ties for lowest is safe, and the others in the tie lose 1 life each",
    r"knocker alone with the lowest hand loses 2 lives",
    r"life lost is a token put in the middle",
    r"agree beforehand who gets them in the end: no source says so",
    r"goes on with the discard pile until a player declines it; then all show",
    r"without a knocker nobody is spared in a tie",
    r"without lives is on the county: still in, and out with the next loss",
    r"must lose more lives than are left is out",
    r"would put out everyone still in costs nobody a life and is played again",
    r"on welfare, on your honor, floating",
    r"the last one in wins the game",
    r"with two players, the last discard of the other one is on top, and may be taken back",
    r"\| A player with 1 life left has to lose 2 \| That player \| the 1 left \(out\) \|",
    r"\| Knock; the knocker ties for lowest \| The others in the tie \(the knocker is safe\) \| 1 each \|",
    r"\| 31 of another player after a knock \| The knocker and every other player \| 1 each \|",
    r"\| Stock out; everyone ties for lowest, one loss from going out \| Nobody; the hand is played again \| none \|",
]


@pytest.mark.parametrize("said", SAID_OF_THE_STANDARD_GAME)
def test_the_sheet_of_the_standard_game_says_all_of_it(client, said):
    assert re.search(said, read(client.get("/v1/presets/pagat/sheet.md").text))
