"""Worked examples and rule sheets, against judging a standard log once."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from statistics import median
from time import process_time
from typing import TypeVar

from api.sheets.content import build_sheet
from api.sheets.stories import stories_of
from api.sheets.writing import markdown
from bench.inprocess import decode
from bench.logs import Log
from bench.report import Finding, Section, Target
from bench.rounds import Plan, WrongAnswerError, interleaved, microseconds, quotients
from engine.adjudicate import adjudicate
from engine.examples.catalogue import SCENARIOS
from engine.examples.generate import story
from engine.examples.markdown import as_markdown
from engine.examples.scenario import Scenario
from engine.presets import PRESETS, RuleChoice, resolve
from schemas.examples import Story
from schemas.hand import Hand

T = TypeVar("T")
_HANDS = 60
_STANDARD = resolve(RuleChoice()).rules
_PRESETS = [RuleChoice(preset.id) for preset in PRESETS]
_CASES = [
    (choice, scenario)
    for choice in _PRESETS
    for scenario in SCENARIOS
    if scenario.obstacle(resolve(choice).rules, None) is None
]
_SEEDS = count(1)
"""Each example and each sheet is made of a seed of its own, so that nothing of it is known."""


def measure(logs: Sequence[Log], plan: Plan) -> Section:
    """Measure how many rulings' time it takes to make and tell an example, and to write a sheet."""
    hands = [decode(log.body).hand for log in logs[:_HANDS]]
    times = interleaved(
        plan,
        {
            "judge": partial(_median_time, _judge, hands),
            "example": partial(_median_time, _make_example, _CASES),
            "sheet": partial(_median_time, _write_sheet, _PRESETS),
        },
    )
    return Section(
        f"Worked examples and rule sheets (median CPU time of {len(_CASES)} examples, {len(_PRESETS)} sheets)",
        [f"{name}: {microseconds(spent)}" for name, spent in times.items()],
        [
            Finding(
                "an example, made and told / a ruling",
                quotients(times["example"], times["judge"]),
                Target(50, at_most=True),
            ),
            Finding(
                "a rule sheet in Markdown / a ruling",
                quotients(times["sheet"], times["judge"]),
                Target(1500, at_most=True),
            ),
        ],
    )


def _judge(hand: Hand) -> None:
    adjudicate(hand, _STANDARD)


def _make_example(case: tuple[RuleChoice, Scenario]) -> None:
    choice, scenario = case
    told = story(scenario, resolve(choice), next(_SEEDS))
    if not isinstance(told, Story):
        raise WrongAnswerError(told.why)
    as_markdown(told.passages)


def _write_sheet(choice: RuleChoice) -> None:
    markdown(build_sheet(choice, None, stories_of(choice, next(_SEEDS))))


def _median_time(work: Callable[[T], None], cases: Iterable[T]) -> float:
    """Return the median CPU seconds that the work takes, done once for each case."""
    spent = []
    for case in cases:
        began = process_time()
        work(case)
        spent.append(process_time() - began)
    return median(spent)
