"""The cut: who deals the first hand of a game."""

from typing import Annotated

from msgspec import Meta, Struct

from api import examples
from api.body import Body
from api.operations import Answer, Call, Operation
from api.problems import INVALID, refuse
from api.routes import post
from api.ruling_views import EngineVersion
from engine import VERSION
from engine.cuts import CutRule, cut, unfit
from schemas.cards import Card
from schemas.hand import Seat
from schemas.ruling import SeatList


class CutRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that players cut or drew for the first deal."""

    rule: Annotated[CutRule, Meta(description="Whether the lowest or the highest card deals.", examples=["lowest"])]
    cards: Annotated[
        tuple[Card, ...],
        Meta(
            min_length=2,
            max_length=16,
            description="One card for each player, in seat order: different cards of one pack, and no joker.",
            examples=[["9d", "4h", "Ks"]],
        ),
    ]


class CutAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Who deals first, or who cuts again."""

    engine: EngineVersion
    dealer: Annotated[Seat | None, Meta(description="Who deals first; null if players have to cut again.")]
    tied: Annotated[SeatList, Meta(description="The seats with equal cards, who cut again; empty if one deals.")]
    says: Annotated[
        str,
        Meta(
            max_length=500,
            description="The same in a sentence.",
            examples=["Seat 2 cut the lowest card, 4♥, and deals first."],
        ),
    ]


@post(
    "/v1/cuts",
    Operation(
        id="decideCut",
        tag="Games",
        summary="Decide who deals first",
        description="Take one card for each player and tell who deals first: the lowest card, or the highest, as the "
        "table has it. Only ranks count, and the ace is the highest. Players with equal deciding cards cut again: ask "
        "again with their new cards alone. The same card twice, however it is written, and a joker are a 422.",
        body=Body(CutRequest),
        schema=CutAnswer,
        answer="Who deals first, or who cuts again.",
        problems=(INVALID,),
        examples=examples.CUTS,
    ),
)
def decide_cut(call: Call[CutRequest]) -> Answer:
    """Answer who deals first."""
    cards = call.body.cards
    if (fault := unfit(cards)) is not None:
        place, why = fault
        refuse(why, f"/cards/{place}")
    found = cut(cards, call.body.rule)
    return Answer(CutAnswer(VERSION, found.dealer, found.tied, found.says))
