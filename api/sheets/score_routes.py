"""Score sheets over HTTP: a page for a game of a preset."""

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta

from api.media import PDF
from api.operations import Answer, Call, Parameter
from api.problems import NOT_FOUND, PDF_UNAVAILABLE
from api.routes import route
from api.sheets import score
from api.sheets.answers import PAPER, PRESET, headers_for, made, operation, preset_of
from api.sheets.typesetting import Paper
from engine.presets import PRESET_BY_ID

_PLAYERS = Parameter(
    "players", "How many players there is room for.", Annotated[int, Meta(ge=2, le=16)], 4, is_number=True
)


def _show_score_sheet(call: Call[None]) -> Answer:
    """Answer the score sheet of a preset."""
    preset, paper = preset_of(call.path), call.query["paper"]
    content = _score_of(preset.id, call.query["players"], paper)
    return Answer(content, headers=headers_for(PDF, paper, f"{preset.id}-score-sheet"), tagged=True)


def _score_route(suffix: str, name: str) -> Any:  # noqa: ANN401 - a handler of Litestar's
    return route(
        "GET",
        f"/v1/presets/{{preset:str}}/score-sheet{suffix}",
        operation(
            name,
            f"Show a score sheet for a preset{', as a PDF' if suffix else ''}",
            "The score sheet.",
            description="A page to write a game down on: the players, and the lives that each of them has.",
            path=(PRESET,),
            query=(_PLAYERS, PAPER),
            problems=(NOT_FOUND, PDF_UNAVAILABLE),
            writes=(PDF,),
            named=bool(suffix),
        ),
    )(_show_score_sheet)


ROUTES = (_score_route("", "showScoreSheet"), _score_route(".pdf", "showScoreSheetAsPdf"))


@lru_cache(maxsize=64)
def _score_of(preset: str, players: int, paper: Paper) -> bytes:
    """Return the score sheet of a preset; it never changes while the service runs."""
    found = PRESET_BY_ID[preset]
    return made(lambda: score.score_pdf(title=found.name, rules=found.rules, players=players, names=(), paper=paper))
