"""The rule book of a table: a preset, and the answers in which the table differs from it."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from api.desk.forms import Form
from engine.presets import PRESET_BY_ID, PRESETS, Preset, ResolvedRules, RuleChoice, resolve
from schemas.changes import changes_of_answers
from schemas.compatibility import IncompatibleAnswersError
from schemas.options import Choice, Option
from schemas.rules import form_of, options_of

ANSWER = "o."
"""What the name of a field begins with that answers a rule option."""


_MOST_COMPLAINTS = 3


class Changed(Struct, frozen=True):
    """An answer in which a table differs from its rule book."""

    option: str
    question: str
    answer: Choice
    says: str


class Book(Struct, frozen=True):
    """The rules that a table plays by."""

    preset: Preset
    choice: RuleChoice
    rules: ResolvedRules
    changed: tuple[Changed, ...]
    complaint: str = ""
    """Why answers that were asked for are left out, if any are."""

    @property
    def options(self) -> Mapping[str, Option]:
        """Return the options of this form of the game, by name."""
        return options_of(self.preset.rules)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the form fields that say the same."""
        yield "rules", self.preset.id
        for change in self.changed:
            yield ANSWER + change.option, str(change.answer)

    def answer(self, option: str) -> Choice:
        """Return the answer to an option; raise KeyError if this form of the game does not have it."""
        found: Choice = asdict(self.rules.rules)[option]
        return found


def book_of(form: Form) -> Book:
    """Return the rules that a form chooses; answers that no rule set can have are left out, and complained of.

    Answers go with the rule book that they were given for, which is named in `was`: with another one they are dropped.
    """
    preset = PRESET_BY_ID.get(form.text("rules"), PRESETS[0])
    is_other = form.text("was", preset.id) != preset.id
    asked = {} if is_other else dict(form.starting(ANSWER))
    for tapped in ",".join(form.all("set")).split(","):
        option, colon, answer = tapped.partition(":")
        if colon:
            asked[option] = answer
    for tapped in form.all("unset"):
        asked.pop(tapped, None)
    return chosen(preset, asked)


def shelves() -> Sequence[tuple[str, Sequence[Preset]]]:
    """Return the rule books of each form of the game."""
    forms = dict.fromkeys(form_of(preset.rules) for preset in PRESETS)
    return [(form, [preset for preset in PRESETS if form_of(preset.rules) == form]) for form in forms]


def chosen(preset: Preset, asked: Mapping[str, str | int]) -> Book:
    """Return a preset with changes; answers that no rule set can have are left out, and complained of."""
    own, complaints = asdict(preset.rules), []
    changes: dict[str, Choice] = {}
    for option, answer in asked.items():
        known = _known(preset, option, answer)
        if known is None:
            complaints.append(f"`{option[:64]}` cannot be `{str(answer)[:64]}` here.")
        elif known != own[option]:
            changes[option] = known
    while True:
        choice = _choice(preset, changes)
        try:
            rules = resolve(choice)
            break
        except IncompatibleAnswersError as error:
            complaints.append(str(error))
            del changes[next(option for option in error.options if option in changes)]
    options = options_of(preset.rules)
    changed = [
        Changed(option, options[option].question, changes[option], options[option].says(changes[option]))
        for option in options
        if option in changes
    ]
    return Book(preset, choice, rules, tuple(changed), " ".join(complaints[:_MOST_COMPLAINTS]))


def _known(preset: Preset, option: str, answer: str | int) -> Choice | None:
    """Return an answer as the option declares it; None if it does not."""
    declared = options_of(preset.rules).get(option)
    if declared is None:
        return None
    return next((each.answer for each in declared.answers if str(each.answer) == str(answer)), None)


def _choice(preset: Preset, changes: Mapping[str, Choice]) -> RuleChoice:
    return RuleChoice(preset.id, changes_of_answers(changes)) if changes else RuleChoice(preset.id)
