"""Which options cannot matter under which answers to others, as data: rule text leaves them out then."""

from collections.abc import Mapping

from schemas.options import Choice
from schemas.rules import RuleSet, options_of

Where = Mapping[str, tuple[Choice, ...]]
"""Answers to some options, by option; it holds for rules that give one of them to each."""

_TAKES_ONE = ("safe", "shares", "only_one")
"""Answers to `knocker_tie` under which nobody loses more than one life."""
_SPARES_SOMEBODY = ("safe", "only_one", "only_two")
"""Answers to `knocker_tie` under which not everyone loses, whoever ties."""

IDLE: tuple[tuple[str, Where], ...] = (
    # Without a county whoever loses more than is left is out, as whoever loses just that.
    ("loss_beyond_lives", {"county": ("none",)}),
    # Nothing costs more than one life, or than what is held.
    ("loss_beyond_lives", {"knocker_alone": (1,), "knocker_tie": _TAKES_ONE, "knocker_on_31": (1,)}),
    (
        "loss_beyond_lives",
        {"knocker_alone": (1,), "knocker_tie": _TAKES_ONE, "thirty_one_after_knock": ("top_hand",)},
    ),
    # The hand is over when the stock is.
    ("knock_after_stock", {"stock_exhausted": ("showdown", "no_loser")}),
    # No 31 ends a hand in which somebody has knocked.
    ("knocker_on_31", {"thirty_one_after_knock": ("top_hand",)}),
    # Everyone loses only if all tie for the lowest hand, and then somebody is spared.
    ("everyone_out", {"knocker_tie": _SPARES_SOMEBODY, "lowest_tie": ("nobody",)}),
    ("everyone_out", {"knocker_tie": _SPARES_SOMEBODY, "stock_exhausted": ("no_loser", "reshuffle")}),
    # Whoever is one loss from going out has as many lives as at the start, and nobody comes to hold more.
    ("redemption", {"county": ("none",), "lives": (1,)}),
)


def holds(where: Where, rules: RuleSet) -> bool:
    """Return whether rules give these answers; those of the other form do not have the options."""
    return all(getattr(rules, option, None) in answers for option, answers in where.items())


def idle_options(rules: RuleSet) -> frozenset[str]:
    """Return the options whose answer cannot matter under these rules."""
    options = options_of(rules)
    return frozenset(option for option, where in IDLE if option in options and holds(where, rules))
