"""Valuations: what hands are worth, each by itself."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from api import examples
from api.body import Body
from api.choice import ChosenRules, rules_of
from api.operations import Answer, Call, Operation, Parameter
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, refuse
from api.routes import post
from api.rulings import EngineVersion
from engine import VERSION
from engine.clerk import Clerk
from engine.counting import in_points, value_of
from engine.deal import broken_by_cards
from engine.presets import ResolvedRules
from schemas.cards import HAND_SIZE, Card
from schemas.rules import RuleSet
from schemas.ruling import CardList, Citations, CountsAs, Points

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


class HandValuation(Struct, frozen=True, forbid_unknown_fields=True):
    """What one hand is worth."""

    cards: CardList
    value: Points
    counted: CardList
    counts_as: CountsAs
    citations: Citations


class ValuationAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the hands are worth, in the order in which they were asked for."""

    engine: EngineVersion
    valuations: Annotated[tuple[HandValuation, ...], Meta(max_length=1000, description="One for each hand, in order.")]
    rules: Annotated[RuleSet, Meta(description="The complete rules that the hands were valued by.")]


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
    partial = call.query["partial"] == "true"
    valuations = []
    for place, cards in enumerate(call.body.hands):
        _check(cards, chosen, f"/hands/{place}", partial=partial)
        worth, citations = value_of(cards, chosen.rules, chosen.silent)
        valuations.append(
            HandValuation(worth.cards, in_points(worth.half_points), worth.counted, worth.counts_as, citations)
        )
    return Answer(ValuationAnswer(VERSION, tuple(valuations), chosen.rules))


def _check(cards: tuple[Card, ...], chosen: ResolvedRules, pointer: str, *, partial: bool) -> None:
    """Raise a 422 fault if these cannot be the cards of one hand."""
    if len(cards) != HAND_SIZE and not partial:
        refuse(f"A hand has three cards, not {len(cards)}; `partial=true` values fewer.", pointer)
    for broken in broken_by_cards(cards, chosen.rules, Clerk((), chosen.silent)):
        refuse(broken.says, pointer)
