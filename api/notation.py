"""The text notation at the edge: what a text asks for, and the text of a hand that is kept."""

from msgspec import UNSET, UnsetType

from api.problems import INVALID, Fault, FieldError, refuse
from engine.presets import DEFAULT_PRESET, PRESET_BY_ID, PRESETS, RuleChoice, changed
from schemas.changes import changes_of_answers
from schemas.hand import Hand
from schemas.notation import Mistake, Notated, NotatedRules, NotationError, read, write
from schemas.rules import RuleSet, form_class

_RULES = "/rules"


def notated(text: str) -> Notated:
    """Return what a text says; raise a 422 fault with every place that is not understood."""
    try:
        return read(text, PRESET_BY_ID)
    except NotationError as error:
        first, *others = error.mistakes
    more = f" And {len(others)} more: see `errors`." if others else ""
    raise Fault(INVALID, f"{first}{more}", _field_error(first), *map(_field_error, others))


def choices(said: Notated, most: int) -> tuple[RuleChoice, ...]:
    """Return the rule sets of a text, in order; raise a 422 fault if there are more than the operation takes."""
    if len(said.rules) > most:
        refuse(f"There may be {most} `[rules …]` here at the most, and the text has {len(said.rules)}.", _RULES)
    return tuple(map(_choice, said.rules))


def only_choice(said: Notated) -> RuleChoice | UnsetType:
    """Return the rule set of a text, if it has one; raise a 422 fault if there are several."""
    found = choices(said, 1)
    return found[0] if found else UNSET


def text_of(hand: Hand, rules: RuleSet) -> bytes:
    """Return the text of a hand and its rules in the strict form.

    The rules are named by the first preset that has them, or else by what differs from the standard of their form.
    """
    return write(Notated(hand, (_notated_rules(rules),))).encode()


def _choice(rules: NotatedRules) -> RuleChoice:
    preset = DEFAULT_PRESET if rules.preset is UNSET else rules.preset
    return RuleChoice(preset, changes_of_answers(rules.changes) if rules.changes else UNSET)


def _notated_rules(rules: RuleSet) -> NotatedRules:
    named = _first_preset(rules)
    return NotatedRules(named or _first_preset(form_class(rules)()) or UNSET, {} if named else changed(rules))


def _first_preset(rules: RuleSet) -> str | None:
    return next((preset.id for preset in PRESETS if preset.rules == rules), None)


def _field_error(mistake: Mistake) -> FieldError:
    return FieldError(str(mistake), line=mistake.line, column=mistake.column, length=mistake.length)
