"""Rule sets: the two forms of the game, and the options that each has."""

from typing import Literal, get_args

from msgspec.structs import fields

from schemas.compatibility import NEEDS, IncompatibleAnswersError
from schemas.options import Option, answer
from schemas.stock_rules import StockRules
from schemas.widow_rules import WidowRules

__all__ = [
    "FORM",
    "NEEDS",
    "STOCK_OPTIONS",
    "WIDOW_OPTIONS",
    "IncompatibleAnswersError",
    "RuleSet",
    "StockRules",
    "WidowRules",
    "form_class",
    "form_of",
    "options_of",
]

RuleSet = StockRules | WidowRules
"""A complete set of house rules, tagged on `form`."""

FORM = Option(
    "Which form of the game is played?",
    (
        answer(
            "stock",
            "Players draw from a stock or a discard pile, and the lowest hand loses lives.",
            "S0 S1 S2 S3 PG WP",
        ),
        answer(
            "widow",
            "Players exchange cards with a widow of three, and the best hand takes the pot.",
            "BI S0",
        ),
    ),
    "game",
)


def _declared(form: type[RuleSet]) -> dict[str, Option]:
    """Return the options of a form by name, in the order of declaration."""
    return {field.name: _option_of(field.type) for field in fields(form)}


def _option_of(annotated: object) -> Option:
    for meta in get_args(annotated)[1:]:
        found = (meta.extra or {}).get("option")
        if isinstance(found, Option):
            return found
    raise TypeError(annotated)


STOCK_OPTIONS = _declared(StockRules)
WIDOW_OPTIONS = _declared(WidowRules)


def form_of(rules: RuleSet) -> Literal["stock", "widow"]:
    """Return the form of the game that a rule set is for."""
    return "stock" if isinstance(rules, StockRules) else "widow"


def form_class(rules: RuleSet) -> type[RuleSet]:
    """Return the type of the rule sets of this form."""
    return StockRules if isinstance(rules, StockRules) else WidowRules


def options_of(rules: RuleSet) -> dict[str, Option]:
    """Return the options that a rule set answers, by name."""
    return STOCK_OPTIONS if isinstance(rules, StockRules) else WIDOW_OPTIONS
