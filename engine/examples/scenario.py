"""Scenarios: situations that a rule sheet tells of, each with a way to make it happen and a way to know it again."""

from collections.abc import Callable, Container, Mapping
from typing import Any, Literal

from msgspec import Struct

from engine.wording import counted
from schemas.hand import HandLog
from schemas.options import Choice
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, RuleSet, form_of, options_of
from schemas.ruling import Ruling

Script = Callable[[Any], None]
"""What happens on a stage of the scenario's form. It raises StuckError where the cards do not allow it."""

Shows = Callable[[HandLog, Ruling], bool]
"""Whether a hand with its ruling is of the scenario."""


_NO_SITUATION = "Under these rules there is no such situation: {says} (`{option}`)"
_NO_HAND = "No hand is made for it under these rules: {says} (`{option}`)"
_OPTIONS = {"stock": STOCK_OPTIONS, "widow": WIDOW_OPTIONS}


class Scenario(Struct, frozen=True, kw_only=True):
    """A situation: what it shows, under which rules it can occur, how it is made and how it is recognised."""

    id: str
    title: str
    about: str
    """A sentence on what happens in it."""
    form: Literal["stock", "widow"] = "stock"
    needs: Mapping[str, Container[Choice]] = {}
    """Options with the answers under which there is such a situation, if not under all."""
    made_under: Mapping[str, Container[Choice]] = {}
    """Options with the answers under which the script makes a hand of it, if not under all."""
    unless: Callable[[Any], str | None] = lambda _: None
    """Why it cannot occur under rules that answer all that is needed; None if it can."""
    players: int = 3
    """How many sit at the table where nobody says otherwise."""
    fewest: int = 2
    most: int = 16
    script: Script
    shows: Shows

    def answers(self) -> dict[str, tuple[Choice, ...]]:
        """Return the answers under which there are hands of it, of each option where these are not all."""
        return {
            name: tuple(
                [declared.answer for declared in _OPTIONS[self.form][name].answers if declared.answer in fitting]
            )
            for name, fitting in {**self.needs, **self.made_under}.items()
        }

    def obstacle(self, rules: RuleSet, players: int | None) -> str | None:
        """Return why there is no hand of it under these rules, or at a table of so many; None if there may be one."""
        if form_of(rules) != self.form:
            return f"It belongs to the {self.form} form of the game."
        for fits, why in ((self.needs, _NO_SITUATION), (self.made_under, _NO_HAND)):
            for option, fitting in fits.items():
                chosen = getattr(rules, option)
                if chosen not in fitting:
                    return why.format(says=options_of(rules)[option].says(chosen), option=option)
        if players is not None and not self.fewest <= players <= self.most:
            exactly = self.fewest == self.most
            return f"It needs {counted(self.most, 'player') if exactly else f'{self.fewest} to {self.most} players'}."
        return self.unless(rules)
