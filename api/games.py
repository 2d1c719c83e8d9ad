"""Games: hand after hand in, all rulings, the score sheet and the winner out."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api import examples
from api.body import MEGABYTE, Body
from api.choice import ChosenRules, rules_of
from api.judging import judged
from api.operations import Answer, Call, Operation
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, STORE_UNAVAILABLE, refuse
from api.routes import post
from api.ruling_views import EngineVersion, ReplayId
from api.rulings import STORE
from api.unread import items
from engine import VERSION
from engine.games import Opening, PlayedHand, play
from engine.presets import RuleChoice
from engine.wording import counted
from replays.records import Record
from schemas.game import (
    GameHand,
    GameOutcome,
    GamePlayer,
    GameRefusal,
    LivesLeft,
    OriginalSeat,
    OriginalSeats,
    StartingLives,
    StatusAfter,
    WentOut,
)
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import Ruling

Players = Annotated[
    tuple[GamePlayer, ...],
    Meta(min_length=2, max_length=16, description="The players who begin the game, clockwise from seat 1."),
]
FirstDealer = Annotated[
    int, Meta(ge=1, le=16, title="Dealer", description="The seat that deals the first hand.", examples=[1])
]


class GameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A game: who plays, who deals first, and the hands."""

    players: Players
    dealer: FirstDealer
    hands: Annotated[
        tuple[GameHand, ...],
        Meta(
            max_length=1000,
            description="The hands in order. What the game carries on may be left out, and must agree if given.",
        ),
    ]
    rules: ChosenRules | UnsetType = UNSET
    lives: StartingLives | UnsetType = UNSET


class _UnreadGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game whose hands are not decoded yet, because decoding so many takes too long for the event loop."""

    players: Players
    dealer: FirstDealer
    hands: Raw
    rules: RuleChoice | UnsetType = UNSET
    lives: StartingLives | UnsetType = UNSET


class JudgedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """One judged hand of a game. Seats in its ruling are those of the hand; `seats` tells who sat there."""

    seats: Annotated[
        tuple[OriginalSeat, ...],
        Meta(max_length=16, description="The original seat of each seat of the hand.", examples=[[1, 3]]),
    ]
    dealer: OriginalSeat
    replay: ReplayId
    ruling: Annotated[Ruling, Meta(description="The answer to the hand, as if it had been asked by itself.")]
    lives: LivesLeft
    status: StatusAfter


class GameAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of a game. Seats are those that it was begun with, except in rulings."""

    outcome: GameOutcome
    engine: EngineVersion
    hands: Annotated[
        tuple[JudgedHand, ...], Meta(max_length=1000, description="The judged hands, in order: the score sheet.")
    ]
    out: Annotated[tuple[WentOut, ...], Meta(max_length=16, description="Who went out, in the order of the hands.")]
    winners: Annotated[OriginalSeats, Meta(description="Who has won the game, once it is over.")]
    next_dealer: Annotated[
        OriginalSeat | None,
        Meta(description="Who deals the next hand; null once the game is over, and while a hand is being played."),
    ]
    unjudged: Annotated[
        int, Meta(ge=0, le=1000, description="How many of the hands given were not judged: all from a refusal on.")
    ]
    refusal: Annotated[
        GameRefusal | None, Meta(description="Where and why the game stops; null unless the outcome is `refused`.")
    ]
    replays: Annotated[
        tuple[Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")], ...],
        Meta(max_length=1000, description="The ids of the stored replays, hand by hand; empty with `store=false`."),
    ]
    rules: Annotated[RuleSet, Meta(description="The complete rules of the game.")]


_HAND = Body[GameHand](GameHand)  # type: ignore[arg-type] # a union of types is a type here


@post(
    "/v1/games",
    Operation(
        id="judgeGame",
        tag="Games",
        summary="Judge a whole game",
        description="Take a game hand by hand, and answer the ruling of each hand, every player's lives after it, who "
        "went out when, and who has won. Lives, the county, redemption, elimination and the deal are carried from hand "
        "to hand, so a hand may leave them out. What it says of them must agree: a hand that disagrees, or that comes "
        "after the end of the game, is no error but the outcome `refused`, which says which hand and which seats. "
        "Nothing is judged from there on.\n\n"
        "In each hand the seats are those still in, numbered anew from 1. Everywhere else in the answer they are those "
        "that the game was begun with. The replays of a game are kept in one transaction: all or none.\n\n"
        "A first dealer who is not at the table, and rule answers that do not go together, are a 422.",
        query=(STORE,),
        body=Body(_UnreadGame, 16 * MEGABYTE, schema=GameRequest),
        schema=GameAnswer,
        answer="What becomes of the game.",
        problems=(INVALID, INCOMPATIBLE_ANSWERS, STORE_UNAVAILABLE),
        examples=examples.GAMES,
        slow=True,
    ),
)
def judge_game(call: Call[_UnreadGame]) -> Answer:
    """Answer a game."""
    asked, rules = call.body, rules_of(call.body.rules)
    if asked.dealer > len(asked.players):
        refuse(f"Seat {asked.dealer} is not at a table of {counted(len(asked.players), 'player')}.", "/dealer")
    unread = items(asked.hands, call.written_in, "/hands")
    hands = [_HAND.decode(content, call.written_in, f"/hands/{place}") for place, content in enumerate(unread)]
    records: list[Record | None] = []

    def judge(hand: Hand) -> Ruling:
        ruling, record = judged(call, hand, rules)
        records.append(record)
        return ruling

    game = play(Opening(asked.players, asked.dealer, rules.rules, asked.lives), hands, judge)
    kept = [record for record in records if record is not None]
    answer = GameAnswer(
        outcome=game.outcome,
        engine=VERSION,
        hands=tuple(map(_judged_hand, game.hands, records)),
        out=game.out,
        winners=game.winners,
        next_dealer=game.next_dealer,
        unjudged=game.unjudged,
        refusal=game.refusal,
        replays=tuple([record.replay.hex() for record in kept]),
        rules=rules.rules,
    )
    return Answer(answer, {"outcome": game.outcome, "hands": len(hands)}, keep=kept)


def _judged_hand(played: PlayedHand, record: Record | None) -> JudgedHand:
    replay = None if record is None else record.replay.hex()
    return JudgedHand(played.seats, played.dealer, replay, played.ruling, played.lives, played.status)
