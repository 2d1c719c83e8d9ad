"""Replays as clients see them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from api.choice import ChosenRules
from api.media import NOTATION
from api.notation import text_of
from replays.answers import Answer
from replays.finding import Stored
from replays.rerun import hand_of, rules_of
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import EndedBy, Ruling

HEXADECIMAL = "^[0-9a-f]{64}$"
ReplayId = Annotated[
    str,
    Meta(min_length=64, max_length=64, pattern=HEXADECIMAL, description="Id of a replay: the SHA-256 of its question."),
]
RuleSetId = Annotated[
    str,
    Meta(min_length=64, max_length=64, pattern=HEXADECIMAL, description="Id of a complete rule set: its SHA-256."),
]
Digest = Annotated[
    str,
    Meta(min_length=64, max_length=64, pattern=HEXADECIMAL, description="The SHA-256 of the ruling's canonical bytes."),
]
Version = Annotated[str, Meta(max_length=32, description="The version of the engine that judged.")]
MOMENT = {"maxLength": 40}
"""How long a time can be that is written in full, and with as many digits as anybody would want."""
Kept = Annotated[
    str,
    Meta(
        description="When this store first kept the replay, in UTC.",
        extra_json_schema={**MOMENT, "format": "date-time"},
    ),
]
"""Text, since msgspec writes a time in MessagePack as an extension that the document does not know."""
StoredRuling = Annotated[
    Ruling, Meta(description="The ruling, with seats for names and without `stated`, which belong to a request.")
]


class QuestionView(Struct, frozen=True, forbid_unknown_fields=True):
    """A question in its canonical form: a hand and the complete rules to judge it by."""

    format: Annotated[int, Meta(ge=1, le=99, description="The number of the canonical form.")]
    hand: Annotated[Hand, Meta(description="The record: no names, cards in order, nothing that is implied.")]
    rules: Annotated[RuleSet, Meta(description="The complete rules.")]


class AnswerView(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of one version of the engine."""

    engine: Version
    digest: Digest
    ruling: StoredRuling


class ReplayView(Struct, frozen=True, forbid_unknown_fields=True):
    """A stored replay: the question, and the answer of every version of the engine that was asked."""

    replay: ReplayId
    kept: Kept
    rule_set: RuleSetId
    question: QuestionView
    answers: Annotated[tuple[AnswerView, ...], Meta(max_length=1000, description="The answers, the oldest first.")]


class ReplaySummary(Struct, frozen=True, forbid_unknown_fields=True):
    """A stored replay in brief; the outcome is that of the newest answer."""

    replay: ReplayId
    kept: Kept
    rule_set: RuleSetId
    engine: Version
    outcome: Annotated[Literal["settled", "refused"], Meta(description="Whether the hand was settled or refused.")]
    ended_by: Annotated[EndedBy | None, Meta(description="What ended the hand; null if it was refused.")]
    players: Annotated[int, Meta(ge=0, le=16, description="Players still in the game when the hand began.")]


class ReplayPage(Struct, frozen=True, forbid_unknown_fields=True):
    """Replays, the newest first."""

    replays: Annotated[tuple[ReplaySummary, ...], Meta(max_length=500, description="The replays of this page.")]
    next: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="The `cursor` of the next page; null if this is the last. `Link` has its whole address."),
    ]


class RerunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What to judge the hand by: other rules, or its own if none are given."""

    rules: ChosenRules | msgspec.UnsetType = msgspec.UNSET


class Rerun(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand judged once more."""

    replay: ReplayId
    engine: Version
    result: Annotated[
        Literal["same", "drifted", "other_rules"],
        Meta(
            description="`same`: the stored answer, byte for byte. `drifted`: another answer than the stored one. "
            "`other_rules`: there is nothing to compare with."
        ),
    ]
    drift: Annotated[
        Literal["decision", "wording"] | None,
        Meta(
            description="Of a drift: whether the decision has changed, or only how it is said and what is cited. "
            "Null otherwise."
        ),
    ]
    stored: Annotated[
        AnswerView | None,
        Meta(
            description="The stored answer: of this version of the engine, or else of the newest. "
            "Null under other rules."
        ),
    ]
    ruling: Annotated[Ruling, Meta(description="The ruling as it is now.")]


class _Brief(Struct):
    outcome: Literal["settled", "refused"]
    seats: tuple[msgspec.Raw, ...]
    ended_by: EndedBy | None = None


def replay_view(stored: Stored, media_type: str) -> dict[str, Any] | bytes:
    """Return a `ReplayView` whose parts, written as JSON, are the stored bytes themselves; or the text of the hand."""
    question = stored.question
    if media_type == NOTATION.media_type:
        return text_of(hand_of(question), rules_of(question))
    return {
        "replay": stored.id,
        "kept": _time(stored.kept),
        "rule_set": question.rule_set.hex(),
        "question": msgspec.json.decode(question.content),
        "answers": [answer_view(answer) for answer in stored.answers],
    }


def answer_view(answer: Answer) -> dict[str, Any]:
    """Return an `AnswerView` whose ruling, written as JSON, is the stored bytes themselves."""
    return {"engine": answer.engine, "digest": answer.digest.hex(), "ruling": msgspec.json.decode(answer.content)}


def summary(stored: Stored) -> ReplaySummary:
    """Return a replay in brief."""
    newest = stored.answers[-1]
    ruling = msgspec.json.decode(newest.content, type=_Brief)
    return ReplaySummary(
        stored.id,
        _time(stored.kept),
        stored.question.rule_set.hex(),
        newest.engine,
        ruling.outcome,
        ruling.ended_by,
        len(ruling.seats),
    )


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)
    text: str = msgspec.to_builtins(moment)
    return text
