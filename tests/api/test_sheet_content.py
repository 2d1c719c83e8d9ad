"""Laws of what sheets say, over all rule sets: every option, every ending, and no figure but the engine's."""

import re
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from api.sheets.content import build_sheet, figures, stock_size
from api.sheets.endings import suited
from api.sheets.losses import losses_table, told_endings
from api.sheets.sections import PARTS, sections
from api.sheets.values import lowest_hand, values_table
from engine.adjudicate import adjudicate
from engine.contrast import differ
from engine.presets import PRESETS, ResolvedRules, RuleChoice, changed, resolve
from engine.valuation import worth
from engine.wording import points
from schemas.cards import Card, pack
from schemas.changes import changes_of_answers
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import DeclareEnding, ShowdownRecord, ShownPlayer
from schemas.options import Section
from schemas.relevance import IDLE, idle_options
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, StockRules, WidowRules, options_of
from tests.questions import without
from tests.strategies import examples, rule_choices, settled

FORMS = {StockRules: STOCK_OPTIONS, WidowRules: WIDOW_OPTIONS}
ANSWERS = [
    (form, name, answer.answer)
    for form, options in FORMS.items()
    for name, option in options.items()
    for answer in option.answers
]


def with_answer(form, name, answer):
    """Return the standard game of a form with one answer, and what it cannot do without."""
    needed = {"county": "all"} if (name, answer) == ("loss_beyond_lives", "county") else {}
    return form(**{name: answer, **needed})


@pytest.mark.parametrize(("form", "name", "answer"), ANSWERS)
def test_every_answer_to_every_option_is_said(form, name, answer):
    rules = with_answer(form, name, answer)
    said = [
        each.says for part in sections(ResolvedRules(rules, frozenset()), figures(rules)) for each in part.sentences
    ]
    sentence = FORMS[form][name].says(answer)
    assert said.count(sentence) == (0 if name in idle_options(rules) else 1)


@examples(0.5)
@given(rule_choices())
def test_every_option_is_said_once_and_marked(choice):
    resolved = resolve(choice)
    sheet = build_sheet(choice, None, ())
    sentences = [sentence for section in sheet.sections for sentence in section.sentences]
    assert len({sentence.says for sentence in sentences}) == len(sentences)
    idle, house = idle_options(resolved.rules), changed(resolved.rules)
    for name, option in options_of(resolved.rules).items():
        said = [each for each in sentences if each.says == option.says(getattr(resolved.rules, name))]
        if name in idle:
            assert not said
        else:
            ((_, is_house, is_reading),) = [(each.says, each.house, each.reading) for each in said]
            assert (is_house, is_reading) == (name in house, name in resolved.silent)
    questions = [option.question for name, option in options_of(resolved.rules).items() if name in house.keys() - idle]
    assert [rule.question for rule in sheet.house_rules] == questions
    assert all(rule.says != rule.standard for rule in sheet.house_rules)


CAP = "Nobody comes to hold more lives than at the start of the game."
IN_PLACE = "The first player may show a dealt 31 in place of the first turn."


def sentences_of(rules):
    """Return all that the sections of a sheet say."""
    return [
        each.says for part in sections(ResolvedRules(rules, frozenset()), figures(rules)) for each in part.sentences
    ]


@examples(0.5)
@given(rule_choices(StockRules))
def test_what_is_said_of_a_31_is_said_only_of_one_that_ends_the_hand(choice):
    rules = resolve(choice).rules
    said = sentences_of(rules)
    (ends,) = [each for each in said if "ends the hand there and then" in each]
    assert ("that is shown" in ends) == (rules.thirty_one_claim != "automatic")
    assert ends.startswith("Before a knock") == (rules.thirty_one_after_knock == "top_hand")
    assert (IN_PLACE in said) == (rules.first_knock == "ends_hand" and rules.thirty_one_claim != "automatic")


@examples(0.5)
@given(rule_choices())
def test_last_turns_are_not_promised_after_a_knock_that_ends_the_hand(choice):
    rules = resolve(choice).rules
    (turns,) = [each for each in sentences_of(rules) if "have one last turn each" in each]
    assert turns.startswith("Unless the knock ends the hand at once, ") == (rules.first_knock == "ends_hand")


@examples(0.5)
@given(rule_choices(StockRules))
def test_winning_a_life_back_is_told_of_where_it_can_happen(choice):
    """It can where some hand gives a player a life: then the rows say which, and the sections that there is a limit."""
    rules = resolve(choice).rules
    can = rules.redemption == "best_hand" and not (rules.county == "none" and rules.lives == 1)
    assert (CAP in sentences_of(rules)) == can
    assert any("won back" in row[2] for row in losses_table(rules).rows) == can


@pytest.mark.parametrize("cost", ["one", "all"])
def test_what_a_knocker_loses_to_a_31_is_true_whatever_it_costs_everyone_else(cost):
    rules = StockRules(thirty_one_cost=cost, knocker_on_31=2)
    players = tuple(
        ShownPlayer(held, cards)
        for held, cards in ((9, suited("s", 25)), (8, suited("h", 31)), (9, suited("d", 24)), (1, suited("c", 23)))
    )
    ruling = adjudicate(ShowdownRecord(players, DeclareEnding((2,), 1)), rules)
    knocker, _, as_rich, _ = (-seat.change for seat in ruling.seats)
    assert knocker == max(2, as_rich)
    (said,) = [each for each in sentences_of(rules) if each.startswith("A knocker loses 2 lives to")]
    assert said.endswith("or as many as everyone else if that is more.")


