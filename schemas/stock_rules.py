"""The rule options of the form with a stock and a discard pile: each is one field, declared here once.

The first answer of an option, which is also the field's default, is the standard game's. How to add an option
or an answer: docs/adding-a-rule.md.
"""

from typing import Annotated, Literal

from msgspec import Struct

from schemas.compatibility import check_compatible
from schemas.options import answer, each, number, option
from schemas.shared_options import FIRST_KNOCK_FREE, FIRST_KNOCK_LATER, Jokers, MinimumKnock, ThreeOfAKind


class StockRules(Struct, tag="stock", tag_field="form", frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A complete set of house rules for the form with a stock and a discard pile, played for lives."""

    lives: Annotated[
        int,
        number(
            "game",
            "With how many lives does each player start a game?",
            *each(
                (3, 1, 2, *range(4, 11)),
                "Each player starts the game with 1 life.",
                "Each player starts the game with {n} lives.",
                "OWN",
                attested={
                    3: "S0 S1 S2 S3 PG WP",
                    4: "S0 PG R",
                    1: "R",
                    2: "R",
                    5: "R",
                    6: "R",
                },
            ),
        ),
    ] = 3
    county: Annotated[
        Literal["all", "none"],
        option(
            "end",
            "Does a player without lives keep playing until the next loss?",
            answer(
                "all",
                "A player without lives is on the county: still in, and out with the next loss.",
                "S0 PG WP",
            ),
            answer("none", "A player who has lost the last life is out.", "S1 S2 R"),
        ),
    ] = "all"
    loss_beyond_lives: Annotated[
        Literal["out", "county"],
        option(
            "end",
            "What happens to a player with lives who must lose more than are left?",
            answer("out", "A player who must lose more lives than are left is out.", "S0 PG R"),
            answer(
                "county",
                "A player who must lose more lives than are left loses those and is on the county.",
                "OWN",
            ),
        ),
    ] = "out"
    three_of_a_kind: ThreeOfAKind = "none"
    jokers: Jokers = 0
    return_taken_discard: Annotated[
        Literal["forbidden", "allowed"],
        option(
            "turn",
            "May the card just taken from the discard pile be discarded in the same turn?",
            answer(
                "forbidden",
                "A card taken from the discard pile may not be discarded in that turn.",
                "S0 S3 PG",
            ),
            answer("allowed", "A card taken from the discard pile may be thrown straight back.", "R"),
        ),
    ] = "forbidden"
    minimum_knock: MinimumKnock = 0
    first_knock: Annotated[
        Literal["free", "after_first_round", "ends_hand"],
        option(
            "knock",
            "May a player knock on the first turn, and what does that do?",
            answer("free", FIRST_KNOCK_FREE, "S0 S1 S2 S3 PG WP"),
            answer("after_first_round", FIRST_KNOCK_LATER, "R"),
            answer(
                "ends_hand",
                "A knock by the first player as the hand's very first act ends it without last turns, and a 31 "
                "dealt to another player waits until that first turn is over.",
                "S0 WP",
            ),
        ),
    ] = "free"
    knock_after_stock: Annotated[
        Literal["forbidden", "allowed"],
        option(
            "empty_stock",
            "May a player knock when the stock is empty?",
            answer("forbidden", "Nobody may knock once the stock is empty.", "OWN"),
            answer("allowed", "A player may knock when the stock is empty.", "R"),
        ),
    ] = "forbidden"
    last_turn_stand: Annotated[
        Literal["stock_empty", "always"],
        option(
            "knock",
            "When may a player keep the hand on a last turn without drawing?",
            answer(
                "stock_empty",
                "On a last turn a player has to draw, unless the stock is empty: then the hand may be kept.",
                "OWN",
            ),
            answer("always", "On a last turn a player may keep the hand without drawing.", "R"),
        ),
    ] = "stock_empty"
    knocker_alone: Annotated[
        Literal[2, 1],
        option(
            "losing",
            "How many lives does a knocker lose who alone has the lowest hand?",
            answer(2, "A knocker alone with the lowest hand loses 2 lives.", "S0 S1 S3 PG WP"),
            answer(
                1,
                "A knocker alone with the lowest hand loses 1 life, like anyone else.",
                "S2 S0 PG R",
            ),
        ),
    ] = 2
    knocker_tie: Annotated[
        Literal["safe", "shares", "double", "only_one", "only_two"],
        option(
            "losing",
            "Who loses when the knocker ties for the lowest hand?",
            answer(
                "safe",
                "A knocker who ties for lowest is safe, and the others in the tie lose 1 life each.",
                "S0 S1 S3 PG WP",
            ),
            answer("shares", "Everyone who ties for lowest loses 1 life, the knocker included.", "S2 R"),
            answer(
                "double",
                "A knocker who ties for lowest loses 2 lives, and the others in the tie 1 each.",
                "S0 S3 PG R",
            ),
            answer("only_one", "Of those who tie for lowest only the knocker loses, 1 life.", "S0 PG"),
            answer("only_two", "Of those who tie for lowest only the knocker loses, 2 lives.", "S0 PG R"),
        ),
    ] = "safe"
    lowest_tie: Annotated[
        Literal["all_lose", "nobody"],
        option(
            "losing",
            "Who loses when players other than the knocker tie for the lowest hand?",
            answer(
                "all_lose",
                "If the knocker is not among them, all who tie for the lowest hand lose 1 life.",
                "S0 S1 S2 PG WP",
            ),
            answer("nobody", "A tie for the lowest hand, without the knocker in it, costs nobody a life.", "R"),
        ),
    ] = "all_lose"
    knocker_on_31: Annotated[
        Literal[1, 2],
        option(
            "thirty_one",
            "How many lives does the knocker lose when another player shows 31 after the knock?",
            answer(1, "Another player's 31 costs the knocker no more than everyone else.", "S0 PG"),
            answer(
                2,
                "A knocker loses 2 lives to another player's 31, or as many as everyone else if that is more.",
                "S0 S3 PG WP",
            ),
        ),
    ] = 1
    thirty_one_claim: Annotated[
        Literal["at_once", "optional", "automatic"],
        option(
            "thirty_one",
            "When must a 31 be shown?",
            answer(
                "at_once",
                "A 31 must be shown at once; otherwise the unchanged hand counts 30.",
                "S0 PG WP S3",
            ),
            answer(
                "optional",
                "A 31 may be shown when it is made or at the start of a later turn, and stays a 31.",
                "S1",
            ),
            answer("automatic", "A 31 takes effect by itself as soon as it is held.", "R"),
        ),
    ] = "at_once"
    thirty_one_after_knock: Annotated[
        Literal["ends_hand", "top_hand"],
        option(
            "thirty_one",
            "Does a 31 made after a knock end the hand?",
            answer("ends_hand", "A 31 shown after a knock still ends the hand.", "S0 S1 S2 S3 PG"),
            answer(
                "top_hand",
                "A 31 made after a knock does not end the hand; shown or not, it is the best hand when all show.",
                "WP",
            ),
        ),
    ] = "ends_hand"
    thirty_one_cost: Annotated[
        Literal["one", "all"],
        option(
            "thirty_one",
            "How many lives does a 31 cost each other player?",
            answer("one", "A 31 costs each other player 1 life.", "S0 S1 S2 S3 PG WP"),
            answer("all", "A 31 costs each other player every life held, and puts out a player who holds none.", "S2"),
        ),
    ] = "one"
    stock_exhausted: Annotated[
        Literal["discard_pile", "showdown", "no_loser", "reshuffle"],
        option(
            "empty_stock",
            "What happens when the stock is gone and nobody has knocked?",
            answer(
                "discard_pile",
                "Play goes on with the discard pile until a player declines it; then all show.",
                "S0 PG",
            ),
            answer(
                "showdown",
                "The turn that took the last stock card is finished, and then all show.",
                "S1 R",
            ),
            answer(
                "no_loser",
                "The turn that took the last stock card is finished, and nobody loses.",
                "WP S0",
            ),
            answer("reshuffle", "All discards but the top one are shuffled into a new stock.", "R"),
        ),
    ] = "discard_pile"
    everyone_out: Annotated[
        Literal["play_again", "shared_win", "no_winner"],
        option(
            "end",
            "What happens when a hand would put out everyone still in?",
            answer(
                "play_again",
                "A hand that would put out everyone still in costs nobody a life and is played again.",
                "S0 PG R",
            ),
            answer("shared_win", "When a hand puts out everyone still in, all of them share the win.", "R"),
            answer("no_winner", "When a hand puts out everyone still in, nobody wins the game.", "R"),
        ),
    ] = "play_again"
    redemption: Annotated[
        Literal["none", "best_hand"],
        option(
            "end",
            "Can a player who is one loss from going out win a life back?",
            answer("none", "A lost life is never won back.", "S0 S1 S3 PG WP"),
            answer(
                "best_hand",
                "Once a game, a player who begins the hand one loss from going out wins a life back by showing 31 "
                "or holding the only highest hand at the showdown.",
                "S2",
            ),
        ),
    ] = "none"
    ride_the_bus: Annotated[
        int,
        number(
            "end",
            "How many draws does an eliminated player get in a last solo round?",
            answer(0, "An eliminated player gets no solo round.", "S0 S1 S3 PG WP"),
            *each(
                range(1, 10),
                "An eliminated player rides the bus: a last solo round of 1 draw.",
                "An eliminated player rides the bus: a last solo round of {n} draws.",
                "OWN",
                attested={3: "S2"},
            ),
        ),
    ] = 0

    def __post_init__(self) -> None:
        """Refuse answers that do not go together, with a ValueError that names both options."""
        check_compatible(self)
