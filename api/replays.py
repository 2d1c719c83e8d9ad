"""Replays: the stored questions and their answers, found, shown, judged once more, and deleted."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET, Meta

from api import examples
from api.body import Body
from api.choice import rules_of
from api.media import WITH_NOTATION
from api.operations import Answer, Call, Operation, Parameter, PathParameter
from api.problems import (
    BAD_PARAMETER,
    INCOMPATIBLE_ANSWERS,
    INVALID,
    NOT_FOUND,
    REPLAY_DAMAGED,
    STORE_UNAVAILABLE,
    Fault,
    FieldError,
)
from api.replay_lines import ReplayLine, replay_lines
from api.replay_views import (
    HEXADECIMAL,
    MOMENT,
    ReplayPage,
    ReplayView,
    Rerun,
    RerunRequest,
    answer_view,
    replay_view,
    summary,
)
from api.routes import options, route
from api.streams import Pages, Part
from engine import VERSION
from engine.adjudicate import adjudicate
from engine.presets import DEFAULT_PRESET, PRESET_BY_ID
from engine.rulebook import RULE_BY_ID
from replays.answers import Answer as StoredAnswer
from replays.canonical import digest, rule_set_content
from replays.faults import DamagedReplayError
from replays.finding import Filters, Stored
from replays.rerun import answer_to_compare, hand_of, rerun
from schemas.ruling import EndedBy

_ID = PathParameter("replay", "The replay's id.", examples.REPLAY, HEXADECIMAL)
_FINDS_ONE = (NOT_FOUND, STORE_UNAVAILABLE, REPLAY_DAMAGED)

_Moment = Annotated[datetime, Meta(tz=True, extra_json_schema=MOMENT)]
FILTERS = (
    Parameter(
        "preset",
        "Judged by the rules that this preset has today.",
        Literal[tuple(PRESET_BY_ID)],
        example=DEFAULT_PRESET,
    ),
    Parameter(
        "rule_set",
        "Judged by the rule set with this id.",
        Annotated[str, Meta(pattern=HEXADECIMAL, max_length=64)],
        example=examples.RULE_SET,
    ),
    Parameter("outcome", "With an answer of this outcome.", Literal["settled", "refused"], example="settled"),
    Parameter("ended_by", "With an answer by which the hand ended so.", EndedBy, example="knock"),
    Parameter("cites", "With an answer that cites this rule.", Literal[tuple(RULE_BY_ID)], example="lose.knocker-tie"),
    Parameter("players", "With so many players.", Annotated[int, Meta(ge=1, le=16)], is_number=True, example=4),
    Parameter("since", "Kept at this time or later.", _Moment, example="2027-01-15T08:00:00Z"),
    Parameter("until", "Kept before this time.", _Moment, example="2027-02-15T08:00:00Z"),
)
_CURSOR = Parameter(
    "cursor",
    "Where the page begins: `next` of the page before.",
    Annotated[str, Meta(max_length=64)],
    example="YmVmb3JlOjUx",
)
_LIMIT = Parameter(
    "limit",
    "Replays on a page, at the most; lines have no pages.",
    Annotated[int, Meta(ge=1, le=500)],
    50,
    is_number=True,
)


def list_lines(call: Call[None]) -> Iterator[Part]:
    """Answer the replays from the cursor on, each as a line."""
    return replay_lines(call.resources.store, filters(call.query), _row(call.query["cursor"]))


@route(
    "GET",
    "/v1/replays",
    Operation(
        id="listReplays",
        tag="Replays",
        summary="List the stored replays",
        description="The newest first, a page at a time. A page stays right while replays are added: whoever follows "
        "`next` sees every replay once that was there from the beginning. All filters that are given must fit; "
        "a filter on answers fits if the answer of any version of the engine does. A `cursor` that no page gave is a "
        "400, and "
        "so are `preset` and `rule_set` that stand for different rules.\n\n"
        "As newline-delimited JSON, all of them, from the cursor on if one is given: each line is a replay as an "
        "archive has it, question, answers and digests. A damaged one is a line with a problem, and so is the end of "
        "the lines if the store fails on the way.",
        schema=ReplayPage,
        answer="A page of replays.",
        query=(*FILTERS, _CURSOR, _LIMIT),
        problems=(STORE_UNAVAILABLE, REPLAY_DAMAGED),
        slow=True,
        lane="store",
    ),
    Pages(line=ReplayLine, respond=list_lines),
)
def list_replays(call: Call[None]) -> Answer:
    """Answer a page of replays."""
    limit: int = call.query["limit"]
    before = _row(call.query["cursor"])
    found = call.resources.store.find(filters(call.query), before, limit + 1)
    page = [summary(_sound(stored)) for stored in found[:limit]]
    if len(found) <= limit:
        return Answer(ReplayPage(tuple(page), None), headers=_NOT_STALE)
    cursor = _cursor(found[limit - 1].row)
    return Answer(ReplayPage(tuple(page), cursor), headers=_NOT_STALE | {"Link": _next(call.query, cursor)})


@route(
    "GET",
    "/v1/replays/{replay:str}",
    Operation(
        id="showReplay",
        tag="Replays",
        summary="Show a stored replay",
        description="The question in its canonical form, and the answer of every version of the engine that was asked. "
        "The SHA-256 of the question's bytes is the replay's id. As text, the hand and its rules alone, in the strict "
        "form of the notation.",
        schema=ReplayView,
        answer="The replay.",
        path=(_ID,),
        problems=_FINDS_ONE,
        slow=True,
        lane="store",
        writes=WITH_NOTATION,
    ),
)
def show_replay(call: Call[None]) -> Answer:
    """Answer one replay."""
    return Answer(replay_view(_found(call), call.answer_in), headers=_NOT_STALE, tagged=True)


@route(
    "DELETE",
    "/v1/replays/{replay:str}",
    Operation(
        id="deleteReplay",
        tag="Replays",
        summary="Delete a stored replay",
        description="Delete the question with all its answers, and its hand and rule set if no other replay has them.",
        schema=None,
        answer="It is deleted.",
        path=(_ID,),
        problems=(NOT_FOUND, STORE_UNAVAILABLE),
        needs="delete",
        slow=True,
        lane="store",
    ),
)
def delete_replay(call: Call[None]) -> Answer:
    """Delete one replay."""
    if not call.resources.store.delete(_asked(call)):
        raise _unknown()
    return Answer(status=204)


show_methods = options("/v1/replays/{replay:str}", "GET", "HEAD", "DELETE")


@route(
    "POST",
    "/v1/replays/{replay:str}/reruns",
    Operation(
        id="rerunReplay",
        tag="Replays",
        summary="Judge a stored hand once more",
        description="Without `rules`: judge the stored question now, and compare the answer, byte for byte, with the "
        "one that is stored. With `rules`: judge the same hand under them; answers that do not go together are a "
        "422. Nothing is kept either way.",
        body=Body(RerunRequest),
        schema=Rerun,
        answer="The ruling of now.",
        path=(_ID,),
        problems=(*_FINDS_ONE, INVALID, INCOMPATIBLE_ANSWERS),
        examples={"as-it-was": {}, "under-casual": {"rules": {"preset": "casual"}}},
        slow=True,
    ),
)
def rerun_replay(call: Call[RerunRequest]) -> Answer:
    """Answer a ruling of now."""
    stored = _found(call)
    if call.body.rules is not UNSET:
        rules = rules_of(call.body.rules)
        ruling = adjudicate(hand_of(stored.question), rules.rules, rules.silent)
        return Answer(_rerun(stored, "other_rules", None, None, msgspec.to_builtins(ruling)))
    again = rerun(stored.question, answer_to_compare(stored.answers))
    result = "same" if again.drift is None else "drifted"
    return Answer(_rerun(stored, result, again.drift, again.stored, msgspec.json.decode(again.now.content)))


def filters(query: Mapping[str, Any]) -> Filters:
    """Return what the query parameters look for; raise a 400 fault if two of them contradict each other."""
    rule_set = None if query["rule_set"] is None else bytes.fromhex(query["rule_set"])
    if query["preset"] is not None:
        of_preset = digest(rule_set_content(PRESET_BY_ID[query["preset"]].rules))
        if rule_set not in (None, of_preset):
            detail = "`preset` and `rule_set` name different rules."
            raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter="rule_set"))
        rule_set = of_preset
    return Filters(
        rule_set,
        query["outcome"],
        query["ended_by"],
        query["cites"],
        query["players"],
        _milliseconds(query["since"]),
        _milliseconds(query["until"]),
    )


_NOT_STALE = {"Cache-Control": "no-cache"}


def _rerun(
    stored: Stored, result: str, drift: str | None, answer: StoredAnswer | None, ruling: object
) -> dict[str, Any]:
    return {
        "replay": stored.id,
        "engine": VERSION,
        "result": result,
        "drift": drift,
        "stored": None if answer is None else answer_view(answer),
        "ruling": ruling,
    }


def _found(call: Call[Any]) -> Stored:
    """Return the replay that the path names; raise a 404 fault or DamagedReplayError if there is none to show."""
    stored = call.resources.store.get(_asked(call))
    if stored is None:
        raise _unknown()
    return _sound(stored)


def _sound(stored: Stored) -> Stored:
    if not stored.sound:
        raise DamagedReplayError(stored.id)
    return stored


def _asked(call: Call[Any]) -> bytes:
    """Return the id in the path, as 32 bytes; raise a 404 fault if it cannot be one."""
    replay = call.path["replay"]
    if not re.fullmatch(HEXADECIMAL, replay):
        raise _unknown()
    return bytes.fromhex(replay)


def _unknown() -> Fault:
    return Fault(NOT_FOUND, "There is no replay with this id.")


def _cursor(row: int) -> str:
    """Return a cursor for what comes after a row. Clients need not know what is in it."""
    return urlsafe_b64encode(b"before:%d" % row).decode().rstrip("=")


def _row(cursor: str | None) -> int | None:
    """Return the row that a cursor stands for; raise a 400 fault for one that this service did not make."""
    if cursor is None:
        return None
    try:
        row = re.fullmatch(rb"before:([0-9]{1,18})", urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:  # not base64
        row = None
    if row is None or _cursor(int(row[1])) != cursor:
        detail = "`cursor` is not one that this service gave."
        raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter="cursor"))
    return int(row[1])


def _next(query: Mapping[str, Any], cursor: str) -> str:
    """Return the `Link` to the next page: the same question, from the cursor on."""
    given = {name: value for name, value in query.items() if value is not None} | {"cursor": cursor}
    words = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in given.items()}
    return f'</v1/replays?{urlencode(words)}>; rel="next"'


def _milliseconds(moment: datetime | None) -> int | None:
    """Return the first whole millisecond that is not before a moment, since 1970."""
    return None if moment is None else -((_BEGINNING - moment) // timedelta(milliseconds=1))


_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
