"""The options `--rules` and `--set`: the rules that a command goes by, and what is wrong with those asked for."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import NamedTuple

import click
from msgspec import UNSET, Struct

from api.cli.completing import complete_answer, complete_preset
from api.cli.pointing import NotUnderstoodError, Trouble, did_you_mean, in_argument
from engine.presets import PRESET_BY_ID, OtherFormError, ResolvedRules, RuleChoice, resolve
from schemas.changes import changes_of_answers, given
from schemas.compatibility import IncompatibleAnswersError
from schemas.notation.rules import ANSWERS
from schemas.options import Choice

_WORD = re.compile(r"\S+")


class Chosen(NamedTuple):
    """Rules to go by: as they were chosen, and complete."""

    choice: RuleChoice
    rules: ResolvedRules


class Word(Struct, frozen=True):
    """A word on the command line, and where it stands."""

    text: str
    option: str
    """The option that it is given to: `--rules` or `--set`."""
    value: str
    """The whole of what is given to that."""
    at: int

    def trouble(self, says: str) -> Trouble:
        """Return what is wrong with it."""
        return in_argument(says, self.option, self.value, self.at, len(self.text))


class NotTogetherError(NotUnderstoodError):
    """Answers to some `options` that do not go together, or with the preset."""

    def __init__(self, trouble: Trouble, options: Sequence[str]) -> None:
        """Remember which options these are; the first one is at fault."""
        super().__init__(trouble, kind="incompatible-answers")
        self.options = options


class Asked(Struct, frozen=True):
    """A rule set as far as the command line has it."""

    preset: str | None = None
    changes: Mapping[str, tuple[Choice, Word]] = {}
    """The answers, each with the word that gives it."""

    def and_also(self, other: "Asked") -> "Asked":
        """Return the same with the answers of another; raise NotUnderstoodError if one option is answered by both."""
        for option, (_, word) in other.changes.items():
            if option in self.changes:
                raise NotUnderstoodError(word.trouble(f"`{option}` is answered twice."))
        return Asked(self.preset, {**self.changes, **other.changes})

    def over(self, named: RuleChoice | None = None) -> Chosen:
        """Return the rules to go by where the input may have named some: a preset replaces them, answers change them.

        Raises NotTogetherError for answers that do not go together.
        """
        base = named if named is not None and self.preset is None else RuleChoice()
        preset = self.preset or base.preset
        answers = {} if base.changes is UNSET else given(base.changes)
        answers |= {option: answer for option, (answer, _) in self.changes.items()}
        choice = RuleChoice(preset, changes_of_answers(answers)) if answers else RuleChoice(preset)
        try:
            return Chosen(choice, resolve(choice))
        except (OtherFormError, IncompatibleAnswersError) as error:
            raise NotTogetherError(self._trouble(str(error), error.options), error.options) from None

    def _trouble(self, says: str, options: Sequence[str]) -> Trouble:
        at_fault = next((self.changes[option][1] for option in options if option in self.changes), None)
        return at_fault.trouble(says) if at_fault else Trouble(says)


def read_rules(option: str, value: str) -> Asked:
    """Return what `--rules`, or another option that takes a rule set, asks for: `pagat knocker_tie=shares`.

    Raises NotUnderstoodError.
    """
    asked = Asked()
    for found in _WORD.finditer(value):
        word = Word(found[0], option, value, found.start())
        if "=" in word.text:
            asked = asked.and_also(_answered(word))
        elif asked.preset is not None:
            raise NotUnderstoodError(word.trouble("A rule set has one preset, and then answers: `option=answer`."))
        else:
            asked = Asked(_preset(word), asked.changes)
    if asked == Asked():
        raise NotUnderstoodError(in_argument("The name of a preset is missing.", option, value))
    return asked


def read_answer(option: str, value: str) -> Asked:
    """Return what `--set` asks for; raise NotUnderstoodError."""
    word = Word(value, option, value, 0)
    if "=" not in value:
        name = _option_name(word, value)
        example = f"{name}={next(iter(ANSWERS[name]))}"
        raise NotUnderstoodError(word.trouble(f"It is `option=answer`, such as `{example}`."))
    return _answered(word)


def rules_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--rules` and `--set`, and what they ask for as `asked`."""

    @click.option(
        "--rules",
        metavar="PRESET",
        shell_complete=complete_preset,
        help="The preset to go by, and changes of it if you like: 'pagat knocker_tie=shares'.",
    )
    @set_option
    @wraps(command)
    def with_rules(*, rules: str | None, answers: tuple[str, ...], **others: object) -> None:
        asked = Asked() if rules is None else read_rules("--rules", rules)
        command(asked=asked.and_also(read_answers(answers)), **others)

    return with_rules


set_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--set",
    "answers",
    multiple=True,
    metavar="OPTION=ANSWER",
    shell_complete=complete_answer,
    help="A house rule, answered otherwise; may be given more than once.",
)


def read_answers(values: Sequence[str]) -> Asked:
    """Return all that `--set` asks for; raise NotUnderstoodError."""
    asked = Asked()
    for value in values:
        asked = asked.and_also(read_answer("--set", value))
    return asked


def _preset(word: Word) -> str:
    preset = word.text.lower()
    if preset not in PRESET_BY_ID:
        raise NotUnderstoodError(
            word.trouble(f"There is no preset `{word.text}`. {did_you_mean(preset, PRESET_BY_ID)}")
        )
    return preset


def _answered(word: Word) -> Asked:
    option, _, answer = word.text.partition("=")
    name = _option_name(word, option)
    answers = ANSWERS[name]
    choice = answers.get(answer.lower().replace("-", "_").replace("½", ".5"))
    if choice is None:
        there = Word(answer, word.option, word.value, word.at + len(option) + 1)
        raise NotUnderstoodError(there.trouble(f"`{name}` cannot be `{answer}`. {_range(answers)}"))
    return Asked(None, {name: (choice, word)})


def _option_name(word: Word, text: str) -> str:
    name = text.lower().replace("-", "_")
    if name not in ANSWERS:
        there = Word(text, word.option, word.value, word.at)
        raise NotUnderstoodError(there.trouble(f"There is no option `{text}`. {did_you_mean(name, ANSWERS)}"))
    return name


def _range(answers: Mapping[str, Choice]) -> str:
    """Return a sentence on what an option can be."""
    numbers = [each for each in answers.values() if isinstance(each, int)]
    if len(numbers) == len(answers):
        return f"It is a number from {min(numbers)} to {max(numbers)}."
    return f"It is one of: {', '.join(answers)}."
