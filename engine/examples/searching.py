"""Searching: the smallest hand that two rule sets end otherwise, among tiny ones and those of scenarios."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.adjudicate import adjudicate
from engine.contrast import differ
from engine.examples.catalogue import SCENARIOS
from engine.examples.generate import Sitting, make
from engine.examples.scenario import Scenario
from engine.examples.shrinking import shrunk
from engine.examples.tiny import tiny_hands
from engine.presets import ResolvedRules
from engine.trials import Trials
from schemas.hand import HandLog
from schemas.rules import RuleSet, form_of
from schemas.ruling import Refused, Ruling, Unfinished


class _Tables(NamedTuple):
    """Tables to try scenarios at that are usually played by so many."""

    usual: Container[int]
    tried: Sequence[int]


_SMALL = _Tables(range(1, 4), (2, 3))
_LARGE = _Tables(range(4, 17), (16, 15, 14, 9))
"""The scenarios that need many players are those of the empty stock, which the more use up the sooner."""
_SEEDS = 2
"""Hands of a scenario that are tried at each table."""
_TRIES = 8
"""Deals that are made for one of these at the most."""
_SHRUNK = 5
"""Hands that are made smaller, the smallest first."""
_ANY_WORK = 2**62

Pair = tuple[ResolvedRules, ResolvedRules]
_Size = tuple[int, int, int, int]


class _Judged(NamedTuple):
    """A hand, its ruling under a rule set, and the options that this ruling depends on."""

    hand: HandLog
    ruling: Ruling
    reads: Container[str]


class OutOfTriesError(Exception):
    """The search has tried as many hands as it may."""


class Search:
    """A search for hands, which remembers those that it has made."""

    def __init__(self, seed: int, most_tried: int) -> None:
        """Begin with nothing made; the seed decides which hands of scenarios are tried, and so many are at the most."""
        self._most_tried = most_tried
        self.tried = 0
        """How many hands have been tried."""
        self._seed = seed
        self._pools: dict[RuleSet, list[_Judged]] = {}
        self._made: dict[tuple[str, RuleSet, int], list[HandLog]] = {}

    def smallest(self, option: str, pair: Pair, base: int) -> HandLog | None:
        """Return the smallest hand found that two rule sets end otherwise; what is known is known of `pair[base]`.

        Raises OutOfTriesError.
        """
        full = getattr(pair[0].rules, "lives", None)

        def differs(hand: HandLog) -> bool:
            return _makes_a_difference(*_rulings(hand, pair))

        for hands in (self._known(option, pair, base), self._close(option, pair), self._at_large_tables(pair)):
            found = sorted(hands, key=lambda hand: _size(hand, pair, full))[:_SHRUNK]
            smaller = [shrunk(hand, differs, full) for hand in found]
            sizes = [(_size(hand, pair, full), at) for at, hand in enumerate(smaller) if hand is not None]
            if sizes:
                return smaller[min(sizes)[1]]
        return None

    def _known(self, option: str, pair: Pair, base: int) -> Iterator[HandLog]:
        """Yield tiny hands and those of scenarios that the rule sets end otherwise: only what reads the option can be.

        Hands of scenarios that need the other answer are among them.
        """
        other = pair[1 - base]
        for hand, ruling, reads in self._pool(pair[base]):
            self._count()
            if option in reads and _makes_a_difference(ruling, adjudicate(hand, other.rules, None)):
                yield hand
        yield from self._that_differ(self._of_scenarios(other, _SMALL, option), pair)

    def _close(self, option: str, pair: Pair) -> Iterator[HandLog]:
        """Yield hands of scenarios that need an empty stock and speak of the option."""
        for rules in pair:
            yield from self._that_differ(self._of_scenarios(rules, _LARGE, option), pair)

    def _at_large_tables(self, pair: Pair) -> Iterator[HandLog]:
        """Yield hands of all scenarios that need an empty stock."""
        for rules in pair:
            yield from self._that_differ(self._of_scenarios(rules, _LARGE), pair)

    def _that_differ(self, hands: Iterable[HandLog], pair: Pair) -> Iterator[HandLog]:
        for hand in hands:
            self._count()
            if _makes_a_difference(*_rulings(hand, pair)):
                yield hand

    def _count(self) -> None:
        if self.tried == self._most_tried:
            raise OutOfTriesError
        self.tried += 1

    def _pool(self, rules: ResolvedRules) -> list[_Judged]:
        """Return the tiny hands and those of scenarios at small tables, judged once."""
        if rules.rules not in self._pools:
            hands = [*tiny_hands(type(rules.rules)), *self._of_scenarios(rules, _SMALL)]
            trials = [Trials(hand, rules.rules, _ANY_WORK).base for hand in hands]
            self._pools[rules.rules] = [
                _Judged(hand, trial.ruling, trial.reads.first) for hand, trial in zip(hands, trials, strict=True)
            ]
        return self._pools[rules.rules]

    def _of_scenarios(self, rules: ResolvedRules, tables: _Tables, option: str | None = None) -> Iterator[HandLog]:
        """Yield the hands of scenarios for tables like these: of all, or of those that speak of an option."""
        for scenario in SCENARIOS:
            speaks_of_it = option is None or option in scenario.answers()
            if scenario.form == form_of(rules.rules) and speaks_of_it and scenario.players in tables.usual:
                for players in tables.tried if scenario.most > 1 else (scenario.most,):
                    yield from self._hands(scenario, rules, players)

    def _hands(self, scenario: Scenario, rules: ResolvedRules, players: int) -> list[HandLog]:
        """Return hands of a scenario at a table of so many, made once."""
        key = (scenario.id, rules.rules, players)
        if key not in self._made:
            self._made[key] = []
            if scenario.obstacle(rules.rules, players) is None:
                table = Sitting(rules, players, ())
                made = [make(scenario, table, seed, _TRIES) for seed in range(self._seed, self._seed + _SEEDS)]
                self._made[key] = [found[0] for found in made if found is not None]
        return self._made[key]


def _rulings(hand: HandLog, pair: Pair) -> tuple[Ruling, Ruling]:
    return adjudicate(hand, pair[0].rules, None), adjudicate(hand, pair[1].rules, None)


def _makes_a_difference(first: Ruling, second: Ruling) -> bool:
    """Return whether two rulings end a hand otherwise, which is over in both."""
    return not isinstance(first, Unfinished) and not isinstance(second, Unfinished) and differ(first, second)


def _size(hand: HandLog, pair: Pair, full: int | None) -> _Size:
    """Return how large a hand is: its events, and its players; and then what makes it less plain.

    That is how often it is refused, and how many players have not as many lives as at first.
    """
    refused = sum(isinstance(ruling, Refused) for ruling in _rulings(hand, pair))
    return len(hand.events), len(hand.players), refused, sum(player.lives != full for player in hand.players)
