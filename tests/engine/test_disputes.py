"""Disputes against plain enumeration: every answer, and every pair of answers, tried one by one."""

from itertools import combinations, product

from hypothesis import given
from msgspec import UNSET
from msgspec.structs import asdict, replace

from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import changes_of, differ, ends_of
from engine.disputes import answer_claims, decisive
from engine.trials import Trials
from engine.watching import ON_THE_TABLE
from schemas.cards import Card
from schemas.changes import given as given_answers
from schemas.disputes import Claim
from schemas.hand import KnockEnding, ShowdownRecord, ShownPlayer, StockEnding
from schemas.rules import IncompatibleAnswersError, StockRules, form_class, options_of
from schemas.ruling import Refused
from tests.strategies import examples, questions, wild_records

ENOUGH = 10**9


def other_answers(rules):
    """Return each other answer to each option that players may argue about."""
    return [
        (name, declared.answer)
        for name, option in options_of(rules).items()
        if name not in ON_THE_TABLE
        for declared in option.answers
        if declared.answer != getattr(rules, name)
    ]


def ruled(hand, rules, changes):
    """Return the ruling with changed answers, or None if these do not go together."""
    try:
        return adjudicate(hand, form_class(rules)(**{**asdict(rules), **dict(changes)}), None)
    except IncompatibleAnswersError:
        return None


def told(each):
    """Return each answer that a decisive one stands for, with what comes of it."""
    numbers = [each.answer] if each.least is UNSET else range(each.least, each.greatest + 1)
    return {(each.option, number): (each.outcome, each.changes) for number in numbers}


@examples(3)
@given(questions())
def test_decisive_answers_are_those_that_change_the_ruling(question):
    hand, rules = question.hand, question.rules
    base = adjudicate(hand, rules, None)
    expected = {}
    for change in other_answers(rules):
        ruling = ruled(hand, rules, [change])
        if ruling is not None and differ(base, ruling):
            expected[change] = (ruling.__struct_config__.tag, changes_of(ruling))
    found = list(decisive(Trials(hand, rules, ENOUGH), Clerk(hand.players, None)))
    assert {pair for each in found for pair in told(each).items()} == set(expected.items())
    assert len({(each.option, each.answer) for each in found}) == len(found)
    for each in found:
        assert f"`{each.option}" in each.says


@examples(0.3)
@given(questions())
def test_the_nearest_rule_sets_are_all_with_the_fewest_changes(question):
    hand, rules = question.hand, question.rules
    base = changes_of(adjudicate(hand, rules, None))
    singles = other_answers(rules)
    ways = {}
    for changes in [*[(single,) for single in singles], *combinations(singles, 2)]:
        if len({name for name, _ in changes}) == len(changes):
            ruling = ruled(hand, rules, changes)
            result = None if ruling is None else changes_of(ruling)
            if result is not None and result != base:
                ways.setdefault(result, []).append(frozenset(changes))
    claims = [Claim(result) for result in ways] + [Claim((-7,) * len(hand.players))]
    answers, complete = answer_claims(Trials(hand, rules, ENOUGH), hand, claims, Clerk(hand.players, None))
    assert complete
    for answer in answers[:-1]:
        fewest = min(map(len, ways[answer.claim.changes]))
        expected = {way for way in ways[answer.claim.changes] if len(way) == fewest}
        assert set().union(*map(rule_sets, answer.nearest)) == expected
        assert sum(len(rule_sets(each)) for each in answer.nearest) == len(expected)
        assert answer.supported
        assert not answer.holds
    assert not answers[-1].holds
    assert not answers[-1].nearest


def rule_sets(nearest):
    """Return all the changes that one entry stands for."""
    answers = given_answers(nearest.changes)
    choices = [[(name, number) for number in numbers_of(nearest, name, answer)] for name, answer in answers.items()]
    return {frozenset(way) for way in product(*choices)}


def numbers_of(nearest, name, answer):
    if name not in nearest.ranges:
        return [answer]
    return range(nearest.ranges[name].least, nearest.ranges[name].greatest + 1)


@examples(1)
@given(wild_records())
def test_what_is_not_read_changes_nothing(question):
    """Any answer to an option that a hand does not read gives the very same ruling."""
    hand, rules = question.hand, question.rules
    trials = Trials(hand, rules, ENOUGH)
    assert ends_of(trials.base.ruling) == ends_of(adjudicate(hand, rules, None))
    for name, answer in other_answers(rules):
        ruling = ruled(hand, rules, [(name, answer)])
        if name not in trials.base.reads.first and ruling is not None:
            assert ruling.citations == trials.base.ruling.citations
            assert ruling.seats == trials.base.ruling.seats


def showdown(*hands, **changes):
    """Return the record of a hand that ended with the stock, and rules."""
    players = tuple(ShownPlayer(3, tuple(Card(code) for code in hand.split())) for hand in hands)
    return ShowdownRecord(players, StockEnding()), StockRules(**changes)


def test_answers_that_must_go_together_are_changed_together():
    hand, rules = showdown("Ks 9s 2h", "Qh 5h 2c", "9d 7d 3s", knock_after_stock="allowed")
    (answer,), _ = answer_claims(Trials(hand, rules, ENOUGH), hand, [Claim((0, 0, 0))], Clerk(hand.players, None))
    assert [given_answers(each.changes) for each in answer.nearest] == [
        {"knock_after_stock": "forbidden", "stock_exhausted": "no_loser"}
    ]


def test_numbers_that_are_alike_with_one_change_need_not_be_with_two():
    hand, rules = showdown("5s 5h 5d", "Qh 5c 2c")
    hand = replace(hand, ended_by=KnockEnding(1))
    trials = Trials(hand, rules, ENOUGH)
    refused = next(trial for trial in trials.alternatives(trials.base, "minimum_knock", last=False))
    assert refused.spans == {"minimum_knock": (6, 31)}
    both = list(trials.alternatives(refused, "three_of_a_kind", last=True))
    assert {(trial.changes["three_of_a_kind"], trial.spans["minimum_knock"]) for trial in both} == {
        ("30", (6, 30)),
        ("30", (31, 31)),
        ("30.5", (6, 30)),
        ("30.5", (31, 31)),
    }
    for trial in both:
        assert isinstance(trial.ruling, Refused) == (trial.spans["minimum_knock"] == (31, 31))


def test_a_search_that_is_too_long_says_so():
    hand, rules = showdown("Ks 9s 2h", "Qh 5h 2c", "8d 7d 3s")
    (answer,), complete = answer_claims(
        Trials(hand, rules, 100), hand, [Claim((-2, -2, -2))], Clerk(hand.players, None)
    )
    assert (answer.holds, answer.supported, answer.nearest) == (False, None, ())
    assert "too many" in answer.says
    assert not complete
