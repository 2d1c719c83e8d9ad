"""Rule sheets over HTTP: of a preset under its address, of any rules by a request."""

from functools import lru_cache
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from api import examples
from api.body import Body
from api.choice import ChosenRules, rules_of
from api.media import HTML, MARKDOWN, PDF
from api.operations import Answer, Call, Parameter
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, NOT_FOUND, PDF_UNAVAILABLE
from api.routes import post, route
from api.sheets import pdf
from api.sheets.answers import PAPER, PRESET, headers_for, made, operation, preset_of
from api.sheets.content import build_sheet
from api.sheets.sheet import Sheet
from api.sheets.stories import stories_of
from api.sheets.typesetting import Paper
from api.sheets.writing import html, markdown
from engine.presets import RuleChoice
from schemas.hand import Name

_SEEDS = 2**53
_SEED = Annotated[
    int,
    Meta(ge=0, le=_SEEDS - 1, description="Which worked examples are shown: the same seed gives the same ones."),
]


class RuleSheetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules to make a sheet of, and how it is to look."""

    rules: ChosenRules
    title: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=100,
                description="The heading; the preset's name if left out. It is shown as it is, whatever is in it.",
                examples=["Friday's table"],
            ),
        ]
        | UnsetType
    ) = UNSET
    seed: _SEED = 0
    names: Annotated[
        tuple[Name, ...],
        Meta(max_length=16, description="Names for the players in the worked examples.", examples=[["Ana", "Ben"]]),
    ] = ()
    paper: Annotated[Paper, Meta(description="The paper to print on.")] = "letter"


_WHICH = Parameter(
    "seed", "Which worked examples are shown: the same seed gives the same ones.", _SEED, 0, is_number=True
)
_ABOUT = (
    "What is needed, the deal, a turn, hand values, the knock, a 31, losing lives, the empty stock and the end, in the "
    "sentences of the chosen answers; what representative hands are worth, and who loses what in every ending, as the "
    "engine says; worked examples; the house rules that differ from the standard game of the form; the sources."
)
_FORMATS = (HTML, MARKDOWN, PDF)


@post(
    "/v1/rule-sheets",
    operation(
        "writeRuleSheet",
        "Write the rule sheet of any rules",
        "The rule sheet.",
        description=f"{_ABOUT}\n\nAs HTML, Markdown or PDF, by `Accept`; HTML if it does not care. Rule answers that "
        "do not go "
        "together are a 422.",
        body=Body(RuleSheetRequest),
        problems=(INVALID, INCOMPATIBLE_ANSWERS, PDF_UNAVAILABLE),
        examples=examples.RULE_SHEETS,
        writes=_FORMATS,
    ),
)
def write_rule_sheet(call: Call[RuleSheetRequest]) -> Answer:
    """Answer the sheet of the rules asked for."""
    asked = call.body
    rules_of(asked.rules)
    title = None if asked.title is UNSET else asked.title
    sheet = build_sheet(asked.rules, title, stories_of(asked.rules, asked.seed, asked.names))
    return Answer(
        _written(sheet, call.answer_in, asked.paper), headers=headers_for(call.answer_in, asked.paper, "rules")
    )


def _show_sheet(call: Call[None]) -> Answer:
    """Answer the sheet of a preset."""
    preset, query = preset_of(call.path), call.query
    content = _sheet_of(preset.id, query["seed"], call.answer_in, query["paper"])
    return Answer(content, headers=headers_for(call.answer_in, query["paper"], preset.id), tagged=True)


def _sheet_route(suffix: str, name: str, *formats: str) -> Any:  # noqa: ANN401 - a handler of Litestar's
    called = f", as {_CALLED[formats[0]]}" if suffix else ""
    how = "" if suffix else "\n\nAs HTML, Markdown or PDF, by `Accept`; HTML if it does not care."
    return route(
        "GET",
        f"/v1/presets/{{preset:str}}/sheet{suffix}",
        operation(
            name,
            f"Show the rule sheet of a preset{called}",
            "The rule sheet.",
            description=_ABOUT + how,
            path=(PRESET,),
            query=(PAPER, _WHICH),
            problems=(NOT_FOUND, *((PDF_UNAVAILABLE,) if PDF in formats else ())),
            writes=formats,
            named=bool(suffix),
        ),
    )(_show_sheet)


_CALLED = {HTML: "HTML", MARKDOWN: "Markdown", PDF: "a PDF"}
ROUTES = (
    write_rule_sheet,
    _sheet_route("", "showRuleSheet", *_FORMATS),
    _sheet_route(".html", "showRuleSheetAsHtml", HTML),
    _sheet_route(".md", "showRuleSheetAsMarkdown", MARKDOWN),
    _sheet_route(".pdf", "showRuleSheetAsPdf", PDF),
)


@lru_cache(maxsize=128)
def _sheet_of(preset: str, seed: int, media_type: str, paper: Paper) -> bytes:
    """Return the sheet of a preset; it never changes while the service runs."""
    choice = RuleChoice(preset)
    return _written(build_sheet(choice, None, stories_of(choice, seed)), media_type, paper)


def _written(sheet: Sheet, media_type: str, paper: Paper) -> bytes:
    """Return a sheet in one of the formats; raise a 501 fault if there are no PDFs."""
    if media_type == MARKDOWN:
        return markdown(sheet)
    if media_type == HTML:
        return html(sheet, paper)
    return made(lambda: pdf.sheet_pdf(sheet, paper))
