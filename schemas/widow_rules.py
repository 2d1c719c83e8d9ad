"""The rule options of the form with a widow and a pot: each is one field, declared here once."""

from typing import Annotated, Literal

from msgspec import Struct

from schemas.options import answer, option
from schemas.shared_options import FIRST_KNOCK_FREE, FIRST_KNOCK_LATER, Jokers, MinimumKnock, ThreeOfAKind


class WidowRules(Struct, tag="widow", tag_field="form", frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A complete set of house rules for the form with a widow of three cards, played for a pot."""

    three_of_a_kind: ThreeOfAKind = "none"
    jokers: Jokers = 0
    minimum_knock: MinimumKnock = 0
    exchange: Annotated[
        Literal["one", "any"],
        option(
            "turn",
            "How many cards may a player exchange with the widow in a turn?",
            answer("one", "A player exchanges one card with the widow.", "BI S0"),
            answer("any", "A player exchanges one, two or all three cards with the widow.", "BI S0 R"),
        ),
    ] = "one"
    first_knock: Annotated[
        Literal["ends_hand", "free", "after_first_round"],
        option(
            "knock",
            "May a player knock before any exchange, and what does that do?",
            answer("ends_hand", "A knock before any exchange shows all hands at once.", "BI"),
            answer("free", FIRST_KNOCK_FREE, "R"),
            answer("after_first_round", FIRST_KNOCK_LATER, "R"),
        ),
    ] = "ends_hand"
    thirty_one: Annotated[
        Literal["wins_at_once", "top_hand"],
        option(
            "thirty_one",
            "Does a 31 win the pot at once?",
            answer("wins_at_once", "A player who shows 31 ends the hand and takes the pot.", "BI S0"),
            answer("top_hand", "A 31 does not end the hand; it is the best hand at the showdown.", "R"),
        ),
    ] = "wins_at_once"
    pot_tie: Annotated[
        Literal["card_rank", "split"],
        option(
            "losing",
            "Who takes the pot when the best hands are worth the same?",
            answer(
                "card_rank",
                "Of equal hands the one whose counted cards rank higher takes the pot; identical ranks split it.",
                "BI R",
            ),
            answer("split", "Equal hands split the pot.", "OWN"),
        ),
    ] = "card_rank"
