"""Questions for the engine: hands that are played by the rules, mutations of them, and what must be true of each."""

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import rfc8785
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import OtherFormError, resolve
from replays.answers import answer, judge
from replays.canonical import canonical_hand, question_of
from replays.rerun import hand_of, rules_of
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import Declare, Hand, HandLog
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Refused, Ruling, Settled
from tests.fuzz import trees
from tests.making.damage import any_event, damaged
from tests.making.dice import Dice
from tests.making.play import dealt, overreached, played
from tests.making.records import showdown, wild
from tests.making.respelling import altered, chosen_otherwise, plain, respelt, ruled_otherwise
from tests.making.rules import rule_choice
from tests.making.vectors import Request
from tests.questions import Question, cited, without
from tests.replays import independent_form

_decode = msgspec.json.Decoder(Request).decode
_encode = msgspec.json.Encoder().encode
_LONGEST_PLAYED_AGAIN = 40
"""Events of a log that is judged at each of its lengths, at the most."""


def check(data: bytes) -> None:
    """Raise an AssertionError unless the bytes are no question, or are one that is judged as it must be."""
    try:
        request = _decode(data)
        resolved = resolve(request.rules)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OtherFormError, IncompatibleAnswersError):
        return
    hand, rules = request.hand, resolved.rules
    ruling = adjudicate(hand, rules, resolved.silent)
    assert msgspec.json.decode(_encode(ruling), type=Ruling) == ruling
    assert adjudicate(hand, rules, resolved.silent) == ruling
    check_spellings(hand)
    check_canonical_form(hand, rules, ruling)
    if isinstance(hand, HandLog) and len(hand.events) <= _LONGEST_PLAYED_AGAIN:
        check_lengths(hand, rules, ruling)


def check_spellings(hand: Hand) -> None:
    """Check that a hand stays what it is when it is written and read, in either format and in another order."""
    content = _encode(hand)
    assert msgspec.json.decode(content, type=Hand) == hand
    assert _encode(msgspec.json.decode(content, type=Hand)) == content
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(hand), type=Hand) == hand
    assert msgspec.convert(_turned(msgspec.json.decode(content)), Hand) == hand


def check_canonical_form(hand: Hand, rules: RuleSet, ruling: Ruling) -> None:
    """Check the bytes and the id of a question, which are the same however it is asked, and its answer."""
    form = question_of(canonical_hand(hand), rules)
    read = hand_of(form)
    assert canonical_hand(read) == read
    assert (rules_of(form), question_of(read, rules).content) == (rules, form.content)
    assert rfc8785.dumps(msgspec.json.decode(form.content)) == form.content
    assert sha256(form.content).hexdigest() == form.id
    assert independent_form.question(plain(hand), plain(rules)) == form.content
    dice = Dice(sha256(form.content).digest() * 8)
    nameless = msgspec.json.decode(form.hand, type=Hand)
    respelling = msgspec.convert(respelt(dice, plain(nameless)), Hand)
    assert question_of(canonical_hand(respelling), rules).id == form.id
    kept = judge(read, rules)
    assert without(kept, "citations", "broken") == without(ruling, "citations", "broken")
    assert [citation.rule for citation in cited(kept)] == [citation.rule for citation in cited(ruling)]
    assert answer(kept) == answer(judge(canonical_hand(respelling), rules))


def check_lengths(log: HandLog, rules: RuleSet, ruling: Ruling) -> None:
    """Check that a log is refused at its first faulty event, and that no end of a hand is taken back."""
    cut = [adjudicate(replace(log, events=log.events[:count]), rules) for count in range(len(log.events) + 1)]
    refused = next((count for count, each in enumerate(cut) if isinstance(each, Refused)), None)
    if isinstance(ruling, Refused):
        assert refused == (0 if ruling.at is None else ruling.at + 1)
    else:
        assert refused is None
    if isinstance(ruling, Settled):
        judged = 0 if ruling.ended_at is None else ruling.ended_at + 1
        assert judged + ruling.unplayed == len(log.events)
        assert isinstance(cut[judged], Settled)
        ended = next(count for count, each in enumerate(cut) if isinstance(each, Settled))
        assert all(isinstance(event, Declare) for event in log.events[ended:judged])


def mutated(data: bytes, random: Random, anyhow: Callable[[bytes], bytes]) -> bytes:
    """Return another question, or now and then something that is none."""
    if random.random() < 0.03:
        return anyhow(data)
    try:
        request = _decode(data)
        question = Question(request.hand, request.rules)
        resolve(question.choice)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OtherFormError, IncompatibleAnswersError):
        question = any_question(random)
    if random.random() < 0.1:
        tree = trees.changed(msgspec.json.decode(_encode(Request(*question))), random)
        try:
            return _encode(tree)
        except (TypeError, OverflowError, UnicodeEncodeError):
            return data
    question = random.choice(_MUTATIONS)(question, random)
    return _encode(Request(*question))


def any_question(random: Random) -> Question:
    """Return a new question: a legal log, one that goes wrong, how a hand ended, or any record."""
    form = random.choice((StockRules, StockRules, StockRules, WidowRules))
    choice = rule_choice(_dice(random, 80), form)
    rules = resolve(choice).rules
    return Question(random.choice(_HANDS)(random, rules), choice)


def _legal(random: Random, rules: RuleSet) -> HandLog:
    return played(_dice(random), dealt(_dice(random), rules), rules)


_HANDS: tuple[Callable[[Random, RuleSet], Hand], ...] = (
    _legal,
    lambda random, rules: damaged(_dice(random), _legal(random, rules)),
    lambda random, rules: overreached(_dice(random), dealt(_dice(random), rules), rules),
    lambda random, rules: showdown(_dice(random), rules),
    lambda random, rules: wild(_dice(random), rules),
)


def _new_rules(question: Question, random: Random) -> Question:
    try:
        return question._replace(choice=ruled_otherwise(_dice(random), question.choice))
    except KeyError:  # a change that needs an option of the other form
        return question


def _other_preset(question: Question, random: Random) -> Question:
    return question._replace(choice=chosen_otherwise(_dice(random), question.choice))


def _damaged(question: Question, random: Random) -> Question:
    if not isinstance(question.hand, HandLog):
        return _altered(question, random)
    return question._replace(hand=damaged(_dice(random), question.hand))


def _altered(question: Question, random: Random) -> Question:
    hand = altered(_dice(random), plain(canonical_hand(question.hand)))
    return question._replace(hand=msgspec.convert(hand, Hand))


def _longer(question: Question, random: Random) -> Question:
    """Let something happen after the last event: most often something that may."""
    if not isinstance(question.hand, HandLog):
        return question
    events = (*question.hand.events, any_event(_dice(random), len(question.hand.players)))
    return question._replace(hand=replace(question.hand, events=events[:2000]))


_MUTATIONS: tuple[Callable[[Question, Random], Question], ...] = (
    *(_damaged,) * 4,
    *(_altered,) * 3,
    *(_longer,) * 2,
    *(_new_rules,) * 2,
    _other_preset,
    *(lambda _question, random: any_question(random),) * 3,
)


def _dice(random: Random, rolls: int = 400) -> Dice:
    return Dice(random.randbytes(rolls))


def _turned(part: Any) -> Any:
    """Return decoded JSON with the keys of every object in the opposite order."""
    if isinstance(part, dict):
        return {key: _turned(value) for key, value in reversed(part.items())}
    return [_turned(item) for item in part] if isinstance(part, list) else part
