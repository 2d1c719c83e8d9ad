"""Reruns: a stored question judged once more, and compared with the answer that was kept."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine import VERSION
from replays.answers import Answer, answer, judge
from replays.canonical import Question
from schemas.hand import Hand
from schemas.rules import RuleSet

Drift = Literal["decision", "wording"]
"""What of an answer has changed: the decision, or only how it is said and which rules are cited for it."""

_read_hand = msgspec.json.Decoder[Hand](Hand).decode
_read_rules = msgspec.json.Decoder[RuleSet](RuleSet).decode

_WORDING = frozenset({"citations", "rules"})
"""Parts of a ruling that explain the decision or repeat the question."""


class Rerun(Struct, frozen=True):
    """An answer of now beside the stored one."""

    stored: Answer
    now: Answer
    drift: Drift | None
    """None if the two are the same, byte for byte."""


def hand_of(question: Question) -> Hand:
    """Return the hand of a stored question; raise msgspec.ValidationError if this version cannot read it."""
    return _read_hand(question.hand)


def rules_of(question: Question) -> RuleSet:
    """Return the rules of a stored question; raise msgspec.ValidationError if this version cannot read them."""
    return _read_rules(question.rules)


def answer_now(question: Question) -> Answer:
    """Return the answer that this version of the engine gives; raise what `hand_of` and `rules_of` raise."""
    return answer(judge(hand_of(question), rules_of(question)))


def answer_to_compare(answers: tuple[Answer, ...]) -> Answer:
    """Return the stored answer of this version of the engine, or else the newest; there is at least one."""
    return next((each for each in answers if each.engine == VERSION), answers[-1])


def rerun(question: Question, stored: Answer) -> Rerun:
    """Return a stored question's answer of now, compared with a stored one."""
    now = answer_now(question)
    return Rerun(stored, now, drift(stored, now))


def drift(stored: Answer, now: Answer) -> Drift | None:
    """Return what has changed from one answer to the other; None if they are the same bytes."""
    if stored.content == now.content:
        return None
    return "wording" if _decision(stored) == _decision(now) else "decision"


def _decision(given: Answer) -> dict[str, Any]:
    """Return what a ruling decides: everything but its explanations."""
    ruling = msgspec.json.decode(given.content)
    decision = {name: value for name, value in ruling.items() if name not in _WORDING}
    if "broken" in decision:
        decision["broken"] = sorted(citation["rule"] for citation in decision["broken"])
    return decision
