"""Worked examples as clients see them, and the catalogue of scenarios."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api.ruling_views import EngineVersion
from api.views import Form, OptionName
from engine.examples.catalogue import SCENARIOS, ScenarioId
from engine.examples.scenario import Scenario
from engine.presets import RuleChoice
from schemas.disputes import Says
from schemas.hand import Hand
from schemas.options import Choice
from schemas.ruling import Ruling

Title = Annotated[str, Meta(max_length=500, description="What it shows, as a heading.")]
Narrative = Annotated[
    str,
    Meta(max_length=200_000, description="The hand told in plain Markdown, from the deal to who loses what."),
]
Why = Annotated[str, Meta(max_length=1000, description="Why there is no example, in a sentence.")]


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """An option that a scenario depends on: the answers under which it can occur, or a range of numbers."""

    option: OptionName
    answers: (
        Annotated[tuple[Choice, ...], Meta(max_length=40, description="The answers, where they are few.")] | UnsetType
    ) = UNSET
    least: Annotated[int, Meta(ge=0, le=99, description="The least number of an unbroken range.")] | UnsetType = UNSET
    greatest: Annotated[int, Meta(ge=0, le=99, description="The greatest number of it.")] | UnsetType = UNSET


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """How many players a scenario is for."""

    usual: Annotated[int, Meta(ge=1, le=16, description="Players where a request does not say how many.")]
    fewest: Annotated[int, Meta(ge=1, le=16, description="Players at the least.")]
    most: Annotated[int, Meta(ge=1, le=16, description="Players at the most.")]


class ScenarioView(Struct, frozen=True, forbid_unknown_fields=True):
    """A situation that there are worked examples of."""

    id: ScenarioId
    title: Title
    about: Annotated[str, Meta(max_length=500, description="What happens in it, in a sentence.")]
    form: Form
    needs: Annotated[
        tuple[Need, ...],
        Meta(
            max_length=40,
            description="The answers under which there are hands of it; other options may be answered in any way.",
        ),
    ]
    players: Annotated[Table, Meta(description="For how many players it is.")]


class ScenarioList(Struct, frozen=True, forbid_unknown_fields=True):
    """Every scenario."""

    scenarios: Annotated[tuple[ScenarioView, ...], Meta(max_length=500, description="The scenarios.")]


class Example(Struct, tag="scenario", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """A worked example of a scenario: a whole hand, how it is judged, and what happens in it."""

    scenario: ScenarioId
    title: Title
    hand: Annotated[Hand, Meta(description="The record of the hand; judged by `rules` it gets this very ruling.")]
    rules: Annotated[RuleChoice, Meta(description="The rules, as a request gives them.")]
    ruling: Annotated[Ruling, Meta(description="The ruling.")]
    narrative: Narrative


class Distinction(Struct, tag="distinction", tag_field="kind", frozen=True, forbid_unknown_fields=True):
    """A hand on which one option alone makes two rule sets rule otherwise."""

    option: OptionName
    answers: Annotated[tuple[Choice, Choice], Meta(description="The answers of the two rule sets.")]
    title: Title
    hand: Annotated[Hand, Meta(description="The record of the hand, the smallest that was found.")]
    rules: Annotated[
        tuple[RuleChoice, RuleChoice],
        Meta(
            description="Two rule sets that differ in this option alone: one of those asked about, and the same with "
            "the other answer."
        ),
    ]
    rulings: Annotated[tuple[Ruling, Ruling], Meta(description="The rulings under these, side by side.")]
    says: Says
    narrative: Narrative


class LeftOut(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario, or an option of two rule sets, without an example."""

    why: Why
    scenario: ScenarioId | UnsetType = UNSET
    option: OptionName | UnsetType = UNSET


class ExampleAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Worked examples, and what there is none of."""

    engine: EngineVersion
    examples: Annotated[
        tuple[Example | Distinction, ...],
        Meta(max_length=500, description="The examples, in the order of scenarios or of options."),
    ]
    left_out: Annotated[
        tuple[LeftOut, ...], Meta(max_length=500, description="What was asked for and has no example, and why.")
    ]
    says: (
        Annotated[str, Meta(max_length=300, description="How far two rule sets were told apart, in a sentence.")]
        | UnsetType
    ) = UNSET
    tried: (
        Annotated[int, Meta(ge=0, le=2**31 - 1, description="How many hands were tried to distinguish two rule sets.")]
        | UnsetType
    ) = UNSET


def scenario_views() -> tuple[ScenarioView, ...]:
    """Return the catalogue as clients see it."""
    return tuple([_scenario_view(scenario) for scenario in SCENARIOS])


def _scenario_view(scenario: Scenario) -> ScenarioView:
    return ScenarioView(
        scenario.id,
        scenario.title,
        scenario.about,
        scenario.form,
        tuple([_need(option, answers) for option, answers in scenario.answers().items()]),
        Table(scenario.players, scenario.fewest, scenario.most),
    )


def _need(option: str, answers: tuple[Choice, ...]) -> Need:
    numbers = [answer for answer in answers if isinstance(answer, int)]
    if len(numbers) <= _FEW:
        return Need(option, answers)
    return Need(option, least=min(numbers), greatest=max(numbers))


_FEW = 3
