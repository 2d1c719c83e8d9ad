"""Which answers do not go together, as data."""

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


def check_compatible(rules: Struct) -> None:
    """Raise IncompatibleAnswersError if an answer lacks the answer that it needs."""
    for need in NEEDS:
        if getattr(rules, need.option) == need.answer and getattr(rules, need.other) not in need.answers:
            raise IncompatibleAnswersError(need, getattr(rules, need.other))
