"""The rules that a request asks for, or what is wrong with them."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from api.problems import INCOMPATIBLE_ANSWERS, Fault, FieldError
from engine.presets import OtherFormError, ResolvedRules, RuleChoice, resolve
from schemas.changes import given
from schemas.compatibility import IncompatibleAnswersError

DEFAULT = RuleChoice()
ChosenRules = Annotated[RuleChoice, Meta(description="The rules to judge by; the standard game if left out.")]


def rules_of(choice: RuleChoice | UnsetType, pointer: str = "/rules") -> ResolvedRules:
    """Return the complete rules that a request chose; raise a 422 fault if its answers do not go together.

    `pointer` is where the choice stands.
    """
    choice = DEFAULT if choice is UNSET else choice
    try:
        return resolve(choice)
    except (OtherFormError, IncompatibleAnswersError) as error:
        detail, options = str(error), error.options
    asked = {} if choice.changes is UNSET else given(choice.changes)
    errors = [FieldError(detail=detail, pointer=f"{pointer}/changes/{option}") for option in options if option in asked]
    raise Fault(INCOMPATIBLE_ANSWERS, detail, *errors)
