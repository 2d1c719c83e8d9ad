"""The usual way: FastAPI validates a ruling request with pydantic models like the project's Structs, and echoes it."""

from typing import Annotated, Any, Literal

from fastapi import FastAPI
from msgspec.structs import fields
from pydantic import BaseModel, ConfigDict, Field, create_model

from engine.presets import DEFAULT_PRESET, PresetId
from schemas.cards import Card
from schemas.rules import StockRules, WidowRules

Seat = Annotated[int, Field(ge=1, le=16)]
Lives = Annotated[int, Field(ge=0, le=99)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
ThreeCards = Annotated[tuple[Card, ...], Field(min_length=3, max_length=3)]
PileOfCards = Annotated[tuple[Card, ...], Field(max_length=54)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Player(Model):
    lives: Lives
    name: Name | None = None
    redeemed: bool = False


class Deal(Model):
    hands: Annotated[tuple[ThreeCards, ...], Field(max_length=18)]
    upcard: Card | None = None
    widow: ThreeCards | None = None
    stock: PileOfCards | None = None


class DrawStock(Model):
    type: Literal["draw_stock"]
    seat: Seat
    card: Card | None = None


class TakeDiscard(Model):
    type: Literal["take_discard"]
    seat: Seat
    card: Card | None = None


class Discard(Model):
    type: Literal["discard"]
    seat: Seat
    card: Card


class Knock(Model):
    type: Literal["knock"]
    seat: Seat


class Declare(Model):
    type: Literal["declare"]
    seat: Seat


class Stand(Model):
    type: Literal["stand"]
    seat: Seat


class Reshuffle(Model):
    type: Literal["reshuffle"]
    stock: PileOfCards | None = None


class Exchange(Model):
    type: Literal["exchange"]
    seat: Seat
    give: PileOfCards
    take: PileOfCards


Event = Annotated[
    DrawStock | TakeDiscard | Discard | Knock | Declare | Stand | Reshuffle | Exchange,
    Field(discriminator="type"),
]


class HandLog(Model):
    kind: Literal["log"]
    players: Annotated[tuple[Player, ...], Field(min_length=1, max_length=16)]
    dealer: Seat
    deal: Deal
    events: Annotated[tuple[Event, ...], Field(max_length=2000)]


class ShownPlayer(Player):
    cards: ThreeCards
    unclaimed_31: bool = False


class KnockEnding(Model):
    type: Literal["knock"]
    seat: Seat


class DeclareEnding(Model):
    type: Literal["declare"]
    seats: Annotated[tuple[Seat, ...], Field(min_length=1, max_length=16)]
    knocker: Seat | None = None


class StockEnding(Model):
    type: Literal["stock"]


class FirstKnockEnding(Model):
    type: Literal["first_knock"]
    seat: Seat


Ending = Annotated[
    KnockEnding | DeclareEnding | StockEnding | FirstKnockEnding,
    Field(discriminator="type"),
]


class ShowdownRecord(Model):
    kind: Literal["showdown"]
    players: Annotated[tuple[ShownPlayer, ...], Field(min_length=1, max_length=16)]
    ended_by: Ending
    dealer: Seat | None = None


_options: dict[str, Any] = {
    field.name: (field.type | None, None) for field in (*fields(WidowRules), *fields(StockRules))
}
Changes = create_model("Changes", __base__=Model, **_options)


class RuleChoice(Model):
    preset: PresetId = DEFAULT_PRESET
    changes: Changes | None = None  # type: ignore[valid-type] # made from the options just above


class RulingRequest(Model):
    hand: Annotated[HandLog | ShowdownRecord, Field(discriminator="kind")]
    rules: RuleChoice | None = None


app = FastAPI()


def echo(body: bytes) -> bytes:
    """Return the body as it is encoded after validation."""
    encoded: str = RulingRequest.model_validate_json(body).model_dump_json(exclude_unset=True)
    return encoded.encode()


@app.post("/v1/rulings", response_model_exclude_unset=True)
async def echo_request(request: RulingRequest) -> RulingRequest:
    return request
