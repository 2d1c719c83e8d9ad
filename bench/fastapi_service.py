"""The same service the usual way: pydantic models for the request and for the answer, and the same engine in between.

It answers `POST /v1/rulings?store=false`, and as the service does, to the byte.
"""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import FastAPI
from msgspec.structs import fields
from pydantic import Field, create_model

from api import ruling_views, rulings
from api.choice import rules_of
from bench.fastapi_echo import Model, RulingRequest, Seat
from engine import VERSION
from engine.adjudicate import adjudicate
from schemas.cards import Card
from schemas.rules import StockRules, WidowRules

Value = Annotated[int | float, Field(ge=0, multiple_of=0.5)]
CountsAs = Literal["suit", "three_of_a_kind", "unclaimed_31"]
EventIndex = Annotated[int, Field(ge=0, le=1999)]
Seats = Annotated[tuple[Seat, ...], Field(max_length=16)]
Cards = Annotated[tuple[Card, ...], Field(max_length=4)]
Lives = Annotated[int, Field(ge=0, le=99)]


class Citation(Model):
    rule: Annotated[str, Field(max_length=64)]
    says: Annotated[str, Field(max_length=4000)]
    seats: Seats
    event: EventIndex | None
    option: Annotated[str, Field(max_length=64)] | None
    stated: bool


class SeatResult(Model):
    seat: Seat
    cards: Cards
    value: Value
    counted: Cards
    counts_as: CountsAs
    before: Lives
    change: Annotated[int, Field(ge=-99, le=1)]
    after: Lives
    status: Literal["in", "county", "out"]


class SeatStanding(Model):
    seat: Seat
    cards: Cards
    value: Value | None
    counted: Cards
    counts_as: CountsAs | None


def _options(form: type[StockRules | WidowRules]) -> Any:  # noqa: ANN401 - the fields of a model made to order
    return {field.name: (field.type, ...) for field in fields(form)}


StockModel = create_model("StockModel", __base__=Model, form=(Literal["stock"], ...), **_options(StockRules))
WidowModel = create_model("WidowModel", __base__=Model, form=(Literal["widow"], ...), **_options(WidowRules))
Rules = Annotated[StockModel | WidowModel, Field(discriminator="form")]  # type: ignore[valid-type] # made from the options just above
Citations = Annotated[tuple[Citation, ...], Field(max_length=200)]
Standings = Annotated[tuple[SeatStanding, ...], Field(max_length=16)]


class Settled(Model):
    outcome: Literal["settled"]
    ended_by: Literal["knock", "first_knock", "thirty_one", "stock_exhausted", "bus_ride"]
    ended_at: EventIndex | None
    unplayed: Annotated[int, Field(ge=0, le=2000)]
    knocker: Seat | None
    seats: Annotated[tuple[SeatResult, ...], Field(max_length=16)]
    pot_winners: Seats | None
    game_over: bool
    winners: Seats
    next_dealer: Seat | None
    play_again: bool
    open_claims: Seats
    citations: Citations
    rules: Rules


class Refused(Model):
    outcome: Literal["refused"]
    kind: Literal["impossible", "illegal"]
    at: EventIndex | None
    broken: Annotated[tuple[Citation, ...], Field(min_length=1, max_length=200)]
    seats: Standings
    citations: Citations
    rules: Rules


class Unfinished(Model):
    outcome: Literal["unfinished"]
    to_act: Seat
    may: Annotated[tuple[str, ...], Field(max_length=8)]
    seats: Standings
    citations: Citations
    rules: Rules


class RulingAnswer(Model):
    replay: str | None
    engine: Annotated[str, Field(max_length=32)]
    ruling: Annotated[Settled | Refused | Unfinished, Field(discriminator="outcome")]


app = FastAPI()


def judge(request: RulingRequest) -> Any:  # noqa: ANN401 - plain values, which become the response model
    """Return the answer to a request; the models become Structs on the way in, and the ruling plain values after it."""
    asked = msgspec.convert(request.model_dump(exclude_unset=True), rulings.RulingRequest)
    rules = rules_of(asked.rules)
    ruling = adjudicate(asked.hand, rules.rules, rules.silent)
    return msgspec.to_builtins(ruling_views.RulingAnswer(None, VERSION, ruling))


def answer(body: bytes) -> bytes:
    """Return the body of the answer to the body of a request, without HTTP."""
    content: str = RulingAnswer.model_validate(judge(RulingRequest.model_validate_json(body))).model_dump_json()
    return content.encode()


@app.post("/v1/rulings", response_model=RulingAnswer)
async def adjudicate_hand(request: RulingRequest, store: Literal["false"]) -> Any:  # noqa: ANN401, ARG001 - as `judge`; it keeps nothing
    return judge(request)
