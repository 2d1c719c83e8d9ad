"""The changes to a preset that a request may ask for: any option of either form, each left out by default."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import asdict, fields

from schemas.rules import StockRules, WidowRules

if TYPE_CHECKING:

    class Changes(Struct, frozen=True):
        """Answers that differ from the preset's, by option."""

else:

    def _changeable() -> list[tuple[str, Any, Any]]:
        """Return each option once; those that both forms have allow the same answers in both."""
        types: dict[str, Any] = {}
        for field in (*fields(StockRules), *fields(WidowRules)):
            types.setdefault(field.name, field.type)
        return [(name, annotated | UnsetType, UNSET) for name, annotated in types.items()]

    Changes = defstruct(
        "Changes",
        _changeable(),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        namespace={
            "__doc__": "Answers that differ from the preset's, by option. Options of the other form are refused."
        },
    )


def given(changes: Changes) -> dict[str, str | int]:
    """Return the answers that are given, by option."""
    return {name: choice for name, choice in asdict(changes).items() if choice is not UNSET}


def changes_of_answers(answers: Mapping[str, str | int]) -> Changes:
    """Return the changes that give these answers, by option."""
    return Changes(**answers)
