"""What the list of replays is asked: the filters that choose them, and the cursors that lead from page to page."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from msgspec import Meta

from api import examples
from api.operations import Parameter
from api.problems import BAD_PARAMETER, Fault, FieldError
from api.replay_views import HEXADECIMAL, MOMENT
from engine.presets import DEFAULT_PRESET, PRESET_BY_ID
from engine.rulebook import RULE_BY_ID
from replays.canonical import digest, rule_set_content
from replays.finding import Filters
from schemas.ruling import EndedBy

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
CURSOR = Parameter(
    "cursor",
    "Where the page begins: `next` of the page before.",
    Annotated[str, Meta(max_length=64)],
    example="YmVmb3JlOjUx",
)
LIMIT = Parameter(
    "limit",
    "Replays on a page, at the most; lines have no pages.",
    Annotated[int, Meta(ge=1, le=500)],
    50,
    is_number=True,
)


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


def cursor_after(row: int) -> str:
    """Return a cursor for what comes after a row. Clients need not know what is in it."""
    return urlsafe_b64encode(b"before:%d" % row).decode().rstrip("=")


def row_of(cursor: str | None) -> int | None:
    """Return the row that a cursor stands for; raise a 400 fault for one that this service did not make."""
    if cursor is None:
        return None
    try:
        row = re.fullmatch(rb"before:([0-9]{1,18})", urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:  # not base64
        row = None
    if row is None or cursor_after(int(row[1])) != cursor:
        detail = "`cursor` is not one that this service gave."
        raise Fault(BAD_PARAMETER, detail, FieldError(detail=detail, parameter="cursor"))
    return int(row[1])


def link_to_next(query: Mapping[str, Any], cursor: str) -> str:
    """Return the `Link` to the next page: the same question, from the cursor on."""
    given = {name: value for name, value in query.items() if value is not None} | {"cursor": cursor}
    words = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in given.items()}
    return f'</v1/replays?{urlencode(words)}>; rel="next"'


def _milliseconds(moment: datetime | None) -> int | None:
    """Return the first whole millisecond that is not before a moment, since 1970."""
    return None if moment is None else -((_BEGINNING - moment) // timedelta(milliseconds=1))


_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
