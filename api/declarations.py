"""The declarations themselves: options, presets and the rulebook, each as the engine declares it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from api.constants import Constant
from api.operations import Operation, Parameter, PathParameter
from api.problems import NOT_FOUND, Fault
from api.routes import get
from engine.presets import PRESETS, Preset, PresetId, changed
from engine.rulebook import RULEBOOK, Rule
from schemas.options import Answer, Choice, Option, Sentence
from schemas.rules import FORM, STOCK_OPTIONS, WIDOW_OPTIONS, RuleSet, StockRules, options_of
from schemas.sources import SOURCE_BY_CODE, SOURCES, Code, Source

Form = Annotated[Literal["stock", "widow"], Meta(description="The form of the game.")]
OptionName = Annotated[
    str, Meta(max_length=64, description="The option's name in a rule set.", examples=["knocker_tie"])
]
RuleId = Annotated[str, Meta(max_length=64, description="The rule's id in a citation.", examples=["lose.knocker-tie"])]
Sources = Annotated[tuple[Source, ...], Meta(max_length=16, description="Who attests it.")]
Text = Annotated[str, Meta(max_length=1000)]
Strings = Mapping[str, str]


class OptionView(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule option: its question, and every answer with its sentence and who attests it."""

    name: OptionName
    forms: Annotated[tuple[Form, ...], Meta(max_length=2, description="The forms of the game that have the option so.")]
    question: Annotated[str, Meta(max_length=500, description="The question that the option answers.")]
    standard: Annotated[Choice, Meta(description="The answer of the standard game of the form.")]
    answers: Annotated[tuple[Answer, ...], Meta(max_length=40, description="Every allowed answer.")]


class OptionList(Struct, frozen=True, forbid_unknown_fields=True):
    """Every rule option. One that the two forms declare differently is in the list twice."""

    options: Annotated[tuple[OptionView, ...], Meta(max_length=100, description="The options.")]
    sources: Sources


class Players(Struct, frozen=True, forbid_unknown_fields=True):
    """For how many players a source describes its game: advice, which refuses nothing."""

    fewest: Annotated[int, Meta(ge=1, le=16, description="At the least so many players.")]
    most: Annotated[int, Meta(ge=1, le=16, description="At the most so many players.")]
    more: Annotated[bool, Meta(description="Whether the source lets bigger groups play too.")]


class PresetSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """A preset in brief."""

    id: PresetId
    name: Annotated[str, Meta(max_length=200, description="What the game is called.")]
    form: Form
    summary: Annotated[str, Meta(max_length=500, description="Which game it is.")]
    players: Annotated[Players, Meta(description="For how many players.")]
    changed: Annotated[
        dict[str, Choice], Meta(description="The answers in which it differs from the standard of its form.")
    ]


class PresetAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """A preset's answer to one option."""

    option: OptionName
    answer: Annotated[Choice, Meta(description="The answer.")]
    says: Sentence
    stated: Annotated[
        bool, Meta(description="True where the source states it, false where it is our reading of a silence.")
    ]


class PresetView(PresetSummary, frozen=True, forbid_unknown_fields=True):
    """A preset with all that is known of it."""

    rules: Annotated[RuleSet, Meta(description="The complete rule set.")]
    answers: Annotated[tuple[PresetAnswer, ...], Meta(max_length=40, description="The same, as sentences, in order.")]
    stated: Annotated[tuple[OptionName, ...], Meta(max_length=40, description="The options that the source answers.")]
    our_reading: Annotated[
        tuple[OptionName, ...],
        Meta(max_length=40, description="The options on which the source is silent or contradicts itself."),
    ]
    readings: Annotated[tuple[Text, ...], Meta(max_length=10, description="Where our reading goes beyond the source.")]
    sources: Sources


class PresetList(Struct, frozen=True, forbid_unknown_fields=True):
    """Every preset in brief."""

    presets: Annotated[tuple[PresetSummary, ...], Meta(max_length=100, description="The presets.")]


