"""The rule options that both forms of the game have, declared once for both."""

from typing import Annotated, Literal

from schemas.options import answer, each, number, option

TripleAnswer = Literal["none", "30", "30.5"]
ThreeOfAKind = Annotated[
    TripleAnswer,
    option(
        "values",
        "What are three cards of one rank worth, as an alternative to the best suit?",
        answer("none", "Three cards of one rank have no value of their own.", "S0 S1 S2 S3 PG WP"),
        answer("30", "Three cards of one rank are worth 30.", "S0 S1 PG R"),
        answer("30.5", "Three cards of one rank are worth 30½.", "S0 S3 PG WP R"),
    ),
]
Jokers = Annotated[
    Literal[0, 1, 2],
    option(
        "game",
        "How many jokers are in the pack?",
        answer(0, "There are no jokers in the pack.", "S0 S1 S2 S3 PG WP BI"),
        answer(1, "One joker is in the pack; it joins any suit as 0 or 11, never past 31.", "R"),
        answer(2, "Two jokers are in the pack; each joins any suit as 0 or 11, never past 31.", "S2 R"),
    ),
]
MinimumKnock = Annotated[
    int,
    number(
        "knock",
        "With what hand value, at the least, may a player knock?",
        answer(0, "A player may knock with any hand.", "S0 S1 S2 S3 PG WP BI"),
        *each(
            range(1, 32),
            "A player may knock only with a hand worth at least 1.",
            "A player may knock only with a hand worth at least {n}.",
            "OWN",
            attested={17: "S0 PG", 19: "S0 PG", 21: "S0 PG R"},
        ),
    ),
]
FIRST_KNOCK_FREE = "A player may knock on the very first turn of the hand."
FIRST_KNOCK_LATER = "Nobody may knock before every player has had a turn."
