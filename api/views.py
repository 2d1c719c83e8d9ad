"""The declarations as clients see them: options, presets and rules."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from engine.presets import Preset, PresetId, changed
from engine.rulebook import Rule
from schemas.options import Answer, Choice, Option, Sentence
from schemas.rules import FORM, STOCK_OPTIONS, WIDOW_OPTIONS, RuleSet, form_of, options_of
from schemas.sources import SOURCE_BY_CODE, Code, Source

Form = Annotated[Literal["stock", "widow"], Meta(description="The form of the game.")]
OptionName = Annotated[
    str, Meta(max_length=64, description="The option's name in a rule set.", examples=["knocker_tie"])
]
RuleId = Annotated[str, Meta(max_length=64, description="The rule's id in a citation.", examples=["lose.knocker-tie"])]
Sources = Annotated[tuple[Source, ...], Meta(max_length=16, description="Who attests it.")]
Text = Annotated[str, Meta(max_length=1000)]


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
        dict[Annotated[str, Meta(max_length=64)], Choice],
        Meta(max_length=40, description="The answers in which it differs from the standard of its form."),
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
    """A rule that a ruling or a game may cite."""

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
    """Every rule that a ruling or a game may cite."""

    rules: Annotated[tuple[RuleView, ...], Meta(max_length=300, description="The rules.")]
    sources: Sources


def option_views() -> tuple[OptionView, ...]:
    """Return every option, the form first; one that both forms declare alike is returned once."""
    views = [_option_view("form", FORM, ("stock", "widow"))]
    for name, option in STOCK_OPTIONS.items():
        alike = WIDOW_OPTIONS.get(name) == option
        views.append(_option_view(name, option, ("stock", "widow") if alike else ("stock",)))
    only_widow = {name: option for name, option in WIDOW_OPTIONS.items() if STOCK_OPTIONS.get(name) != option}
    return (*views, *(_option_view(name, option, ("widow",)) for name, option in only_widow.items()))


def _option_view(name: str, option: Option, forms: tuple[Form, ...]) -> OptionView:
    return OptionView(name, forms, option.question, option.answers[0].answer, option.answers)


def preset_summary(preset: Preset) -> PresetSummary:
    """Return a preset in brief."""
    return PresetSummary(
        id=preset.id,
        name=preset.name,
        form=form_of(preset.rules),
        summary=preset.summary,
        players=Players(preset.fewest_players, preset.most_players, preset.more_players),
        changed=changed(preset.rules),
    )


def preset_view(preset: Preset) -> PresetView:
    """Return a preset with all that is known of it."""
    options = options_of(preset.rules)
    chosen = {name: getattr(preset.rules, name) for name in options}
    return PresetView(
        **asdict(preset_summary(preset)),
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


def rule_view(rule: Rule) -> RuleView:
    """Return a rule of the rulebook."""
    return RuleView(rule.id, rule.kind, rule.says, rule.options, rule.sources)
