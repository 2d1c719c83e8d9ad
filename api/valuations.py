"""Valuations: what hands are worth, each by itself."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from api import examples
from api.body import Body
from api.choice import ChosenRules, rules_of
from api.operations import Answer, Call, Operation, Parameter
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, refuse
from api.routes import post
from api.valuing import IncompleteHandError, NoHandError, ValuationAnswer, valued
from schemas.cards import Card

OneToThreeCards = Annotated[
    tuple[Card, ...],
    Meta(
        min_length=1,
        max_length=3,
        description="Different cards: exactly three, or one to three with `partial=true`.",
        examples=[["Jd", "8d", "As"]],
    ),
]


class ValuationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Hands to be valued, and the rules to value them by."""

    hands: Annotated[tuple[OneToThreeCards, ...], Meta(max_length=1000, description="The hands.")]
    rules: ChosenRules | UnsetType = UNSET


@post(
    "/v1/valuations",
    Operation(
        id="valueHands",
        tag="Rulings",
        summary="Value hands",
        description="Tell what each hand is worth, which of its cards count, and why. Each hand is valued by "
        "itself, so a card may be in several of them. The same card twice in one hand, a joker that the rules do not "
        "have, "
        "fewer than three cards without `partial=true`, and rule answers that do not go together are a 422.",
        body=Body(ValuationRequest),
        schema=ValuationAnswer,
        answer="The value of each hand.",
        query=(
            Parameter("partial", "Whether a hand may have fewer than three cards.", Literal["true", "false"], "false"),
        ),
        problems=(INVALID, INCOMPATIBLE_ANSWERS),
        examples=examples.VALUATIONS,
        slow=True,
    ),
)
def value_hands(call: Call[ValuationRequest]) -> Answer:
    """Answer what hands are worth."""
    chosen = rules_of(call.body.rules)
    try:
        return Answer(valued(call.body.hands, chosen, partial=call.query["partial"] == "true"))
    except IncompleteHandError as error:
        refuse(f"{error}; `partial=true` values fewer.", f"/hands/{error.place}")
    except NoHandError as error:
        refuse(str(error), f"/hands/{error.place}")
