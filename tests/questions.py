"""A question, as the tests ask it: a hand and a choice of rules; and what one looks for in the answer."""

from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import RuleChoice, resolve
from schemas.hand import Event, Hand
from schemas.rules import RuleSet
from schemas.ruling import Citation, Refused, Ruling


class Question(NamedTuple):
    """A hand under a choice of rules."""

    hand: Hand
    choice: RuleChoice

    @property
    def rules(self) -> RuleSet:
        """Return the complete rule set."""
        return resolve(self.choice).rules

    def ruling(self) -> Ruling:
        """Return the engine's answer."""
        resolved = resolve(self.choice)
        return adjudicate(self.hand, resolved.rules, resolved.silent)

    def with_events(self, *events: Event) -> "Question":
        """Return the question of the same deal with other events."""
        return self._replace(hand=replace(self.hand, events=events))


def cited(ruling: Ruling) -> tuple[Citation, ...]:
    """Return every citation of a ruling, the broken rules of a refusal first."""
    return (*ruling.broken, *ruling.citations) if isinstance(ruling, Refused) else ruling.citations


def without(ruling: Ruling, *fields: str) -> dict[str, Any]:
    """Return the plain form of a ruling without some of its fields."""
    return {field: value for field, value in to_builtins(ruling).items() if field not in fields}
