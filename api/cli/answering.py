"""The lines in which the service answers many hands."""

from msgspec import UNSET

from api.cli.pointing import NotUnderstoodError, Trouble
from api.media import LINES
from api.problems import PROBLEM_TYPES, FieldError, Problem
from api.rulings import BatchItem, refuse_line
from engine import VERSION
from schemas.ruling import Ruling

_KINDS = {kind.slug: kind for kind in PROBLEM_TYPES}


def answer_line(ruling: Ruling) -> bytes:
    """Return the line that answers a hand with its ruling, of which nothing is kept."""
    return LINES.encode(BatchItem(VERSION, replay=None, ruling=ruling))


def problem_line(error: NotUnderstoodError) -> bytes:
    """Return the line that answers a hand that is not understood; there is no request, and so no id of one."""
    kind = _KINDS[error.kind]
    errors = tuple(map(_field_error, error.troubles))
    return refuse_line(Problem(kind.uri, kind.title, kind.status, error.troubles[0].says, errors, request_id=""))


def _field_error(trouble: Trouble) -> FieldError:
    if trouble.line is None or trouble.pointer is not None:
        return FieldError(detail=trouble.says, pointer=UNSET if trouble.pointer is None else trouble.pointer)
    return FieldError(detail=trouble.says, line=trouble.line, column=trouble.column, length=trouble.length)
