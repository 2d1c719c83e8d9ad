"""Which answers do not go together, as data."""

from collections.abc import Callable, Container
from functools import partial

from msgspec import Struct

from schemas.options import Choice


class Need(Struct, frozen=True):
    """An answer that only goes together with certain answers of another option."""

    option: str
    answer: Choice
    other: str
    answers: tuple[Choice, ...]


NEEDS = (
    Need("loss_beyond_lives", "county", "county", ("all",)),
    Need("knock_after_stock", "allowed", "stock_exhausted", ("discard_pile", "reshuffle")),
)


class IncompatibleAnswersError(ValueError):
    """Two answers of one rule set that do not go together, of these two `options`."""

    def __init__(self, need: Need, found: Choice) -> None:
        """Say both options, and what would go together."""
        wanted = " or ".join(f"`{choice}`" for choice in need.answers)
        super().__init__(f"`{need.option}: {need.answer}` needs `{need.other}` to be {wanted}, but it is `{found}`.")
        self.options = (need.option, need.other)


def violated(answer_to: Callable[[str], Choice], options: Container[str]) -> list[Need]:
    """Return the needs that are not met by the answers to some options."""
    return [
        need
        for need in NEEDS
        if need.option in options
        and answer_to(need.option) == need.answer
        and answer_to(need.other) not in need.answers
    ]


def check_compatible(rules: Struct) -> None:
    """Raise IncompatibleAnswersError if an answer lacks the answer that it needs."""
    for need in violated(partial(getattr, rules), rules.__struct_fields__):
        raise IncompatibleAnswersError(need, getattr(rules, need.other))
