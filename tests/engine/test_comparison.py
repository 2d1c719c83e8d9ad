"""Comparison: what parts two rule sets is enough, and no part of it can be spared."""

from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import convert
from msgspec.json import encode
from msgspec.structs import asdict

from api.examples import TIED_KNOCKER
from engine.adjudicate import adjudicate
from engine.comparison import alike, options_that_part, rulings_under
from engine.contrast import ends_of
from engine.presets import PRESET_BY_ID, PRESETS, RuleChoice, resolve
from engine.trials import Trials
from schemas.hand import Hand
from schemas.rules import IncompatibleAnswersError, form_class, form_of
from tests.strategies import examples, questions, rule_choices, wild_records

ENOUGH = 10**9


def under(hand, rules, answers):
    """Return how a hand ends with some answers put into a rule set, or None if these do not go together."""
    try:
        return ends_of(adjudicate(hand, form_class(rules)(**{**asdict(rules), **answers}), None))
    except IncompatibleAnswersError:
        return None


@examples(1)
@given(questions(), st.data())
def test_what_parts_two_rule_sets_is_enough_and_no_more(question, data):
    hand, first = question.hand, question.rules
    other = resolve(data.draw(rule_choices(form_class(first)))).rules
    ruling = adjudicate(hand, other, None)
    assume(ends_of(ruling) != ends_of(adjudicate(hand, first, None)))
    parting = options_that_part(Trials(hand, first, ENOUGH), asdict(other), ruling)
    assert parting.items() <= asdict(other).items()
    assert under(hand, first, parting) == ends_of(ruling)
    for option in parting:
        fewer = {name: answer for name, answer in parting.items() if name != option}
        assert under(hand, first, fewer) != ends_of(ruling)
    different = [pair for pair in asdict(other).items() if asdict(first)[pair[0]] != pair[1]]
    for number in range(min(len(parting), 3)):
        for fewer in combinations(different, number):
            assert under(hand, first, dict(fewer)) != ends_of(ruling)


@examples(2)
@given(st.one_of(questions(), wild_records()), st.data())
def test_rulings_that_are_worked_out_together_are_those_of_each(question, data):
    hand, form = question.hand, form_class(question.rules)
    drawn = [resolve(data.draw(rule_choices(form))) for _ in range(3)]
    rules = [resolve(RuleChoice(preset.id)) for preset in PRESETS if form_class(preset.rules) is form] + drawn
    rulings = rulings_under(Trials(hand, question.rules, ENOUGH), rules)
    assert rulings == [adjudicate(hand, each.rules, each.silent) for each in rules]
    assert encode(rulings) == encode([adjudicate(hand, each.rules, each.silent) for each in rules])


@examples(1)
@given(questions())
def test_groups_are_of_those_who_end_alike(question):
    hand = question.hand
    presets = [preset for preset in PRESETS if form_of(preset.rules) == form_of(question.rules)]
    rulings = [adjudicate(hand, preset.rules, preset.silent) for preset in presets]
    groups = alike(rulings)
    assert sorted(position for group in groups for position in group) == list(range(len(rulings)))
    assert groups[0][0] == 0
    for one, group in enumerate(groups):
        assert group == sorted(group)
        for other, another in enumerate(groups):
            same = ends_of(rulings[group[0]]) == ends_of(rulings[another[-1]])
            assert same == (one == other)


def test_too_much_work_is_given_up():
    hand, rules = convert(TIED_KNOCKER, Hand), PRESET_BY_ID["pagat"].rules
    other = PRESET_BY_ID["casual"].rules
    ruling = adjudicate(hand, other, None)
    assert options_that_part(Trials(hand, rules, ENOUGH), asdict(other), ruling) == {"knocker_tie": "shares"}
    assert options_that_part(Trials(hand, rules, 50), asdict(other), ruling) is None
