"""What docs/adding-a-rule.md promises: whoever adds a rule, an option or a preset and forgets a part is told so."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Literal, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import fields, replace

from engine.adjudicate import adjudicate
from engine.counting import value_of
from engine.presets import PRESETS, resolve
from engine.rulebook import RULEBOOK
from schemas.cards import Card
from schemas.options import Choice
from schemas.rules import (
    STOCK_OPTIONS,
    WIDOW_OPTIONS,
    IncompatibleAnswersError,
    RuleSet,
    StockRules,
    WidowRules,
    options_of,
)
from schemas.sources import SOURCE_BY_CODE
from tests.corpus import CASES, EXAMPLES, hands, valuations
from tests.game_stories import FAULTS
from tests.questions import Question, cited, without

REFUSALS = {
    *("log.players", "log.dealer", "log.seat", "log.form", "log.card-twice", "log.card-not-in-pack"),
    *("log.card-not-held", "log.card-unknown", "log.discard-mismatch", "log.stock-mismatch"),
    *("log.widow-mismatch", "log.stock-empty", "log.pile-empty", "log.reshuffle"),
    *("turn.out-of-turn", "turn.not-drawn", "turn.already-drawn"),
    *("discard.returned", "knock.second", "knock.minimum", "knock.first-round", "knock.stock-empty"),
    *("declare.not-31", "declare.lapsed", "declare.wait", "stand.not-allowed", "exchange.count"),
    *("county.none", "bus.not-played", "bus.only-draws"),
    *("game.over", "game.unfinished", "game.hand", "game.seats", "game.dealer"),
    *("game.lives", "game.redeemed", "game.name"),
}
"""The refusals that clients know. One may be added to the contract; none is ever renamed."""

BOUNDARIES = {"lives": [1, 2], "minimum_knock": [0, 17, 18], "ride_the_bus": range(10)}
"""Numbers of which each must differ from the next: others than these mean the same or are like these."""

OPTIONS = [
    *((StockRules, name, option) for name, option in STOCK_OPTIONS.items()),
    *((WidowRules, name, option) for name, option in WIDOW_OPTIONS.items()),
]
every_option = pytest.mark.parametrize(
    ("form", "name", "option"), OPTIONS, ids=[f"{form.__name__}.{name}" for form, name, _ in OPTIONS]
)
every_preset = pytest.mark.parametrize("preset", PRESETS, ids=[preset.id for preset in PRESETS])


@every_option
def test_the_declared_answers_are_those_of_the_type(form, name, option):
    field = next(field for field in fields(form) if field.name == name)
    answers = [known.answer for known in option.answers]
    assert len(answers) == len(set(answers)) > 1
    assert field.default == answers[0]
    type_, meta = get_args(field.type)
    if get_origin(type_) is Literal:
        assert list(get_args(type_)) == answers
    else:
        assert type_ is int
        assert sorted(answers) == list(range(meta.ge, meta.le + 1))


@every_option
def test_every_answer_says_something_and_has_a_source(form, name, option):  # noqa: ARG001 - ids come from all three
    assert option.question.endswith("?")
    sentences = [known.says for known in option.answers]
    assert len(sentences) == len(set(sentences))
    for known in option.answers:
        assert known.says.endswith(".")
        assert known.sources
        assert SOURCE_BY_CODE.keys() >= set(known.sources)


@pytest.mark.parametrize("name", sorted(STOCK_OPTIONS.keys() & WIDOW_OPTIONS.keys()))
def test_both_forms_have_the_same_answers(name):
    stock, widow = ({known.answer for known in form[name].answers} for form in (STOCK_OPTIONS, WIDOW_OPTIONS))
    assert stock == widow


@every_option
def test_every_answer_makes_a_difference(form, name, option):
    answers = [known.answer for known in option.answers]
    apart = set(pairwise(BOUNDARIES[name]) if name in BOUNDARIES else combinations(answers, 2))
    for question in questions(form):
        apart -= {pair for pair in apart if tells_apart(question, name, *pair)}
        if not apart:
            return
    pytest.fail(f"no case and no example tells these answers of `{name}` apart: {sorted(apart)}")


@pytest.fixture(scope="module")
def all_cited() -> set[str]:
    rules = {citation.rule for question in questions(object) for citation in cited(question.ruling())}
    for pair in valuations():
        resolved = resolve(pair.choice)
        _, citations = value_of([Card(text) for text in pair.case.cards], resolved.rules, resolved.silent)
        rules |= {citation.rule for citation in citations}
    return rules | {rule for fault in FAULTS.values() for rule, _, _ in fault.broken}


@pytest.mark.parametrize("rule", RULEBOOK, ids=lambda rule: rule.id)
def test_every_rule_is_cited(rule, all_cited):
    assert rule.id in all_cited, "no case and no example shows this rule at work"


@pytest.mark.parametrize("rule", RULEBOOK, ids=lambda rule: rule.id)
def test_a_rule_follows_from_options_that_exist(rule):
    assert {*STOCK_OPTIONS, *WIDOW_OPTIONS, "form"} >= set(rule.options)


@every_option
def test_every_option_has_a_rule(form, name, option):  # noqa: ARG001 - ids come from all three
    assert any(name in rule.options for rule in RULEBOOK)


def test_ids_are_unique():
    for ids in ([rule.id for rule in RULEBOOK], [preset.id for preset in PRESETS]):
        assert len(ids) == len(set(ids))


def test_refusals_are_those_of_the_contract():
    assert {rule.id for rule in RULEBOOK if rule.refuses} == REFUSALS


@every_preset
def test_a_preset_is_a_valid_rule_set(preset):
    plain = msgspec.to_builtins(preset.rules)
    assert msgspec.convert(plain, RuleSet) == preset.rules
    assert options_of(preset.rules).keys() >= preset.silent
    assert options_of(preset.rules).keys() | {"form"} == plain.keys()


@every_preset
def test_a_preset_says_what_it_is_and_where_it_comes_from(preset):
    assert preset.name
    assert preset.summary.endswith(".")
    assert all(reading.endswith(".") for reading in preset.readings)
    assert preset.sources
    assert SOURCE_BY_CODE.keys() >= set(preset.sources)
    assert 2 <= preset.fewest_players <= preset.most_players <= 16


@every_preset
def test_a_preset_is_judged_by_in_a_case_or_example(preset):
    assert any(pair.choice.preset == preset.id for folder in (CASES, EXAMPLES) for pair in hands(folder))


def questions(form: type) -> Iterator[Question]:
    """Yield every question of the cases and the examples whose rules are of a form."""
    for folder in (EXAMPLES, CASES):
        for pair in hands(folder):
            question = pair.question()
            if isinstance(question.rules, form):
                yield question


def tells_apart(question: Question, name: str, one: Choice, other: Choice) -> bool:
    """Return whether two answers of an option lead to different rulings, and not only to different words."""
    try:
        rules = [replace(question.rules, **{name: answer}) for answer in (one, other)]
    except IncompatibleAnswersError:
        return False
    first, second = (without(adjudicate(question.hand, answered), "rules", "citations", "broken") for answered in rules)
    return first != second
