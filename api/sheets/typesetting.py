"""Typesetting: data and a template in, the bytes of a PDF out. The only module that knows the typesetter.

The same data makes the same bytes on every machine: only the fonts that the typesetter brings along are used,
and a document has no date. Nothing is fetched, and nothing is read but the templates.
"""

import json
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from api.sheets.cards import INKS, MARKED

if TYPE_CHECKING:
    from typst import Compiler

Paper = Literal["letter", "a4"]

_PAPERS: dict[Paper, str] = {"letter": "us-letter", "a4": "a4"}
_TEMPLATES = Path(__file__).with_name("templates")
_TURNING = dict.fromkeys(map(ord, "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
"""Characters that change the direction of whatever follows them, beyond the name that they came in."""

_one_at_a_time = Lock()


class PdfUnavailableError(RuntimeError):
    """The typesetter is not installed, so there are no PDFs here."""

    def __init__(self) -> None:
        """Say what is missing."""
        super().__init__("PDFs need the typesetter: install this project with its extra `pdf` (typst).")


def typeset(template: str, paper: Paper, data: dict[str, Any]) -> bytes:
    """Return the PDF that a template makes of the data; raise PdfUnavailableError without a typesetter.

    The data must have a `title`. Every template also gets the paper and how cards are coloured.

    May be called from any thread; one document is set at a time.
    """
    # A lone surrogate is no character, and the typesetter refuses the data that has one.
    whole = data | {"paper": _PAPERS[paper], "inks": INKS, "marked": MARKED}
    text = json.dumps(whole, ensure_ascii=False).translate(_TURNING).encode(errors="replace").decode()
    with _one_at_a_time:
        compiler = _compiler(template)
        try:
            return _compiled(compiler, text, ["ua-1"])
        except RuntimeError:
            # An accessible PDF must not have a character that no font has, but names may well have one. Tags
            # are written nevertheless. What is wrong with the template itself is wrong the second time too.
            return _compiled(compiler, text, [])


def _compiled(compiler: "Compiler", data: str, standards: list[Any]) -> bytes:
    pdf = compiler.compile(format="pdf", sys_inputs={"data": data}, pdf_standards=standards)
    if not isinstance(pdf, bytes):
        raise TypeError(pdf)
    return pdf


@cache
def _compiler(template: str) -> "Compiler":
    """Return the compiler of a template, which keeps its fonts and what it has worked out from call to call."""
    try:
        from typst import Compiler  # noqa: PLC0415 - an extra: without it everything else works
    except ImportError:
        raise PdfUnavailableError from None
    return Compiler(_TEMPLATES / template, root=_TEMPLATES, ignore_system_fonts=True)
