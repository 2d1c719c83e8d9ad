"""The generated hands are varied enough for a law to mean something."""

from collections import Counter

import pytest

from engine.rulebook import RULEBOOK
from schemas.rules import StockRules, WidowRules
from schemas.ruling import EndedBy, Refused, Settled, Unfinished
from tests.questions import cited
from tests.strategies import drawn, questions


@pytest.fixture(scope="module")
def judged():
    return [(question, question.ruling()) for question in drawn(questions(), 1_000)]


def test_every_outcome_is_frequent(judged):
    outcomes = Counter((type(question.rules), type(ruling)) for question, ruling in judged)
    for form in (StockRules, WidowRules):
        assert all(outcomes[form, outcome] >= 15 for outcome in (Settled, Refused, Unfinished))


def test_hands_end_in_every_way(judged):
    ways = Counter(ruling.ended_by for _, ruling in judged if isinstance(ruling, Settled))
    assert set(ways) == set(EndedBy.__args__)
    assert min(ways.values()) >= 5


def test_logs_go_on_beyond_the_end_and_leave_claims_open(judged):
    ended = [ruling for _, ruling in judged if isinstance(ruling, Settled)]
    assert sum(ruling.unplayed > 0 for ruling in ended) >= 50
    assert sum(bool(ruling.open_claims) for ruling in ended) >= 5


def test_tables_are_of_every_size(judged):
    sizes = Counter(len(question.hand.players) for question, _ in judged)
    assert all(sizes[size] >= 5 for size in (1, 2, 3, 4, 5, 16))


def test_nearly_every_rule_is_at_work(judged):
    of_games = {rule.id for rule in RULEBOOK if rule.refuses and rule.id.startswith("game.")}
    of_rulings = {rule.id for rule in RULEBOOK} - of_games
    seen = {citation.rule for _, ruling in judged for citation in cited(ruling)}
    assert len(seen) >= 0.8 * len(of_rulings), sorted(of_rulings - seen)
