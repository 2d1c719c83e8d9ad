"""Replays: the stored questions and their answers, found, shown, judged once more, and deleted."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from api import examples
from api.body import Body
from api.choice import rules_of
from api.media import WITH_NOTATION
from api.operations import Answer, Call, Operation, PathParameter
from api.problems import (
    INCOMPATIBLE_ANSWERS,
    INVALID,
    NOT_FOUND,
    REPLAY_DAMAGED,
    STORE_UNAVAILABLE,
    Fault,
)
from api.replay_lines import ReplayLine, replay_lines
from api.replay_queries import CURSOR, FILTERS, LIMIT, cursor_after, filters, link_to_next, row_of
from api.replay_views import (
    HEXADECIMAL,
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
from replays.answers import Answer as StoredAnswer
from replays.faults import DamagedReplayError
from replays.finding import Stored
from replays.rerun import answer_to_compare, hand_of, rerun

_ID = PathParameter("replay", "The replay's id.", examples.REPLAY, HEXADECIMAL)
_FINDS_ONE = (NOT_FOUND, STORE_UNAVAILABLE, REPLAY_DAMAGED)


def list_lines(call: Call[None]) -> Iterator[Part]:
    """Answer the replays from the cursor on, each as a line."""
    return replay_lines(call.resources.store, filters(call.query), row_of(call.query["cursor"]))


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
        query=(*FILTERS, CURSOR, LIMIT),
        problems=(STORE_UNAVAILABLE, REPLAY_DAMAGED),
        slow=True,
        lane="store",
    ),
    Pages(line=ReplayLine, respond=list_lines),
)
def list_replays(call: Call[None]) -> Answer:
    """Answer a page of replays."""
    limit: int = call.query["limit"]
    before = row_of(call.query["cursor"])
    found = call.resources.store.find(filters(call.query), before, limit + 1)
    page = [summary(_sound(stored)) for stored in found[:limit]]
    if len(found) <= limit:
        return Answer(ReplayPage(tuple(page), None), headers=_NOT_STALE)
    cursor = cursor_after(found[limit - 1].row)
    return Answer(ReplayPage(tuple(page), cursor), headers=_NOT_STALE | {"Link": link_to_next(call.query, cursor)})


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
