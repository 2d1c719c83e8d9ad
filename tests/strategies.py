"""Hypothesis strategies: rules, dealt tables, legal and damaged logs, showdown records, and all of them.

Each part of a question has its own bytes, so that shrinking one leaves the others as they are.
"""

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.presets import RuleChoice, resolve
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Settled
from tests.making.damage import damaged
from tests.making.dice import Dice
from tests.making.games import Made, game
from tests.making.play import dealt, overreached, played
from tests.making.records import showdown, wild
from tests.making.rules import rule_choice
from tests.questions import Question

_forms = st.sampled_from((StockRules, StockRules, StockRules, WidowRules))


def examples(times: float) -> settings:
    """Return settings for so many times the examples of the profile: fewer where each takes long."""
    return settings(max_examples=int(times * settings().max_examples))


def dice(rolls: int) -> st.SearchStrategy[Dice]:
    """Return dice with so many rolls."""
    return st.binary(min_size=rolls, max_size=rolls).map(Dice)


@st.composite
def rule_choices(draw, form: type[RuleSet] | None = None) -> RuleChoice:
    """Draw any preset, with none, a few or all of its answers changed."""
    return rule_choice(draw(dice(80)), form or draw(_forms))


@st.composite
def tables(draw, form: type[RuleSet] | None = None) -> Question:
    """Draw a dealt table of one to sixteen players, before anything has happened."""
    choice = draw(rule_choices(form))
    return Question(dealt(draw(dice(160)), resolve(choice).rules), choice)


@st.composite
def legal_logs(draw, form: type[RuleSet] | None = None) -> Question:
    """Draw a log of legal events, most often of a whole hand, and now and then with events after its end."""
    table = draw(tables(form))
    return table._replace(hand=played(draw(dice(400)), table.hand, table.rules))


@st.composite
def unfinished_logs(draw, form: type[RuleSet] | None = None) -> Question:
    """Draw a log of legal events, cut off somewhere before the end of the hand."""
    question = draw(legal_logs(form))
    ruling = question.ruling()
    judged = len(question.hand.events)
    if isinstance(ruling, Settled):
        judged = 0 if ruling.ended_at is None else ruling.ended_at
    events = question.hand.events[: draw(st.integers(0, judged))]
    return question._replace(hand=replace(question.hand, events=events))


@st.composite
def damaged_logs(draw, form: type[RuleSet] | None = None) -> Question:
    """Draw a log that goes wrong: by its last event, or in one or two places, or by rules of the other form."""
    if draw(st.booleans()):
        table = draw(tables(form))
        return table._replace(hand=overreached(draw(dice(400)), table.hand, table.rules))
    question, rolls = draw(legal_logs(form)), draw(dice(40))
    if rolls.chance(10):
        other = WidowRules if isinstance(question.rules, StockRules) else StockRules
        question = question._replace(choice=rule_choice(rolls, other))
    return question._replace(hand=damaged(rolls, question.hand))


@st.composite
def showdown_records(draw, form: type[RuleSet] | None = None) -> Question:
    """Draw a showdown record, sound or not."""
    choice = draw(rule_choices(form))
    return Question(showdown(draw(dice(200)), resolve(choice).rules), choice)


@st.composite
def wild_records(draw) -> Question:
    """Draw any record that can be decoded, under any rules."""
    choice = draw(rule_choices())
    return Question(wild(draw(dice(400)), resolve(choice).rules), choice)


@st.composite
def games(draw) -> Made:
    """Draw a game of a few hands, up to its end or to a hand that is not settled."""
    return game(draw(dice(3000)), resolve(draw(rule_choices())).rules)


def questions() -> st.SearchStrategy[Question]:
    """Return a strategy for sound and unsound questions, but not for nonsense."""
    return st.one_of(legal_logs(), damaged_logs(), showdown_records())


def settled(form: type[RuleSet] | None = None) -> st.SearchStrategy[Question]:
    """Return a strategy for questions about hands that ended, with a settlement."""
    ended = st.one_of(legal_logs(form), showdown_records(form))
    return ended.filter(lambda question: isinstance(question.ruling(), Settled))


def drawn(strategy: st.SearchStrategy[Question], count: int) -> list[Question]:
    """Return so many examples of a strategy, the same in every run."""
    found = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(question):
        found.append(question)

    collect()
    return found
