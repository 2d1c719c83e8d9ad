"""The published document as schemathesis reads it, and what JSON Schema cannot say of the service.

A request that fits its schema may be refused only for a reason of REASONS, which the operation has to describe.
"""

import json
import re
from typing import NamedTuple
from zlib import crc32

import msgspec
import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig

from tests.documents.blocks import ROOT

load_all_checks()
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance  # noqa: E402 - only there once they are loaded

JSON = "application/json"
PACKED = ("application/x-msgpack", "application/vnd.msgpack", "application/msgpack")
DOCUMENT = msgspec.json.decode((ROOT / "openapi" / "openapi.json").read_bytes())


class Reason(NamedTuple):
    """Why a request is refused although it fits its schema."""

    says: str
    """A pattern of the problem's `detail`."""
    described: str
    """Words with which the operation's description tells of it."""


_RULES = Reason("needs|form", "do not go together")
_ONE_HAND = Reason("Either `hand` or `replay` is needed", "exactly one of `hand` and `replay`")
REASONS = {
    "POST /v1/rulings": (_RULES,),
    "POST /v1/rulings/batch": (_RULES,),
    "POST /v1/replays/{replay}/reruns": (_RULES,),
    "POST /v1/rule-sheets": (_RULES,),
    "POST /v1/games": (_RULES, Reason(r"Seat \d+ is not at a table", "not at the table")),
    "POST /v1/cuts": (Reason("cannot be cut twice", "same card twice"), Reason("joker", "joker")),
    "POST /v1/comparisons": (_RULES, _ONE_HAND),
    "POST /v1/disputes": (
        _RULES,
        _ONE_HAND,
        Reason("A claim has a change for each", "a change for each player"),
        Reason("There is no seat", "not at the table"),
    ),
    "POST /v1/examples": (_RULES, Reason("does not go with `distinguish`", "beside `distinguish`")),
    "POST /v1/valuations": (
        _RULES,
        Reason("A hand has three cards", "fewer than three cards"),
        Reason("twice|two places|more than once", "same card twice"),
        Reason("oker", "joker"),
    ),
    "GET /v1/replays": (
        Reason("`cursor` is not one that this service gave", "`cursor` that no page gave"),
        Reason("`preset` and `rule_set` name different rules", "different rules"),
    ),
}
REASONS["HEAD /v1/replays"] = REASONS["GET /v1/replays"]


def as_sent(value: object) -> object:
    """Return a body as the service reads numbers: JSON Schema calls 3.0 an integer, and the service does not."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return max(min(value, 2**64 - 1), -(2**63))  # what MessagePack can write, which is out of any bounds
    if isinstance(value, dict):
        return {name: as_sent(each) for name, each in value.items()}
    return list(map(as_sent, value)) if isinstance(value, list) else value


@schemathesis.serializer(JSON)
def _as_json(_context, value):
    return value if isinstance(value, bytes) else json.dumps(as_sent(value), default=repr).encode()


@schemathesis.serializer(*PACKED)
def _packed(_context, value):
    return value if isinstance(value, bytes) else msgspec.msgpack.encode(as_sent(value))


@schemathesis.deserializer(*PACKED)
def _unpacked(_context, response):
    return msgspec.msgpack.decode(response.content)


def schema_of(document: dict, settings: str = "") -> schemathesis.schemas.BaseSchema:
    """Return a document as schemathesis reads it, with settings of its own beside those that hold for all."""
    config = SchemathesisConfig.from_str(
        '[checks.positive_data_acceptance]\nexpected-statuses = ["2xx", "404"]\n' + settings
    )
    return schemathesis.openapi.from_dict(document, config=config)


def ask(case: schemathesis.Case, address: str, **headers: str) -> object:
    """Send a request and hold its answer to the document; return the answer."""
    response = case.call(base_url=address, headers={"Accept": _accepted(case), **headers})
    # What a request does not have that is wrong for want of a key, is given to it here.
    excluded = [negative_data_rejection] if "Authorization" in headers else []
    if _is_refused_for_a_reason(case, response):
        excluded.append(positive_data_acceptance)
    if case.path == "/v1/rulings/batch" and response.status_code == 200 and _tells_of_a_problem(response):
        excluded.append(negative_data_rejection)  # the hand that does not fit is told of in its place
    case.validate_response(response, excluded_checks=excluded)
    return response


def _accepted(case):
    """Return one of the media types that the operation is answered in, by the request."""
    offered = [
        name
        for status, response in case.operation.definition.raw["responses"].items()
        for name in response.get("content", {})
        if status.startswith("2")
    ]
    return offered[crc32(repr(case.body).encode()) % len(offered)] if offered else "*/*"


def _tells_of_a_problem(response):
    """Return whether a hand of a batch is answered with a problem."""
    written_in = msgspec.json if response.headers["content-type"] == [JSON] else msgspec.msgpack
    return any("problem" in answer for answer in written_in.decode(response.content)["answers"])


def _is_refused_for_a_reason(case, response):
    if response.status_code not in {400, 422} or case.method == "HEAD":
        return case.method == "HEAD" and response.status_code == 400 and case.operation.label in REASONS
    problem = response.json()
    if problem["type"] == "/problems/incompatible-answers":
        return _RULES in REASONS[case.operation.label]
    return any(re.search(reason.says, problem["detail"]) for reason in REASONS.get(case.operation.label, ()))
