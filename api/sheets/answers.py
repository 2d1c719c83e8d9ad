"""What the answers with sheets have in common, whichever sheet it is."""

from collections.abc import Callable, Mapping
from typing import Any

from api.media import HTML, MARKDOWN
from api.operations import Operation, Parameter, PathParameter
from api.problems import NOT_FOUND, PDF_UNAVAILABLE, Fault
from api.sheets.typesetting import Paper, PdfUnavailableError
from api.sheets.writing import style_source
from engine.presets import PRESET_BY_ID, Preset

PRESET = PathParameter("preset", "The preset's id.", "pagat")
PAPER = Parameter("paper", "The paper to print on.", Paper, "letter")


def operation(name: str, summary: str, answer: str, **more: Any) -> Operation:  # noqa: ANN401 - as an operation has them
    """Return an operation that is answered with a sheet."""
    return Operation(id=name, tag="Sheets", summary=summary, answer=answer, schema=str, slow=True, **more)


def preset_of(path: Mapping[str, str]) -> Preset:
    """Return the preset that an address names; raise a 404 fault if there is none."""
    if path["preset"] not in PRESET_BY_ID:
        raise Fault(NOT_FOUND, f"There is no preset with that name. There are: {', '.join(PRESET_BY_ID)}.")
    return PRESET_BY_ID[path["preset"]]


def made(make: Callable[[], bytes]) -> bytes:
    """Return the PDF that is made; raise a 501 fault if there are no PDFs."""
    try:
        return make()
    except PdfUnavailableError as error:
        raise Fault(PDF_UNAVAILABLE, str(error)) from None


def headers_for(media_type: str, paper: Paper, name: str) -> Mapping[str, str]:
    """Return what a browser is told of a sheet: that a page may do nothing, and how to call a file."""
    if media_type == HTML:
        policy = f"default-src 'none'; style-src {style_source(paper)}; base-uri 'none'; form-action 'none'"
        return {"Content-Security-Policy": policy}
    ending = ".md" if media_type == MARKDOWN else ".pdf"
    return {"Content-Disposition": f'inline; filename="thirty-one-{name}{ending}"'}
