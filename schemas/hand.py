"""The hand record: who sat where, what was dealt, and every event; or only how the hand ended."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card

Seat = Annotated[
    int,
    Meta(
        ge=1,
        le=16,
        title="Seat",
        description="A seat, numbered from 1 clockwise in the order of `players`.",
        examples=[1],
    ),
]
Lives = Annotated[
    int,
    Meta(
        ge=0,
        le=99,
        title="Lives",
        description="Lives held when the hand begins; 0 means on the county.",
        examples=[3],
    ),
]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        title="Name",
        description="A label for the sentences of this answer. Never stored, never logged.",
        examples=["Ben"],
    ),
]
ThreeCards = Annotated[
    tuple[Card, ...],
    Meta(min_length=3, max_length=3, description="Exactly three cards.", examples=[["Ks", "9s", "2h"]]),
]
PileOfCards = Annotated[
    tuple[Card, ...],
    Meta(max_length=54, description="Cards of one pack, so 54 at the most.", examples=[["9c", "4d"]]),
]
OneCard = Annotated[Card, Meta(description="One card.", examples=["9c"])]


class Player(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A player still in the game, in a full log."""

    lives: Lives
    name: Name | UnsetType = UNSET
    redeemed: Annotated[bool, Meta(description="Whether this player has already won a life back in this game.")] = False


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """The deal: three cards to each player, then the upcard (stock form) or the widow (widow form)."""

    hands: Annotated[
        tuple[ThreeCards, ...],
        Meta(max_length=18, description="The dealt hands, in seat order: three cards for each player."),
    ]
    upcard: Annotated[Card, Meta(description="The card that starts the discard pile.", examples=["5h"])] | UnsetType = (
        UNSET
    )
    widow: ThreeCards | UnsetType = UNSET
    stock: (
        Annotated[
            tuple[Card, ...],
            Meta(
                max_length=54,
                description="The whole face-down stock, top card first, where the record knows it.",
                examples=[["9c", "4d"]],
            ),
        ]
        | UnsetType
    ) = UNSET


class DrawStock(Struct, tag="draw_stock", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player draws the top card of the stock. `card` may be left out where `deal.stock` tells it."""

    seat: Seat
    card: OneCard | UnsetType = UNSET


class TakeDiscard(Struct, tag="take_discard", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player takes the top card of the discard pile. A `card` given must be that card."""

    seat: Seat
    card: OneCard | UnsetType = UNSET


class Discard(Struct, tag="discard", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player puts one card face up on the discard pile and holds three again."""

    seat: Seat
    card: OneCard


class Knock(Struct, tag="knock", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player knocks in place of a draw; every other player then has one last turn."""

    seat: Seat


class Declare(Struct, tag="declare", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player shows a 31."""

    seat: Seat


class Stand(Struct, tag="stand", frozen=True, forbid_unknown_fields=True, gc=False):
    """The player keeps the hand without drawing."""

    seat: Seat


class Reshuffle(Struct, tag="reshuffle", frozen=True, forbid_unknown_fields=True):
    """All discards but the top one become the new stock; `stock` may give their new order, top card first."""

    stock: PileOfCards | UnsetType = UNSET


class Exchange(Struct, tag="exchange", frozen=True, forbid_unknown_fields=True):
    """Widow form: the player gives cards to the widow and takes as many from it."""

    seat: Seat
    give: PileOfCards
    take: PileOfCards


Event = DrawStock | TakeDiscard | Discard | Knock | Declare | Stand | Reshuffle | Exchange
"""One act at the table, tagged on `type`."""


class HandLog(Struct, tag="log", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """The full record of a hand: players, dealer, deal and every event in order."""

    players: Annotated[
        tuple[Player, ...],
        Meta(
            min_length=1,
            max_length=16,
            description="The players still in the game, clockwise from seat 1. One player alone rides the bus.",
        ),
    ]
    dealer: Seat
    deal: Deal
    events: Annotated[
        tuple[Event, ...],
        Meta(max_length=2000, description="What happened after the deal, in order; positions count from 0."),
    ]


class ShownPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player still in the game, with the cards shown at the end of the hand."""

    lives: Lives
    cards: ThreeCards
    name: Name | UnsetType = UNSET
    redeemed: Annotated[bool, Meta(description="Whether this player has already won a life back in this game.")] = False
    unclaimed_31: Annotated[bool, Meta(description="Whether this player held a 31 and did not show it in time.")] = (
        False
    )


class KnockEnding(Struct, tag="knock", frozen=True, forbid_unknown_fields=True, gc=False):
    """The hand ended with a knock and the last turns after it."""

    seat: Seat


class DeclareEnding(Struct, tag="declare", frozen=True, forbid_unknown_fields=True):
    """The hand ended when these seats showed 31; `knocker` had knocked before, if given."""

    seats: Annotated[
        tuple[Seat, ...],
        Meta(min_length=1, max_length=16, description="The seats that showed a 31.", examples=[[2]]),
    ]
    knocker: Seat | UnsetType = UNSET


class StockEnding(Struct, tag="stock", frozen=True, forbid_unknown_fields=True, gc=False):
    """The stock ran out and nobody had knocked."""


class FirstKnockEnding(Struct, tag="first_knock", frozen=True, forbid_unknown_fields=True, gc=False):
    """The hand ended at once with a knock on its very first turn, where the rules say so."""

    seat: Seat


Ending = KnockEnding | DeclareEnding | StockEnding | FirstKnockEnding
"""How a hand ended, tagged on `type`."""


class ShowdownRecord(Struct, tag="showdown", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """What a table remembers that only knows how the hand ended: the shown hands and who ended it."""

    players: Annotated[
        tuple[ShownPlayer, ...],
        Meta(
            min_length=1,
            max_length=16,
            description="The players still in the game, clockwise from seat 1, with the hands they showed.",
        ),
    ]
    ended_by: Annotated[Ending, Meta(description="How the hand ended.")]
    dealer: Seat | UnsetType = UNSET


Hand = HandLog | ShowdownRecord
"""Either record of a hand, tagged on `kind`."""
