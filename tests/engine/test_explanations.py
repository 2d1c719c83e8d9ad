"""Laws on what a ruling cites: an option that decides is named, and an option that is named decides."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import PRESET_BY_ID
from schemas.changes import given as answers_given
from schemas.options import Choice, Option
from schemas.rules import IncompatibleAnswersError, RuleSet, StockRules, WidowRules, options_of
from schemas.ruling import Ruling, Settled
from tests.making.dice import Dice
from tests.questions import cited, without
from tests.strategies import damaged_logs, dice, examples, legal_logs, questions, showdown_records

FEW = 6
"""Up to so many answers of an option are all tried; of more, those at the edges and some others."""

SAID = ("rules", "citations")
"""What may differ between two rulings that come to the same."""

every_kind_of_hand = pytest.mark.parametrize("hands", [legal_logs, damaged_logs, showdown_records])
every_form = pytest.mark.parametrize("form", [StockRules, WidowRules])


@every_form
@every_kind_of_hand
@examples(3)
@given(data=st.data())
def test_explanation_soundness(form, hands, data):
    """An answer that changes the outcome, or what it means for anybody, has its option cited in one of the two."""
    question, rolls = data.draw(hands(form)), data.draw(dice(20))
    ruling = question.ruling()
    named = {citation.option for citation in cited(ruling)}
    for option, answer, rules in other_rules(question.rules, rolls):
        other = adjudicate(question.hand, rules)
        if option not in named and effect(other) != effect(ruling):
            named_then = {citation.option for citation in cited(other)}
            assert option in named_then, f"{option}: {answer} changes the result, and nothing says so"


@every_form
@every_kind_of_hand
@examples(1.5)
@given(data=st.data())
def test_no_idle_citation(form, hands, data):
    """An option is cited only if by another answer the result were another or the citation not there."""
    question, rolls = data.draw(hands(form)), data.draw(dice(20))
    ruling = question.ruling()
    others: dict[str, list[Ruling]] = {}
    for option, _, rules in other_rules(question.rules, rolls):
        others.setdefault(option, []).append(adjudicate(question.hand, rules))
    for citation in cited(ruling):
        tried = others.get(citation.option, [])
        same = [without(other, *SAID) == without(ruling, *SAID) and citation in cited(other) for other in tried]
        assert not tried or not all(same), f"{citation.rule} names {citation.option}, which decides nothing"


@examples(5)
@given(questions())
def test_stated(question):
    """A citation is not stated exactly where the preset is silent on its option and no change answers it."""
    silent = PRESET_BY_ID[question.choice.preset].silent - answers_given(question.choice.changes).keys()
    for citation in cited(question.ruling()):
        assert citation.stated == (citation.option not in silent)


def effect(ruling: Ruling) -> object:
    """Return what a ruling means for the players."""
    if not isinstance(ruling, Settled):
        return type(ruling)
    seats = [(own.change, own.status) for own in ruling.seats]
    return seats, ruling.pot_winners, ruling.winners, ruling.play_again


def other_rules(rules: RuleSet, rolls: Dice) -> Iterator[tuple[str, Choice, RuleSet]]:
    """Yield each rule set that differs in one answer, with the option and the answer."""
    for name, option in options_of(rules).items():
        for answer in other_answers(option, getattr(rules, name), rolls):
            try:
                yield name, answer, replace(rules, **{name: answer})
            except IncompatibleAnswersError:
                continue


def other_answers(option: Option, mine: Choice, rolls: Dice) -> list[Choice]:
    """Return all other answers of an option; of many numbers the ends, the neighbours and some others."""
    others = [known.answer for known in option.answers if known.answer != mine]
    if len(others) < FEW:
        return others
    edges = {min(others), max(others), mine - 1, mine + 1}
    return sorted({*edges.intersection(others), *(rolls.pick(others) for _ in range(3))})
