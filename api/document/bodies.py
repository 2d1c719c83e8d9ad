"""Bodies: what requests and answers are written in, with examples as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from api.body import MEGABYTE
from api.document.headers import Json
from api.document.shapes import Schema
from api.media import FORMATS, JSON, LINES, MESSAGEPACK, NOTATION, PDF
from api.operations import Operation

SHOWN = 2
"""Of a list of declarations the document shows so many; the others are like them."""
_CUT = {"description": "Shortened: each list goes on."}
_BYTES = {"type": "string", "format": "binary", "maxLength": 10 * MEGABYTE, "description": "The file."}
_TEXT = {"type": "string", "maxLength": MEGABYTE, "description": "The text."}


def content(schema: Schema, examples: Mapping[str, Any], *, cut: bool = False) -> Json:
    """Return what a body may be written in; the examples are shown as JSON only, with their lists `cut` if asked."""
    return {name: {"schema": schema} for name in FORMATS} | {JSON: _as_json(schema, examples, cut=cut)}


def question(schema: Schema, examples: Mapping[str, Any], takes: Sequence[str]) -> Json:
    """Return what a request's body may be.

    It is shown as JSON alone: a generator that cannot write the other formats warns of each of them.
    """
    text = f" A hand may also be text: {NOTATION.media_type}." if NOTATION.media_type in takes else ""
    return {
        "required": True,
        "description": f"The question. It may be MessagePack as well: {', '.join(MESSAGEPACK)}.{text}",
        "content": {JSON: _as_json(schema, examples)},
    }


def _as_json(schema: Schema, examples: Mapping[str, Any], *, cut: bool = False) -> Json:
    shown = {name: _example(name, value, cut=cut) for name, value in examples.items()}
    return {"schema": schema, "examples": shown}


def _example(name: str, value: Any, *, cut: bool) -> Json:  # noqa: ANN401 - a Struct, or JSON
    shown = msgspec.to_builtins(value)
    summary = {"summary": name.replace("-", " ").capitalize()}
    if not cut:
        return summary | {"value": shown}
    short = {key: held[:SHOWN] if isinstance(held, list | tuple) else held for key, held in shown.items()}
    return summary | (_CUT if short != shown else {}) | {"value": short}


def lines(answers: Schema, takes: Schema | None) -> Json:
    """Return that an operation answers line by line as well, and `takes` lines if it does: the schemas are of one line.

    It is told beside the responses. A media type with a schema of its own among them would make every answer one of two
    things to generated clients.
    """
    return {"media_type": LINES.media_type, "answers": answers} | ({"takes": takes} if takes else {})


def notation(takes: str | None, answers: str | None) -> Json:
    """Return that an operation has hands in the text notation as well, with the text of one that it takes or answers.

    It is told beside bodies and responses, as lines are, and for the same reason.
    """
    shown = {"takes": takes, "answers": answers}
    return {"media_type": NOTATION.media_type} | {
        name: {**_TEXT, "description": "A hand and its rules.", "example": text} for name, text in shown.items() if text
    }


def written(operation: Operation) -> Json:
    """Return what an answer may be written in that the operation writes itself: pages, which are text, and PDFs."""
    return {name: {"schema": _BYTES if name == PDF else _TEXT} for name in operation.writes}
