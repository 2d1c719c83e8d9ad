"""The engine answers every conformance case, under each of its rule sets, as the case expects."""

import json

import msgspec
import pytest

from engine.counting import in_points, value_of
from engine.presets import resolve
from schemas.cards import Card
from tests.corpus import CASES, EXAMPLES, Asked, hands, valuations
from tests.expectations import disagreements, valuation_disagreements


@pytest.mark.parametrize("asked", [*hands(CASES), *hands(EXAMPLES)], ids=str)
def test_the_ruling_is_as_expected(asked):
    ruling = msgspec.to_builtins(asked.question().ruling())
    wrong = disagreements(asked.expected, ruling)
    assert not wrong, _report(asked, wrong, ruling)


@pytest.mark.parametrize("asked", valuations(), ids=str)
def test_the_value_is_as_expected(asked):
    resolved = resolve(asked.choice)
    cards = [Card(text) for text in asked.case.cards]
    counted, citations = value_of(cards, resolved.rules, resolved.silent)
    valuation = {
        "value": in_points(counted.half_points),
        "counted": counted.counted,
        "counts_as": counted.counts_as,
        "citations": msgspec.to_builtins(citations),
    }
    wrong = valuation_disagreements(asked.expected, valuation)
    assert not wrong, _report(asked, wrong, valuation)


def _report(asked: Asked, wrong: list[str], answer: dict) -> str:
    """Return everything that one needs to see why a case fails."""
    cited = [*answer.get("broken", ()), *answer.get("citations", ())]
    lines = [
        f"{asked}: {asked.case.title}",
        *wrong,
        "because:",
        *(f"  {citation['rule']}: {citation['says']}" for citation in cited),
        f"asked: {json.dumps(asked.case.hand or asked.case.cards)}",
        f"answer: {json.dumps({**answer, 'rules': None, 'citations': None})}",
    ]
    return "\n".join(lines)
