"""Watching: rule sets that note which of their options are read while a hand is judged.

A ruling depends on the hand and on the answers that were read, and on nothing else. So any other answer to an option
that was not read gives the same ruling, and a hand can be judged under all rule sets without trying most of them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from math import ceil, floor
from typing import Any, Literal

from msgspec.structs import asdict

from schemas.options import Choice
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, RuleSet, StockRules, WidowRules, form_of

_FEW = 6
"""Answers up to which each number is taken by itself; of more, it is noted with what they are compared."""


class Reads:
    """Which options were read, when for the first time, and what numbers would have compared alike."""

    def __init__(self) -> None:
        """Begin with nothing read, before the first stage."""
        self.stage = 0
        """What is being done; it is set from outside."""
        self.first: dict[str, int] = {}
        """The stage in which an option was first read."""
        self.alike: dict[str, tuple[int, int]] = {}
        """From the least to the greatest answer that compares as the answer in use does, of options with many."""

    def resumed(self, stage: int) -> "Reads":
        """Return what had been read before a stage, to go on from there."""
        reads = Reads()
        reads.stage = stage
        reads.first = {name: first for name, first in self.first.items() if first < stage}
        reads.alike = {name: alike for name, alike in self.alike.items() if name in reads.first}
        return reads


class _Number:
    """A number that can only be compared and shown."""

    __slots__ = ("_name", "_reads", "_value")

    def __init__(self, name: str, value: int, reads: Reads) -> None:
        self._name = name
        self._value = value
        self._reads = reads

    def _note(self, *, low: int | None = None, high: int | None = None) -> None:
        least, greatest = self._reads.alike[self._name]
        least = least if low is None else max(least, low)
        greatest = greatest if high is None else min(greatest, high)
        self._reads.alike[self._name] = least, greatest

    def __lt__(self, other: float) -> bool:
        is_less = self._value < other
        if is_less:
            self._note(high=ceil(other) - 1)
        else:
            self._note(low=ceil(other))
        return is_less

    def __le__(self, other: float) -> bool:
        is_at_most = self._value <= other
        if is_at_most:
            self._note(high=floor(other))
        else:
            self._note(low=floor(other) + 1)
        return is_at_most

    def __gt__(self, other: float) -> bool:
        return not self <= other

    def __ge__(self, other: float) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return self > 0

    def __format__(self, spec: str) -> str:
        return format(self._value, spec)


class AnyStock(StockRules, frozen=True):
    """Rules of the stock form whose answers need not go together: what is tried on the way to a rule set."""

    def __post_init__(self) -> None:
        """Accept all answers."""


class _Watching:
    """Rules that are watched."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - of any field
        """Return a field; one that is an option is noted."""
        value = super().__getattribute__(name)
        return super().__getattribute__("read")(name, value) if name in _OPTIONS else value


class WatchedStock(_Watching, AnyStock, frozen=True):
    """Rules of the stock form that are watched."""

    read: Callable[[str, Any], Any] = lambda _, value: value


class WatchedWidow(_Watching, WidowRules, frozen=True):
    """Rules of the widow form that are watched."""

    read: Callable[[str, Any], Any] = lambda _, value: value


_OPTIONS = frozenset({*StockRules.__struct_fields__, *WidowRules.__struct_fields__})


def unwatched(rules: RuleSet, changes: Mapping[str, Choice]) -> RuleSet:
    """Return a rule set with changed answers, whether they go together or not."""
    form = AnyStock if isinstance(rules, StockRules) else WidowRules
    return form(**{**asdict(rules), **changes})


def watched(rules: RuleSet, changes: Mapping[str, Choice], reads: Reads) -> RuleSet:
    """Return a rule set with changed answers that notes in `reads` what is read of it."""
    ranges = _ranges(form_of(rules))

    def read(name: str, value: Any) -> Any:  # noqa: ANN401 - of any field
        reads.first.setdefault(name, reads.stage)
        if name in ranges:
            reads.alike.setdefault(name, ranges[name])
            return _Number(name, value, reads)
        return value

    form = WatchedStock if isinstance(rules, StockRules) else WatchedWidow
    return form(**{**asdict(rules), **changes}, read=read)


def answer_range(rules: RuleSet, option: str) -> tuple[int, int]:
    """Return the least and the greatest answer of an option that has many numbers for answers."""
    return _ranges(form_of(rules))[option]


@cache
def _ranges(form: Literal["stock", "widow"]) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest answer of the options of a form that have many numbers for answers."""
    ranges = {}
    for name, option in (STOCK_OPTIONS if form == "stock" else WIDOW_OPTIONS).items():
        numbers = [answer.answer for answer in option.answers if isinstance(answer.answer, int)]
        if len(numbers) > _FEW and name not in ON_THE_TABLE:
            ranges[name] = min(numbers), max(numbers)
    return ranges


ON_THE_TABLE = frozenset({"jokers", "lives", "ride_the_bus"})
"""Options that are not varied: players see what lies on the table, and do not argue about it."""