@examples(0.5)
@given(rule_choices())
def test_a_sheet_is_written_in_sentences(choice):
    sheet = build_sheet(choice, None, ())
    for sentence in [each for section in sheet.sections for each in section.sentences]:
        assert re.fullmatch(r"[^a-z{}][^{}]*[^.]\.", sentence.says)
        assert not re.search(r"\b1 (lives|cards|jokers|players|tokens)\b", sentence.says)
    for table in (sheet.values, sheet.losses):
        assert all(len(row) == len(table.headings) and all(row) for row in table.rows)
        assert len({row[0] for row in table.rows}) == len(table.rows)
    assert sheet.sources
    assert len(sheet.facts) == len({fact.label for fact in sheet.facts})


@examples(0.5)
@given(rule_choices())
def test_every_row_of_the_losses_is_what_the_engine_says(choice):
    rules = resolve(choice).rules
    rows = {row[0]: row[1:] for row in losses_table(rules).rows}
    for told in told_endings(rules):
        ruling = adjudicate(told.record, replace(rules, minimum_knock=0))
        assert ruling == told.ruling
        if rules.minimum_knock < 31:
            assert without(adjudicate(told.record, rules), "rules") == without(ruling, "rules")
        if told.case.says not in rows:
            assert not any(seat.change for seat in ruling.seats)
            continue
        who = rows[told.case.says][0].lower()
        seats = {role.name: [seat for seat in ruling.seats if seat.seat in role.seats] for role in told.case.roles}
        if told.case.as_any_knock:
            assert who == "as after any other knock"
        elif isinstance(rules, WidowRules):
            for name, results in seats.items():
                assert (name in who) == any(seat.seat in ruling.pot_winners for seat in results)
            assert ("share" in who) == (len(ruling.pot_winners) > 1)


@given(settled().filter(lambda question: question.ruling().ended_by != "bus_ride"))
def test_every_ending_that_a_hand_can_have_is_told_of(question):
    """But for a record that a 31 ended a hand where it cannot: the engine takes such a record at its word."""
    is_only_remembered = isinstance(question.hand, ShowdownRecord)
    assume(not is_only_remembered or getattr(question.rules, "thirty_one", "") != "top_hand")
    assert question.ruling().ended_by in {told.ruling.ended_by for told in told_endings(question.rules)}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_31_before_a_knock_is_told_of_wherever_one_ends_the_hand(preset):
    said = [row[0] for row in losses_table(preset.rules).rows]
    assert any("31" in each for each in said)


@examples(0.5)
@given(rule_choices())
def test_every_value_is_what_the_engine_says(choice):
    rules = resolve(choice).rules
    rows = values_table(rules).rows
    shown = [float(value.replace("½", ".5")) for _, _, value in rows]
    assert shown == sorted(shown, reverse=True)
    for hand, how, value in rows:
        cards = [Card(sign.replace("Joker ", "X")) for sign in re.findall(r"Joker \d|\S+", hand)]
        assert len(cards) == 3
        if "not shown in time" in how:
            assert (worth(cards, rules).half_points, value) == (62, "30")
            continue
        assert points(worth(cards, rules).half_points) == value
        if " = " in how:
            added, total = re.match(r"([\d +]+) = (\d+)", how).groups()
            assert sum(map(int, added.split(" + "))) == int(total) == float(value)
        elif how[0].isdigit():
            assert how.startswith(f"{value}, ")
        else:
            assert how == "three of a kind"


@pytest.mark.parametrize("rules", [StockRules(), StockRules(three_of_a_kind="30"), WidowRules(three_of_a_kind="30.5")])
def test_no_hand_is_worth_less_than_the_lowest(rules):
    lowest = worth(lowest_hand(rules), rules).half_points
    assert all(worth(hand, rules).half_points >= lowest for hand in combinations(sorted(pack(0)), 3))


@given(rule_choices(StockRules), st.integers(2, 16))
def test_the_stock_is_what_the_deal_leaves(choice, players):
    rules = resolve(choice).rules
    assert stock_size(players, rules) == 52 + rules.jokers - 3 * players - 1


def test_every_form_says_something_in_every_section():
    for parts in PARTS.values():
        assert tuple(parts) == get_args(Section)


def test_the_order_of_options_names_options_of_the_section():
    for form, parts in PARTS.items():
        for key, part in parts.items():
            assert all(FORMS[form][name].section == key for name in part.first)


def test_sentences_of_the_game_depend_on_answers_that_there_are():
    wheres = [
        (form, said.where)
        for form, parts in PARTS.items()
        for part in parts.values()
        for said in (*part.before, *part.after)
    ]
    for form, where in [*wheres, *[(StockRules, where) for _, where in IDLE]]:
        for name, answers in where.items():
            assert set(answers) <= {each.answer for each in FORMS[form][name].answers}


@examples(2)
@given(settled(StockRules))
def test_an_option_that_is_left_out_cannot_matter(question):
    ruling = question.ruling()
    for name in idle_options(question.rules):
        for answer in STOCK_OPTIONS[name].answers:
            try:
                other = replace(question.rules, **{name: answer.answer})
            except IncompatibleAnswersError:
                continue
            assert not differ(ruling, adjudicate(question.hand, other))


def test_sources_of_a_rule_set_with_changes():
    assert build_sheet(RuleChoice("pagat"), None, ()).sources[0].startswith("S0: ")
    choice = RuleChoice("casual", changes_of_answers({"thirty_one_claim": "automatic"}))
    sources = build_sheet(choice, None, ()).sources
    assert [source.partition(":")[0] for source in sources] == ["S2", "R"]
