"""Comparisons: one hand under several rule sets."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.changes import Changes
from schemas.disputes import OptionAnswer, OptionName, Says
from schemas.ruling import Ruling

Position = Annotated[int, Meta(ge=0, le=63, description="Position of a rule set in the order asked, from 0.")]
PresetName = Annotated[str, Meta(max_length=64, description="Id of a preset.", examples=["casual"])]


class PartingAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An option in which a rule set must be as another one for the hand to end as there."""

    option: OptionName
    first: Annotated[OptionAnswer, Meta(description="The answer of the first rule set.")]
    other: Annotated[OptionAnswer, Meta(description="The answer of the other rule set.")]


class Difference(Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a group of rule sets end the hand otherwise than the first rule set does."""

    group: Annotated[int, Meta(ge=1, le=63, description="Position of the group in `groups`.")]
    options: Annotated[
        tuple[PartingAnswer, ...],
        Meta(
            max_length=32,
            description="With these answers of the group's first rule set, and no fewer, the first rule set of all "
            "ends the hand as the group does. Empty if the two are of different forms of the game.",
        ),
    ]
    minimal: Annotated[
        bool,
        Meta(
            description="Whether none of `options` can be spared. False if finding out would take too long: then "
            "all are listed in which the two rule sets differ."
        ),
    ]
    says: Says


class RuleSetName(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule set as it was asked for."""

    preset: PresetName
    changes: Annotated[Changes, Meta(description="The answers in which it differs from the preset.")] | UnsetType = (
        UNSET
    )


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """One hand under several rule sets: who agrees, and on what the others part."""

    engine: Annotated[str, Meta(max_length=32, description="The version of the engine that judged.")]
    summary: Annotated[
        tuple[Annotated[str, Meta(max_length=300_000)], ...],
        Meta(
            max_length=64,
            description="For each group one line: what comes of the hand, and by which rule sets. What is not the "
            "same for all of them is said of each.",
        ),
    ]
    groups: Annotated[
        tuple[Annotated[tuple[Position, ...], Meta(min_length=1, max_length=64)], ...],
        Meta(
            max_length=64,
            description="Positions of the rule sets whose players end the hand alike: the same outcome, the same "
            "change and status for every seat, and the same winners of the pot. The first group is that of the first "
            "rule set.",
        ),
    ]
    differences: Annotated[
        tuple[Difference, ...],
        Meta(max_length=63, description="For each other group, what makes the difference to the first rule set."),
    ]
    rule_sets: Annotated[tuple[RuleSetName, ...], Meta(max_length=64, description="The rule sets, in the order asked.")]
    left_out: Annotated[
        tuple[PresetName, ...],
        Meta(max_length=64, description="Presets of the other form of the game, which were not compared."),
    ]
    rulings: Annotated[tuple[Ruling, ...], Meta(max_length=64, description="The rulings, in the order asked.")]