class RuleView(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that a ruling may cite."""

    rule: RuleId
    kind: Annotated[
        Literal["impossible", "illegal", "decides"],
        Meta(
            description="What a citation of it means: the record contradicts itself, the event is against a "
            "rule, or the rule decided something."
        ),
    ]
    says: Annotated[str, Meta(max_length=500, description="The sentence; words in braces are filled in by a ruling.")]
    options: Annotated[tuple[OptionName, ...], Meta(max_length=10, description="The options that it may follow from.")]
    sources: Annotated[
        tuple[Code, ...],
        Meta(max_length=16, description="Who attests it; nobody has to attest what the pack of cards implies."),
    ]


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """Every rule that a ruling may cite."""

    rules: Annotated[tuple[RuleView, ...], Meta(max_length=300, description="The rules.")]
    sources: Sources


def _option_views() -> tuple[OptionView, ...]:
    views = [OptionView("form", ("stock", "widow"), FORM.question, FORM.answers[0].answer, FORM.answers)]
    for name, option in STOCK_OPTIONS.items():
        shared = WIDOW_OPTIONS.get(name) == option
        views.append(_option_view(name, option, ("stock", "widow") if shared else ("stock",)))
    for name, option in WIDOW_OPTIONS.items():
        if STOCK_OPTIONS.get(name) != option:
            views.append(_option_view(name, option, ("widow",)))
    return tuple(views)


def _option_view(name: str, option: Option, forms: tuple[Form, ...]) -> OptionView:
    return OptionView(name, forms, option.question, option.answers[0].answer, option.answers)


def _summary(preset: Preset) -> PresetSummary:
    return PresetSummary(**_in_brief(preset))


def _in_brief(preset: Preset) -> dict[str, Any]:
    return {
        "id": preset.id,
        "name": preset.name,
        "form": "stock" if isinstance(preset.rules, StockRules) else "widow",
        "summary": preset.summary,
        "players": Players(preset.fewest_players, preset.most_players, preset.more_players),
        "changed": changed(preset.rules),
    }


def _preset_view(preset: Preset) -> PresetView:
    options = options_of(preset.rules)
    chosen = {name: getattr(preset.rules, name) for name in options}
    return PresetView(
        **_in_brief(preset),
        rules=preset.rules,
        answers=tuple(
            PresetAnswer(name, choice, options[name].says(choice), name not in preset.silent)
            for name, choice in chosen.items()
        ),
        stated=tuple(name for name in options if name not in preset.silent),
        our_reading=tuple(name for name in options if name in preset.silent),
        readings=preset.readings,
        sources=tuple(SOURCE_BY_CODE[code] for code in preset.sources),
    )


def _rule_view(rule: Rule) -> RuleView:
    return RuleView(rule.id, rule.kind, rule.says, rule.options, rule.sources)


_VIEWS = _option_views()
_OPTION_LIST = Constant(OptionList(_VIEWS, SOURCES))
_OPTIONS = {(view.name, form): Constant(view) for view in _VIEWS for form in view.forms}
_PRESET_LIST = Constant(PresetList(tuple(_summary(preset) for preset in PRESETS)))
_PRESETS = {preset.id: Constant(_preset_view(preset)) for preset in PRESETS}
_RULEBOOK = Constant(Rulebook(tuple(_rule_view(rule) for rule in RULEBOOK), SOURCES))
_RULES = {rule.id: Constant(_rule_view(rule)) for rule in RULEBOOK}
_FORM = Parameter("form", "Which form's declaration, where the two differ.", ("any", "stock", "widow"), "any")


def _known(constants: dict[str, Constant], key: str, what: str) -> Constant:
    if key not in constants:
        raise Fault(NOT_FOUND, f"There is no {what} with that name. There are: {', '.join(constants)}.")
    return constants[key]


@get(
    "/v1/options",
    Operation(
        id="listOptions",
        tag="Rules",
        summary="List the rule options",
        description="Every question on which tables differ, with all answers and who attests each.",
        schema=OptionList,
        answer="The options.",
    ),
)
def list_options(_path: Strings, _query: Strings) -> Constant:
    """Answer all options."""
    return _OPTION_LIST


@get(
    "/v1/options/{name:str}",
    Operation(
        id="showOption",
        tag="Rules",
        summary="Show one rule option",
        description="One question with its answers. An option that the two forms declare differently is "
        "shown as the stock form has it, unless `form` asks for the other.",
        schema=OptionView,
        answer="The option.",
        path=(PathParameter("name", "The option's name.", "knocker_tie"),),
        query=(_FORM,),
        problems=(NOT_FOUND,),
    ),
)
def show_option(path: Strings, query: Strings) -> Constant:
    """Answer one option."""
    form = query["form"]
    forms = ("widow", "stock") if form == "any" else (form,)
    by_name = {name: option for wanted in forms for (name, has), option in _OPTIONS.items() if has == wanted}
    return _known(by_name, path["name"], "option")


@get(
    "/v1/presets",
    Operation(
        id="listPresets",
        tag="Rules",
        summary="List the presets",
        description="Every named rule set in brief.",
        schema=PresetList,
        answer="The presets.",
    ),
)
def list_presets(_path: Strings, _query: Strings) -> Constant:
    """Answer all presets."""
    return _PRESET_LIST


@get(
    "/v1/presets/{preset:str}",
    Operation(
        id="showPreset",
        tag="Rules",
        summary="Show one preset",
        description="The complete rules of a preset, which of its answers the source states and which are "
        "our reading, for how many players it is, and its sources.",
        schema=PresetView,
        answer="The preset.",
        path=(PathParameter("preset", "The preset's id.", "quick-knock"),),
        problems=(NOT_FOUND,),
    ),
)
def show_preset(path: Strings, _query: Strings) -> Constant:
    """Answer one preset."""
    return _known(_PRESETS, path["preset"], "preset")


@get(
    "/v1/rulebook",
    Operation(
        id="listRules",
        tag="Rules",
        summary="List the rulebook",
        description="Every rule that a ruling can cite, with the sentence that is filled in.",
        schema=Rulebook,
        answer="The rules.",
    ),
)
def list_rules(_path: Strings, _query: Strings) -> Constant:
    """Answer the rulebook."""
    return _RULEBOOK


@get(
    "/v1/rulebook/{rule:str}",
    Operation(
        id="showRule",
        tag="Rules",
        summary="Show one rule",
        description="One rule that a ruling can cite.",
        schema=RuleView,
        answer="The rule.",
        path=(PathParameter("rule", "The rule's id.", "lose.knocker-tie"),),
        problems=(NOT_FOUND,),
    ),
)
def show_rule(path: Strings, _query: Strings) -> Constant:
    """Answer one rule."""
    return _known(_RULES, path["rule"], "rule")
