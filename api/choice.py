"""The rules that a request asks for: the only place where the default preset is filled in."""

from msgspec import UNSET, UnsetType

from api.problems import INCOMPATIBLE_ANSWERS, Fault, FieldError
from engine.presets import OtherFormError, ResolvedRules, RuleChoice, resolve
from schemas.rules import IncompatibleAnswersError

STANDARD = RuleChoice()


def rules_of(choice: RuleChoice | UnsetType, pointer: str = "/rules") -> ResolvedRules:
    """Return the complete rules that a request chose; raise a 422 fault if its answers do not go together."""
    try:
        return resolve(STANDARD if choice is UNSET else choice)
    except OtherFormError as error:
        options = [error.option]
        detail = str(error)
    except IncompatibleAnswersError as error:
        options = [error.need.option, error.need.other]
        detail = str(error)
    errors = [FieldError(detail=detail, pointer=f"{pointer}/changes/{option}") for option in options]
    raise Fault(INCOMPATIBLE_ANSWERS, detail, *errors)
