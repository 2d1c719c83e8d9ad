"""Trials: one hand judged under many rule sets, each from where its answers first matter.

Two rule sets give the same ruling, step by step, as long as no option is read in which they differ. So a rule set is
tried by going back to the last point before the option was read in a trial without the change, and an option that a
trial does not read is not tried at all: it would change nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from engine.adjudicate import adjudicate, conclude, play, settle_shown, show
from engine.clerk import Clerk
from engine.deal import broken_by_deal
from engine.ending import Ending
from engine.endings import ended_by_deal
from engine.outcomes import refused_record
from engine.showing import Showing
from engine.table import Table
from engine.watching import ON_THE_TABLE, Reads, answer_range, unwatched, watched
from schemas.compatibility import Need, violated
from schemas.hand import Discard, DrawStock, Event, Hand, HandLog, TakeDiscard
from schemas.options import Choice
from schemas.rules import RuleSet, options_of
from schemas.ruling import Citation, Refused, Ruling

Span = tuple[int, int]
"""From the least to the greatest of some numbers."""

_MOST_MARKS = 12
"""Points of a log to go back to, so that a long one does not fill the memory."""
_SETTLING = 25
"""Events that take as long to judge as a hand takes to be settled, about."""


class OutOfWorkError(Exception):
    """More would have to be judged than was allowed."""


class _Mark(Struct):
    """A state to go back to: the table, and what stopped the hand, if anything did."""

    table: Table[Any]
    stopped: Ending | Refused | None
    shown: tuple[Showing, list[Citation]] | None = None


class Trial(Struct):
    """A hand judged under a rule set, given by the answers in which it differs from the one that trials begin with."""

    changes: dict[str, Choice]
    ruling: Ruling
    reads: Reads
    spans: dict[str, Span] = field(default_factory=dict)
    """For changed options with many numbers for answers: which of them give this very ruling, the one given included"""
    marks: list[_Mark] = field(default_factory=list)
    """The states in which the stages began that `reads` numbers, from 1 on."""


class Trials:
    """Judges a hand under one rule set after another."""

    def __init__(self, hand: Hand, rules: RuleSet, most_work: int) -> None:
        """Prepare; `most_work` is how many events may be judged in all, or so."""
        self.rules = rules
        self.tried = 0
        """How many rule sets were tried."""
        self._hand = hand
        self._clerk = Clerk(hand.players, None)
        self._segments = _segments(hand.events) if isinstance(hand, HandLog) else []
        self._work_left = most_work
        self._known: dict[frozenset[tuple[str, Choice]], Trial] = {}
        """Trials on the way to whole rule sets, by their changes."""
        self.base = self._run({}, {}, Reads(), [], last=False)

    def alternatives(self, trial: Trial, option: str, *, last: bool) -> Iterator[Trial]:
        """Yield a trial for each other answer to an option that was read; numbers that are alike are tried once.

        No trial is made from those that are the `last`. Raises OutOfWorkError.
        """
        stage = trial.reads.first[option]
        span = trial.reads.alike.get(option)
        if span is None:
            now = self.answer(trial, option)
            for declared in options_of(self.rules)[option].answers:
                if declared.answer != now:
                    yield from self._cover(trial, stage, {option: declared.answer}, {}, last=last)
            return
        least, greatest = answer_range(self.rules, option)
        yield from self._cover_numbers(trial, option, (span[1] + 1, greatest), upwards=True, last=last)
        yield from self._cover_numbers(trial, option, (least, span[0] - 1), upwards=False, last=last)

    def further(self, trial: Trial, *, last: bool) -> Iterator[Trial]:
        """Yield the trials with one change more that may rule otherwise, or that make the answers go together.

        No trial is made from those that are the `last`. Raises OutOfWorkError.
        """
        for option in trial.reads.first:
            if option not in trial.changes and option not in ON_THE_TABLE:
                yield from self.alternatives(trial, option, last=last)
        for need in self.violated(trial):
            for option in (need.option, need.other):
                if option not in trial.changes and option not in trial.reads.first:
                    for declared in options_of(self.rules)[option].answers:
                        if declared.answer != self.answer(trial, option):
                            yield replace(trial, changes=trial.changes | {option: declared.answer})

    def changed(self, trial: Trial, option: str, answer: Choice) -> Trial:
        """Return the trial with another answer. Raises OutOfWorkError."""
        if option not in trial.reads.first:
            return replace(trial, changes=trial.changes | {option: answer})
        (child,) = self._cover(trial, trial.reads.first[option], {option: answer}, {}, last=False)
        return child

    def under(self, answers: Mapping[str, Choice]) -> Trial:
        """Return a trial that rules as the rule set with all these answers does. Raises OutOfWorkError.

        It has those of the answers that are read; the others change nothing.
        """
        trial = self.base
        while others := {
            name: answers[name] for name in trial.reads.first if self.answer(trial, name) != answers[name]
        }:
            changes = trial.changes | others
            known = frozenset(changes.items())
            if known not in self._known:
                begin = trial.reads.resumed(min(trial.reads.first[name] for name in others))
                self._known[known] = self._run(changes, {}, begin, trial.marks, last=False)
            trial = self._known[known]
        return trial

    def answer(self, trial: Trial, option: str) -> Choice:
        """Return the answer to an option in a trial."""
        found: Choice = trial.changes[option] if option in trial.changes else getattr(self.rules, option)
        return found

    def violated(self, trial: Trial) -> list[Need]:
        """Return what a trial's answers lack to go together."""
        return violated(lambda option: self.answer(trial, option), options_of(self.rules))

    def _cover_numbers(self, trial: Trial, option: str, span: Span, *, upwards: bool, last: bool) -> Iterator[Trial]:
        """Yield trials that together stand for all numbers of a span as the answer."""
        stage = trial.reads.first[option]
        low, high = span
        while low <= high:
            answer = low if upwards else high
            found = list(self._cover(trial, stage, {option: answer}, {option: (low, high)}, last=last))
            yield from found
            ends = [each.spans[option] for each in found]
            low, high = (max(end for _, end in ends) + 1, high) if upwards else (low, min(end for end, _ in ends) - 1)

    def _cover(
        self, trial: Trial, stage: int, more: dict[str, Choice], spans: dict[str, Span], *, last: bool
    ) -> Iterator[Trial]:
        """Yield trials with more changes that together stand for all numbers that the trial stood for.

        What is alike with fewer changes need not be with more.
        """
        waiting = [(trial.changes | more, trial.spans | spans)]
        while waiting:
            changes, wanted = waiting.pop()
            begin = min([stage, *[trial.reads.first.get(name, stage) for name in trial.spans]])
            child = self._run(changes, wanted, trial.reads.resumed(begin), trial.marks, last=last)
            yield child
            for name in trial.spans:
                (low, high), (least, greatest) = wanted[name], child.spans[name]
                rests = [rest for rest in ((low, least - 1), (greatest + 1, high)) if rest[0] <= rest[1]]
                waiting += [(changes | {name: rest[0]}, wanted | {name: rest}) for rest in rests]

    def _run(
        self, changes: dict[str, Choice], wanted: dict[str, Span], reads: Reads, marks: list[_Mark], *, last: bool
    ) -> Trial:
        """Judge from the stage that `reads` has come to."""
        self.tried += 1
        self._spend(_SETTLING)
        kept = None if last else marks[: max(0, reads.stage - 1)]
        rules = unwatched(self.rules, changes) if last and not wanted else watched(self.rules, changes, reads)
        ruling = self._judge(rules, reads, marks, kept)
        spans = {}
        for name, (low, high) in wanted.items():
            least, greatest = reads.alike.get(name, (low, high))
            spans[name] = max(low, least), min(high, greatest)
        return Trial(changes, ruling, reads, spans, kept or [])

    def _judge(self, rules: RuleSet, reads: Reads, marks: list[_Mark], kept: list[_Mark] | None) -> Ruling:
        """Judge from the stage that `reads` has come to, and add the marks of the stages to `kept`, if it is given."""
        hand = self._hand
        if not isinstance(hand, HandLog):
            return adjudicate(hand, rules, None)
        mark = marks[reads.stage - 1] if reads.stage else self._dealt(hand, rules)
        if isinstance(mark, Refused):
            return mark
        reads.stage = max(reads.stage, 1)
        table, stopped = mark.table.copy(rules), _copied(mark.stopped)
        while mark.shown is None:
            if kept is not None:
                kept.append(_Mark(table.copy(rules), _copied(stopped)))
            if isinstance(stopped, Ending):
                mark = _Mark(table, None, show(table, stopped))
            elif stopped is not None or reads.stage > len(self._segments):
                return conclude(table, stopped)
            else:
                segment = self._segments[reads.stage - 1]
                self._spend(len(segment))
                stopped = play(table, segment)
            reads.stage += 1
        if kept is not None:
            kept.append(mark)
        return settle_shown(mark.table, rules, *mark.shown)

    def _dealt(self, log: HandLog, rules: RuleSet) -> _Mark | Refused:
        """Return the state after the deal."""
        if faults := broken_by_deal(log, rules, self._clerk):
            return refused_record(faults, log.deal.hands[: len(log.players)], rules, self._clerk)
        table = Table(log, rules, self._clerk, automatic=True)
        return _Mark(table, ended_by_deal(table))

    def _spend(self, work: int) -> None:
        self._work_left -= work
        if self._work_left < 0:
            raise OutOfWorkError


def _segments(events: Sequence[Event]) -> list[Sequence[Event]]:
    """Return the events in pieces that begin where options may be read; no more than a few."""
    cuts = [at for at, event in enumerate(events) if not isinstance(event, _PLAIN)]
    cuts = sorted({0, len(events), *cuts[:: max(1, -(-len(cuts) // _MOST_MARKS))]})
    return [events[first:end] for first, end in pairwise(cuts)]


_PLAIN = (DrawStock, TakeDiscard, Discard)
"""Events that make the engine read options only rarely."""


def _copied(stopped: Ending | Refused | None) -> Ending | Refused | None:
    """Return a copy of an ending, since it changes when claims are heard."""
    if not isinstance(stopped, Ending):
        return stopped
    return Ending(stopped.by, [*stopped.citations], [*stopped.holders], [*stopped.claims], stopped.by_itself)
