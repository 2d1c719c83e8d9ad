"""Rule choices over the whole space of options."""

from collections.abc import Mapping

from msgspec.structs import asdict

from engine.presets import PRESETS, RuleChoice
from schemas.changes import Changes
from schemas.options import Choice, Option
from schemas.rules import NEEDS, RuleSet, StockRules, WidowRules, options_of
from tests.making.dice import Dice

PRESETS_OF = {
    form: [preset for preset in PRESETS if isinstance(preset.rules, form)] for form in (StockRules, WidowRules)
}


def rule_choice(dice: Dice, form: type[RuleSet]) -> RuleChoice:
    """Return a preset with none, a few or all of its answers changed, to answers that go together."""
    preset = dice.pick(PRESETS_OF[form])
    options = options_of(preset.rules)
    how_many = dice.pick((0, 1, 2, 5, len(options), len(options)))
    changed = dice.some(list(options), min(how_many, len(options)))
    return choice_of(preset.id, {name: answer_of(dice, name, options[name]) for name in changed})


def choice_of(preset: str, changes: Mapping[str, Choice]) -> RuleChoice:
    """Return the choice of a preset with these changes, and those that they cannot do without."""
    answers = asdict(next(known.rules for known in PRESETS if known.id == preset)) | changes
    needed = {
        need.other: need.answers[0]
        for need in NEEDS
        if answers.get(need.option) == need.answer and answers[need.other] not in need.answers
    }
    return RuleChoice(preset, Changes(**{**changes, **needed}))


def answer_of(dice: Dice, name: str, option: Option) -> Choice:
    """Return an answer of an option; of the minimum to knock mostly none, or one that only a 31 may miss."""
    answer = dice.pick(option.answers).answer
    return dice.pick((0, 0, 0, answer, 30, 31)) if name == "minimum_knock" else answer
