"""Records: a question with its answer, ready to be kept."""

from collections.abc import Sequence

from msgspec import Struct

from replays.answers import Answer, answer, judge, traits
from replays.canonical import Question, canonical_hand, question_of
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import Ruling


class Record(Struct, frozen=True):
    """A question with an answer to it, and the traits that it can be found by."""

    replay: bytes
    """The digest of the question, as 32 bytes."""
    question: Question
    answer: Answer
    traits: Sequence[str]


def record_of(hand: Hand, rules: RuleSet) -> Record:
    """Return the record of a hand that is settled or refused under these rules, however it is written."""
    canonical = canonical_hand(hand)
    return record(canonical, rules, judge(canonical, rules))


def record(canonical: Hand, rules: RuleSet, ruling: Ruling) -> Record:
    """Return the record of a canonical hand and its ruling by `judge`."""
    question = question_of(canonical, rules)
    return Record(question.digest, question, answer(ruling), traits(ruling))
