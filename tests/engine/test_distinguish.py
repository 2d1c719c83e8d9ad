"""What distinguishes two rule sets: each hand is decided by its option alone, and cannot be made smaller."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from engine.adjudicate import adjudicate
from engine.contrast import differ
from engine.examples.distinguish import MOST_TRIED, distinguish
from engine.presets import RuleChoice, resolve
from engine.wording import points
from schemas.changes import Changes
from schemas.rules import StockRules, WidowRules
from schemas.ruling import Unfinished
from tests.strategies import examples, rule_choices


@st.composite
def pairs(draw):
    form = draw(st.sampled_from((StockRules, WidowRules)))
    return draw(rule_choices(form)), draw(rule_choices(form))


def check(one, other):
    """Assert all that is true of what distinguishes two rule sets; return the options that something was found for."""
    found = distinguish(one, other)
    apart = {
        name for name, answer in asdict(resolve(one).rules).items() if answer != getattr(resolve(other).rules, name)
    }
    assert {each.option for each in found.found} | {each.option for each in found.missing} == apart
    for each in found.found:
        first, second = [resolve(choice).rules for choice in each.rules]
        assert {name for name, answer in asdict(first).items() if answer != getattr(second, name)} == {each.option}
        assert first == resolve(one).rules or second == resolve(other).rules
        assert each.answers == (getattr(first, each.option), getattr(second, each.option))
        assert tells_apart(each.hand, first, second)
        assert [adjudicate(each.hand, rules, None) for rules in (first, second)] == [
            adjudicate(each.hand, ruling.rules, None) for ruling in each.rulings
        ]
        assert not each.hand.events or not tells_apart(replace(each.hand, events=each.hand.events[:-1]), first, second)
    return {each.option for each in found.found}


def tells_apart(hand, first, second):
    one, other = [adjudicate(hand, rules) for rules in (first, second)]
    return differ(one, other) and not isinstance(one, Unfinished) and not isinstance(other, Unfinished)


@examples(0.04)
@given(pairs())
def test_any_two_rule_sets(pair):
    check(*pair)


def test_a_ride_with_more_draws_is_worth_more():
    one, other = [RuleChoice("ride-the-bus", Changes(ride_the_bus=draws)) for draws in (8, 9)]
    (found,) = distinguish(one, other).found
    first, second = [ruling.seats[0].value for ruling in found.rulings]
    assert first < second
    assert found.what == f"Ana's ride is worth {points(round(2 * second))}"


def test_presets():
    assert check(RuleChoice("pagat"), RuleChoice("large-group")) == {"first_knock", "knocker_on_31", "stock_exhausted"}
    assert check(RuleChoice("bicycle"), RuleChoice("widow")) == {"first_knock", "pot_tie"}
    assert check(RuleChoice("pub"), RuleChoice("pub")) == set()


def test_a_search_ends_and_says_what_it_has_not_come_to():
    whole = distinguish(RuleChoice("pagat"), RuleChoice("four-lives-online"))
    assert whole.tried < MOST_TRIED / 2
    for most in (0, 1000, whole.tried // 2):
        cut = distinguish(RuleChoice("pagat"), RuleChoice("four-lives-online"), most_tried=most)
        assert cut.tried == most
        known = [each.option for each in whole.found if each in cut.found]
        assert [each.option for each in cut.found] == known
        assert len(cut.found) + len(cut.missing) == len(whole.found) + len(whole.missing)
        ended = [each for each in cut.missing if each.why.startswith("The search was ended")]
        assert len(ended) >= len(whole.found) - len(cut.found) > 0
