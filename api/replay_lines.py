"""Replays as lines: the stored ones that are asked for, each as the line of an archive."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api.media import LINES
from api.problems import Problem, fault_of
from api.replay_views import AnswerView, QuestionView, ReplayId
from api.streams import Part
from replays.archive import line_of
from replays.faults import DamagedReplayError
from replays.finding import Filters, Stored
from replays.store import Store

PAGE = 100
"""Replays that are read together. No statement stays open while they are sent."""
ID_LENGTH = 64
"""Characters of an id; a damaged replay may have lost its own."""


class ReplayLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stored replay as one line, in canonical form; or a problem, where it is damaged or the store fails."""

    replay: ReplayId | UnsetType = UNSET
    question: (
        Annotated[QuestionView, Meta(description="The question; the SHA-256 of its bytes in the line is the id.")]
        | UnsetType
    ) = UNSET
    answers: (
        Annotated[
            tuple[AnswerView, ...],
            Meta(max_length=1000, description="The answers, the oldest first; each digest is of its ruling's bytes."),
        ]
        | UnsetType
    ) = UNSET
    problem: (
        Annotated[
            Problem,
            Meta(
                description="Why there is no replay in this line. Without `replay` nobody can tell which are missing: "
                "the store has failed, and this is the last line, or the replay has lost its id."
            ),
        ]
        | UnsetType
    ) = UNSET


def replay_lines(store: Store, filters: Filters, before: int | None) -> Iterator[Part]:
    """Yield the replays that fit, the newest first, from below the row `before` if it is given."""
    while found := store.find(filters, before, PAGE):
        counts: Counter[str] = Counter()
        yield Part(b"".join([_line(stored, counts) for stored in found]), counts)
        before = found[-1].row


def _line(stored: Stored, counts: Counter[str]) -> bytes:
    try:
        line = line_of(stored)
    except DamagedReplayError as error:
        counts["problems"] += 1
        replay = {"replay": stored.id} if len(stored.id) == ID_LENGTH else {}
        return LINES.encode({"problem": fault_of(error).problem(), **replay})
    counts["replays"] += 1
    return line
