"""The record of a game: hands in which everything that the game itself carries on may be left out."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.hand import Deal, Ending, Event, Lives, Name, Seat, ThreeCards
from schemas.ruling import Citation, Status

StartingLives = Annotated[
    int,
    Meta(
        ge=1,
        le=99,
        description="Lives with which each player starts. Left out: what the rules say, and 3 in the widow form, where "
        "lives are only written down.",
        examples=[3],
    ),
]
Redeemed = Annotated[
    bool, Meta(description="Whether this player has already won a life back; the game knows, and it must agree.")
]
HandIndex = Annotated[int, Meta(ge=0, le=999, description="Position in `hands`, counted from 0.", examples=[0])]
OriginalSeat = Annotated[
    int,
    Meta(
        ge=1,
        le=16,
        description="A seat as the game was begun: numbered from 1 in the order of the game's `players`.",
        examples=[1],
    ),
]
OriginalSeats = Annotated[
    tuple[OriginalSeat, ...],
    Meta(max_length=16, description="Seats as the game was begun, in ascending order.", examples=[[1, 3]]),
]


class GamePlayer(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A player who begins the game."""

    name: Name | UnsetType = UNSET


class CarriedPlayer(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A player still in the game, in a log; what is given must agree with the game."""

    lives: Lives | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    redeemed: Redeemed | UnsetType = UNSET


class CarriedShownPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player still in the game, with the cards shown; what else is given must agree with the game."""

    cards: ThreeCards
    lives: Lives | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    redeemed: Redeemed | UnsetType = UNSET
    unclaimed_31: Annotated[bool, Meta(description="Whether this player held a 31 and did not show it in time.")] = (
        False
    )


class GameLog(Struct, tag="log", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """The full record of a hand of a game. Seats are those still in, numbered anew from 1."""

    deal: Deal
    events: Annotated[
        tuple[Event, ...],
        Meta(max_length=2000, description="What happened after the deal, in order; positions count from 0."),
    ]
    dealer: Seat | UnsetType = UNSET
    players: (
        Annotated[
            tuple[CarriedPlayer, ...],
            Meta(min_length=1, max_length=16, description="The players still in, clockwise from seat 1 of this hand."),
        ]
        | UnsetType
    ) = UNSET


class GameShowdown(Struct, tag="showdown", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """How a hand of a game ended. Seats are those still in, numbered anew from 1."""

    players: Annotated[
        tuple[CarriedShownPlayer, ...],
        Meta(
            min_length=1,
            max_length=16,
            description="The players still in, clockwise from seat 1 of this hand, with the hands they showed.",
        ),
    ]
    ended_by: Annotated[Ending, Meta(description="How the hand ended.")]
    dealer: Seat | UnsetType = UNSET


GameHand = GameLog | GameShowdown
"""Either record of a hand of a game, tagged on `kind`."""

GameOutcome = Annotated[
    Literal["over", "under_way", "refused"],
    Meta(
        description="The game is `over`, or `under_way` and can go on, or `refused`: a hand does not follow from the "
        "hands before it, or nothing follows from it."
    ),
]
LivesLeft = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=99)] | None, ...],
    Meta(
        max_length=16,
        description="Lives of every original seat after the hand; null for who is out. In the stock form 0 means on "
        "the county.",
        examples=[[3, 0, None]],
    ),
]
StatusAfter = Annotated[
    tuple[Status, ...],
    Meta(
        max_length=16,
        description="What became of every original seat by the end of the hand.",
        examples=[["in", "county", "out"]],
    ),
]


class WentOut(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Who went out of the game, and in which hand."""

    seat: OriginalSeat
    hand: HandIndex


class GameRefusal(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the game stops at a hand. Seats, also in the sentences, are those that the game was begun with."""

    hand: HandIndex
    broken: Annotated[
        tuple[Citation, ...],
        Meta(min_length=1, max_length=64, description="Everything in which the hand disagrees with the game."),
    ]
