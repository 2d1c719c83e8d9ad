"""Rulings: a hand in, a ruling out, one at a time or a batch of them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api import examples
from api.body import MEGABYTE, Body
from api.choice import ChosenRules, rules_of
from api.conversations import Conversation, Reply
from api.judging import judged
from api.media import LINES
from api.notation import only_choice
from api.operations import Answer, Call, Operation, Parameter
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, STORE_UNAVAILABLE, Fault, Problem
from api.routes import post
from api.ruling_views import EngineVersion, ReplayId, RulingAnswer
from api.unread import items
from engine import VERSION
from engine.presets import ResolvedRules, RuleChoice
from replays.records import Record
from schemas.hand import Hand
from schemas.notation import Notated
from schemas.ruling import Ruling, outcome_of


class RulingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand to be judged, and the rules to judge it by."""

    hand: Annotated[Hand, Meta(description="The record of the hand.")]
    rules: ChosenRules | UnsetType = UNSET


class BatchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Hands to be judged under one rule set, each by itself."""

    hands: Annotated[tuple[Hand, ...], Meta(max_length=1000, description="The records of the hands.")]
    rules: ChosenRules | UnsetType = UNSET


class _UnreadBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whose hands are not decoded yet, so that a bad one does not spoil the others."""

    hands: Raw
    rules: RuleChoice | UnsetType = UNSET


class BatchItem(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What became of one hand of a batch: a ruling, or a problem if it could not be judged or kept."""

    engine: EngineVersion
    replay: ReplayId | UnsetType = UNSET
    ruling: Annotated[Ruling, Meta(description="The answer to the hand under the rules.")] | UnsetType = UNSET
    problem: (
        Annotated[Problem, Meta(description="Why there is no ruling; pointers are into the batch, or into the line.")]
        | UnsetType
    ) = UNSET


class BatchAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answers to a batch, in the order of its hands."""

    answers: Annotated[tuple[BatchItem, ...], Meta(max_length=1000, description="One answer for each hand, in order.")]


_LINE = Body(RulingRequest, called="line")
_HAND = Body[Hand](Hand)  # type: ignore[arg-type] # a union of types is a type here
STORE = Parameter(
    "store",
    "Whether to keep the replay of the ruling. If `false`, `replay` is null.",
    Literal["true", "false"],
    "true",
)


def _of_notated(said: Notated) -> RulingRequest:
    return RulingRequest(said.hand, only_choice(said))


@post(
    "/v1/rulings",
    Operation(
        id="adjudicateHand",
        tag="Rulings",
        summary="Judge one hand",
        description="Take the record of a hand and a rule set, and answer what each hand was worth, who loses "
        "which lives, who deals next, and which rule says so. An illegal or impossible record is no error: it "
        "gets a ruling with the outcome `refused` that lists every broken rule of the first faulty event. A "
        "record that stops early gets `unfinished`, with whose turn it is and what may happen. A ruling that is "
        "settled or refused is kept as a replay: the status is 201 if the question is new, 200 if it is known, "
        "and `Location` says where the replay is. The same question has the same id, however it is written, so "
        "that a request can be sent again without harm. Rule answers that do not go together are a 422.",
        body=Body(RulingRequest, of_notated=_of_notated),
        schema=RulingAnswer,
        answer="The ruling.",
        query=(STORE,),
        problems=(INVALID, INCOMPATIBLE_ANSWERS, STORE_UNAVAILABLE),
        examples=examples.RULINGS,
        created=True,
    ),
)
def adjudicate_hand(call: Call[RulingRequest]) -> Answer:
    """Answer one hand."""
    ruling, record = judged(call, call.body.hand, rules_of(call.body.rules))
    log: dict[str, object] = {"outcome": outcome_of(ruling)}
    if record is None:
        return Answer(RulingAnswer(None, VERSION, ruling), log)
    replay = record.replay.hex()
    return Answer(RulingAnswer(replay, VERSION, ruling), log, keep=(record,), location=f"/v1/replays/{replay}")


def judge_line(call: Call[None], content: bytes) -> Reply:
    """Answer one line of a batch."""
    request = _LINE.decode(content, LINES)
    ruling, record = judged(call, request.hand, rules_of(request.rules))
    item = BatchItem(VERSION, replay=None if record is None else record.replay.hex(), ruling=ruling)
    return Reply(LINES.encode(item), record)


def refuse_line(problem: Problem) -> bytes:
    """Return the answer to a line of a batch that gets a problem."""
    return LINES.encode(BatchItem(VERSION, problem=problem))


@post(
    "/v1/rulings/batch",
    Operation(
        id="adjudicateBatch",
        tag="Rulings",
        summary="Judge many hands",
        description="Judge up to 1,000 hands under one rule set. Each is judged by itself and answered in "
        "order, with a ruling or with a problem; one that is not understood does not spoil the others. The "
        "replays of a batch are kept in one transaction: all or none. Rule answers that do not go together are a 422 "
        "for the "
        "whole batch.\n\n"
        "As newline-delimited JSON, any number of hands: each line is a request of its own, with rules of its own, "
        "and is answered by a line as soon as its replay is on disk, while the others are still under way.",
        query=(STORE,),
        body=Body(_UnreadBatch, 16 * MEGABYTE, schema=BatchRequest),
        schema=BatchAnswer,
        answer="An answer for each hand.",
        problems=(INVALID, INCOMPATIBLE_ANSWERS, STORE_UNAVAILABLE),
        examples=examples.BATCHES,
        slow=True,
    ),
    Conversation(takes=RulingRequest, line=BatchItem, respond=judge_line, refuse=refuse_line),
)
def adjudicate_batch(call: Call[_UnreadBatch]) -> Answer:
    """Answer many hands."""
    rules = rules_of(call.body.rules)
    records: list[Record] = []
    hands = items(call.body.hands, call.written_in, "/hands")
    answers = [_judge_item(place, hand, call, rules, records) for place, hand in enumerate(hands)]
    return Answer(BatchAnswer(tuple(answers)), {"hands": len(answers)}, keep=records)


def _judge_item(
    place: int, content: bytes, call: Call[_UnreadBatch], rules: ResolvedRules, records: list[Record]
) -> BatchItem:
    try:
        hand = _HAND.decode(content, call.written_in, f"/hands/{place}")
    except Fault as fault:
        return BatchItem(VERSION, problem=fault.problem())
    ruling, record = judged(call, hand, rules)
    if record is None:
        return BatchItem(VERSION, replay=None, ruling=ruling)
    records.append(record)
    return BatchItem(VERSION, replay=record.replay.hex(), ruling=ruling)
