"""Rulings: a hand in, a ruling out, one at a time or a batch of them."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api import examples
from api.body import MEGABYTE, Body
from api.choice import rules_of
from api.media import Format
from api.operations import Answer, Call, Operation, Parameter
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, Fault, Problem
from api.routes import post
from engine import VERSION
from engine.adjudicate import adjudicate
from engine.presets import ResolvedRules, RuleChoice
from schemas.hand import Hand
from schemas.ruling import Ruling

EngineVersion = Annotated[
    str, Meta(max_length=32, description="The version of the engine that judged.", examples=[VERSION])
]
ReplayId = Annotated[
    Annotated[str, Meta(max_length=64)] | None,
    Meta(description="Id of the stored replay; null where the ruling is not stored."),
]
ChosenRules = Annotated[RuleChoice, Meta(description="The rules to judge by; the standard game if left out.")]


class RulingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand to be judged, and the rules to judge it by."""

    hand: Annotated[Hand, Meta(description="The record of the hand.")]
    rules: ChosenRules | UnsetType = UNSET


class RulingAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The ruling of a hand."""

    replay: ReplayId
    engine: EngineVersion
    ruling: Annotated[Ruling, Meta(description="The answer to the hand under the rules.")]


class BatchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Hands to be judged under one rule set, each by itself."""

    hands: Annotated[tuple[Hand, ...], Meta(max_length=1000, description="The records of the hands.")]
    rules: ChosenRules | UnsetType = UNSET


class _UnreadBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whose hands are not decoded yet, so that a bad one does not spoil the others."""

    hands: Annotated[tuple[Raw, ...], Meta(max_length=1000)]
    rules: RuleChoice | UnsetType = UNSET


class BatchItem(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What became of one hand of a batch: a ruling, or a problem if its record is not understood."""

    engine: EngineVersion
    replay: ReplayId | UnsetType = UNSET
    ruling: Annotated[Ruling, Meta(description="The answer to the hand under the rules.")] | UnsetType = UNSET
    problem: (
        Annotated[Problem, Meta(description="Why the hand is not understood; pointers are into the batch.")] | UnsetType
    ) = UNSET


class BatchAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answers to a batch, in the order of its hands."""

    answers: Annotated[tuple[BatchItem, ...], Meta(max_length=1000, description="One answer for each hand, in order.")]


_HAND = Body[Hand](Hand)  # type: ignore[arg-type] # a union of types is a type here
_STORE = Parameter(
    "store",
    "Whether to keep the replay of the ruling. Nothing is kept yet: `replay` is null either way.",
    ("true", "false"),
    "true",
)


@post(
    "/v1/rulings",
    Operation(
        id="adjudicateHand",
        tag="Rulings",
        summary="Judge one hand",
        description="Take the record of a hand and a rule set, and answer what each hand was worth, who loses "
        "which lives, who deals next, and which rule says so. An illegal or impossible record is no error: it "
        "gets a ruling with the outcome `refused` that lists every broken rule of the first faulty event. A "
        "record that stops early gets `unfinished`, with whose turn it is and what may happen.",
        body=Body(RulingRequest),
        schema=RulingAnswer,
        answer="The ruling.",
        query=(_STORE,),
        problems=(INVALID, INCOMPATIBLE_ANSWERS),
        examples=examples.RULINGS,
    ),
)
def adjudicate_hand(call: Call[RulingRequest]) -> Answer:
    """Answer one hand."""
    answer = _judge(call.body.hand, rules_of(call.body.rules))
    return Answer(answer, log={"outcome": answer.ruling.__struct_config__.tag})


@post(
    "/v1/rulings/batch",
    Operation(
        id="adjudicateBatch",
        tag="Rulings",
        summary="Judge many hands",
        description="Judge up to 1,000 hands under one rule set. Each is judged by itself and answered in "
        "order, with a ruling or with a problem; one that is not understood does not spoil the others.",
        body=Body(_UnreadBatch, 16 * MEGABYTE, schema=BatchRequest),
        schema=BatchAnswer,
        answer="An answer for each hand.",
        problems=(INVALID, INCOMPATIBLE_ANSWERS),
        examples=examples.BATCHES,
        slow=True,
    ),
)
def adjudicate_batch(call: Call[_UnreadBatch]) -> Answer:
    """Answer many hands."""
    rules = rules_of(call.body.rules)
    items = [_judge_item(place, raw, call.written_in, rules) for place, raw in enumerate(call.body.hands)]
    return Answer(BatchAnswer(tuple(items)), log={"hands": len(items)})


def _judge(hand: Hand, rules: ResolvedRules) -> RulingAnswer:
    return RulingAnswer(None, VERSION, adjudicate(hand, rules.rules, rules.silent))


def _judge_item(place: int, raw: Raw, written_in: Format, rules: ResolvedRules) -> BatchItem:
    try:
        hand = _HAND.decode(bytes(raw), written_in, f"/hands/{place}")
    except Fault as fault:
        return BatchItem(VERSION, problem=fault.problem())
    return BatchItem(VERSION, replay=None, ruling=adjudicate(hand, rules.rules, rules.silent))
