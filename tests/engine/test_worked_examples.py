"""Worked examples: every one shows its scenario, is played with sense, and follows from its record alone."""

from collections import defaultdict
from contextlib import suppress
from functools import cache
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.contrast import differ
from engine.examples.catalogue import SCENARIO_BY_ID, SCENARIOS
from engine.examples.generate import MOST_TRIES, story
from engine.examples.narrative import narrate
from engine.presets import PRESETS, ResolvedRules, RuleChoice, resolve
from engine.valuation import worth
from schemas.compatibility import IncompatibleAnswersError
from schemas.examples import NoStory, Story
from schemas.hand import Discard, DrawStock, Exchange, Hand, HandLog, TakeDiscard
from schemas.rules import StockRules, WidowRules, options_of
from schemas.ruling import Settled, Unfinished
from tests.bookkeeping import judged_events
from tests.strategies import examples, rule_choices

FORMS = (StockRules, WidowRules)
PRESET_IDS = [preset.id for preset in PRESETS]


@cache
def stories(preset):
    """Return the example of every scenario that a preset has one of."""
    told = [story(scenario, resolve(RuleChoice(preset))) for scenario in SCENARIOS]
    return [each for each in told if isinstance(each, Story)]


def check(told, rules):
    """Assert all that is true of every example."""
    record = msgspec.json.decode(msgspec.json.encode(told.hand), type=Hand)
    ruling = adjudicate(record, rules.rules, rules.silent)
    assert ruling == told.ruling
    assert not isinstance(ruling, Unfinished)
    assert SCENARIO_BY_ID[told.scenario].shows(record, ruling)
    assert narrate(record, ruling) == told.passages
    assert not isinstance(ruling, Settled) or not ruling.unplayed
    check_sense(record, ruling, rules.rules)


def check_sense(log, ruling, rules):
    """Assert that players keep what makes the best hand, and take a discard only if that makes theirs better.

    The last event of a refused hand is what somebody should not have done.
    """
    hands = {seat: list(hand) for seat, hand in enumerate(log.deal.hands, start=1)}
    pile = [log.deal.upcard]
    taken = None
    events = judged_events(log, ruling) if isinstance(ruling, Settled) else log.events[:-1]
    for event in events:
        hand = hands.get(getattr(event, "seat", 0), [])
        match event:
            case DrawStock(_, card):
                hand.append(card)
            case TakeDiscard():
                taken = pile.pop()
                before = worth(hand, rules).half_points
                hand.append(taken)
            case Discard(_, card):
                kept = worth([held for held in hand if held is not card], rules).half_points
                choices = [given for given in hand if given is not taken]
                best = max(worth([held for held in hand if held is not given], rules).half_points for given in choices)
                assert kept == best or card is taken
                assert taken is None or card is taken or kept > before
                hand.remove(card)
                pile.append(card)
                taken = None
            case Exchange(_, give, take):
                hands[event.seat] = [held for held in hand if held not in give] + list(take)
                must = rules.first_knock == "after_first_round" and log.events.index(event) < len(hands)
                assert must or worth(hands[event.seat], rules).half_points > worth(hand, rules).half_points
            case _:
                pass


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_example_of_a_preset(preset):
    for told in stories(preset):
        check(told, resolve(RuleChoice(preset)))


@examples(0.5)
@given(rule_choices(), st.integers(0, 2**53 - 1), st.sampled_from(SCENARIOS))
def test_examples_of_any_rules(choice, seed, scenario):
    rules = resolve(choice)
    told = story(scenario, rules, seed)
    if isinstance(told, NoStory):
        assert scenario.obstacle(rules.rules, None) or str(MOST_TRIES) in told.why
    else:
        check(told, rules)


@examples(0.3)
@given(rule_choices(), st.integers(1, 16), st.sampled_from(SCENARIOS))
def test_examples_at_any_table(choice, players, scenario):
    told = story(scenario, resolve(choice), players=players)
    if isinstance(told, Story):
        check(told, resolve(choice))
        assert len(told.hand.players) == players
        assert scenario.fewest <= players <= scenario.most


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_does_occur(scenario):
    """Under some preset, or under the standard game with the answers that it needs."""
    needed = {option: answers[0] for option, answers in scenario.answers().items()}
    standard = StockRules if scenario.form == "stock" else WidowRules
    companions = ({}, {"knocker_alone": 2}, {"county": "none", "lives": 1}, {"stock_exhausted": "reshuffle"})
    sets = []
    for more in companions:
        with suppress(IncompatibleAnswersError):
            sets.append(standard(**{**needed, **(more if standard is StockRules else {})}))
    sets += [resolve(RuleChoice(preset)).rules for preset in PRESET_IDS]
    told = (story(scenario, ResolvedRules(rules, frozenset())) for rules in sets)
    assert any(isinstance(each, Story) for each in told)


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_scenario_that_cannot_occur_under_a_preset_says_why(preset):
    rules = resolve(RuleChoice(preset)).rules
    for scenario in SCENARIOS:
        told = story(scenario, resolve(RuleChoice(preset)))
        if isinstance(told, NoStory):
            assert told.why == scenario.obstacle(rules, None)


def answers():
    """Yield every answer of every option, in a rule set that has it."""
    companions = {"lives": {"redemption": "best_hand", "county": "none"}, "knock_after_stock": {}}
    for form in FORMS:
        for name, option in options_of(form()).items():
            few = option.answers if len(option.answers) < 7 else (*option.answers[:3], option.answers[-1])
            for answer in few:
                yield pytest.param(form, name, answer.answer, companions.get(name, {}), id=f"{name}-{answer.answer}")


@pytest.mark.parametrize(("form", "name", "answer", "more"), list(answers()))
def test_an_answer_is_shown_by_an_example(form, name, answer, more):
    """Some scenario has an example under the answer that another answer would end otherwise."""
    rules = form(**{**more, name: answer})
    others = []
    for other in options_of(rules)[name].answers:
        if other.answer != answer:
            try:
                others.append(replace(rules, **{name: other.answer}))
            except IncompatibleAnswersError:
                continue
    for scenario in SCENARIOS:
        told = story(scenario, ResolvedRules(rules, frozenset()))
        if isinstance(told, Story) and any(differ(told.ruling, adjudicate(told.hand, other)) for other in others):
            return
    pytest.fail("no example shows it")


def test_the_seed_decides():
    rules = resolve(RuleChoice())
    hands = defaultdict(set)
    for scenario in SCENARIOS[:20]:
        for seed in (0, 1, 2, 2):
            told = story(scenario, rules, seed)
            if isinstance(told, Story):
                hands[scenario.id].add(msgspec.json.encode(told.hand))
    assert {len(different) for different in hands.values()} == {3}


def test_examples_are_the_same_on_every_machine():
    """Hands and stories of all presets: what changes them changes this number, and is worth a line in the changelog."""
    digest = sha256()
    for preset in PRESET_IDS:
        for told in stories(preset):
            digest.update(msgspec.json.encode((told.scenario, told.hand, told.passages)))
    assert digest.hexdigest()[:16] == "c967f775ac3e6583"


def test_names_are_those_given():
    told = story(SCENARIO_BY_ID["knock"], resolve(RuleChoice()), players=3, names=("Zoe",))
    text = "\n".join([line for passage in told.passages for line in (passage.says, *passage.items)])
    assert isinstance(told.hand, HandLog)
    assert "Zoe" in text
    assert "Seat 2" in text
