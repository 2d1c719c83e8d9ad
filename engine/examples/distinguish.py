"""Distinguishing: for each option in which two rule sets differ, a small hand on which it alone decides."""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import contrast, differ
from engine.examples.catalogue import SCENARIOS
from engine.examples.generate import NAMES, Sitting, make
from engine.examples.scenario import Scenario
from engine.examples.shrinking import shrunk
from engine.examples.stage import Names
from engine.examples.tiny import tiny_hands
from engine.presets import ResolvedRules, RuleChoice, resolve
from engine.trials import Trials
from schemas.changes import changes_of_answers, given
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import HandLog
from schemas.options import Choice
from schemas.rules import RuleSet, form_of, options_of
from schemas.ruling import Refused, Ruling, Settled, Unfinished

_SMALL_TABLES = (2, 3)
_LARGE_TABLES = (16, 15, 14, 9)
"""Tables at which the stock is soon used up."""
_SEEDS = 2
"""Hands of a scenario that are tried at each table."""
_TRIES = 8
"""Deals that are made for one of these at the most."""
_SHRUNK = 5
"""Hands that are made smaller, the smallest first."""
_ANY_WORK = 2**62

_Pair = tuple[ResolvedRules, ResolvedRules]
_Size = tuple[int, int, int, int]


class Distinction(Struct, frozen=True):
    """A hand on which one option alone changes the ruling."""

    option: str
    answers: tuple[Choice, Choice]
    title: str
    hand: HandLog
    rules: tuple[RuleChoice, RuleChoice]
    rulings: tuple[Ruling, Ruling]
    what: str
    """What comes of the hand under the second rule set, as far as it differs, in a clause."""

    @property
    def says(self) -> str:
        """Return what the option does, in a sentence."""
        return f"With {self.named}, {self.what}."

    @property
    def named(self) -> str:
        """Return the answers, with marks around them that Markdown shows as code."""
        return f"`{self.option}: {self.answers[1]}` rather than `{self.answers[0]}`"


class NoDistinction(Struct, frozen=True):
    """An option on which no such hand was found, and why."""

    option: str
    why: str


class Distinctions(Struct, frozen=True):
    """What distinguishes two rule sets, option by option, and how many hands were tried."""

    found: tuple[Distinction, ...]
    missing: tuple[NoDistinction, ...]
    tried: int


def distinguish(one: RuleChoice, other: RuleChoice, seed: int = 0, names: Names = NAMES) -> Distinctions:
    """Return for each option in which two rule sets differ the smallest hand found on which it makes the difference.

    The smallest has the fewest events, and of those the fewest players. The choices must resolve.
    """
    first, second = resolve(one).rules, resolve(other).rules
    if form_of(first) != form_of(second):
        why = "The two rule sets are of different forms of the game, and no hand is played in both."
        return Distinctions((), (NoDistinction("form", why),), 0)
    search = _Search(seed, names)
    results = [
        search.distinction(option, one, other)
        for option in options_of(first)
        if getattr(first, option) != getattr(second, option)
    ]
    found = tuple([each for each in results if isinstance(each, Distinction)])
    missing = tuple([each for each in results if isinstance(each, NoDistinction)])
    return Distinctions(found, missing, search.tried)


class _Judged(NamedTuple):
    """A hand, its ruling under a rule set, and the options that this ruling depends on."""

    hand: HandLog
    ruling: Ruling
    reads: Container[str]


class _Search:
    """A search for hands, which remembers those that it has made."""

    def __init__(self, seed: int, names: Names) -> None:
        self.tried = 0
        self._seed = seed
        self._names = names
        self._pools: dict[RuleSet, list[_Judged]] = {}
        self._made: dict[tuple[str, RuleSet, int], list[HandLog]] = {}

    def distinction(self, option: str, one: RuleChoice, other: RuleChoice) -> Distinction | NoDistinction:
        """Return the smallest hand on which an option makes the difference, or why there is none.

        Where one rule set with the other's answer shows nothing, the other one with this one's answer may.
        """
        before, sound = self.tried, False
        for base, choices in _apart_in(option, one, other):
            sound = True
            pair = (resolve(choices[0]), resolve(choices[1]))
            hand = self._smallest(option, pair, base)
            if hand is not None:
                return _distinction(option, self._with_names(hand), choices, pair)
        if not sound:
            why = "Neither rule set allows the other's answer beside its own answers to other options."
        else:
            why = f"No hand was found on which it decides: {self.tried - before} were tried."
        return NoDistinction(option, why)

    def _smallest(self, option: str, pair: _Pair, base: int) -> HandLog | None:
        """Return the smallest hand found that two rule sets end otherwise; what is known is known of `pair[base]`."""
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

    def _known(self, option: str, pair: _Pair, base: int) -> Iterator[HandLog]:
        """Yield tiny hands and those of scenarios that the rule sets end otherwise: only what reads the option can be.

        Hands of scenarios that need the other answer are among them.
        """
        other = pair[1 - base]
        for hand, ruling, reads in self._pool(pair[base]):
            self.tried += 1
            if option in reads and _makes_a_difference(ruling, adjudicate(hand, other.rules, None)):
                yield hand
        yield from self._that_differ(self._of_scenarios(other, _SMALL_TABLES, option), pair)

    def _close(self, option: str, pair: _Pair) -> Iterator[HandLog]:
        """Yield hands of scenarios that need an empty stock and speak of the option."""
        for rules in pair:
            yield from self._that_differ(self._of_scenarios(rules, _LARGE_TABLES, option), pair)

    def _at_large_tables(self, pair: _Pair) -> Iterator[HandLog]:
        """Yield hands of all scenarios that need an empty stock."""
        for rules in pair:
            yield from self._that_differ(self._of_scenarios(rules, _LARGE_TABLES), pair)

    def _that_differ(self, hands: Iterable[HandLog], pair: _Pair) -> Iterator[HandLog]:
        for hand in hands:
            self.tried += 1
            if _makes_a_difference(*_rulings(hand, pair)):
                yield hand

    def _pool(self, rules: ResolvedRules) -> list[_Judged]:
        """Return the tiny hands and those of scenarios at small tables, judged once."""
        if rules.rules not in self._pools:
            hands = [*tiny_hands(type(rules.rules)), *self._of_scenarios(rules, _SMALL_TABLES)]
            trials = [Trials(hand, rules.rules, _ANY_WORK).base for hand in hands]
            self._pools[rules.rules] = [
                _Judged(hand, trial.ruling, trial.reads.first) for hand, trial in zip(hands, trials, strict=True)
            ]
        return self._pools[rules.rules]

    def _of_scenarios(
        self, rules: ResolvedRules, tables: Sequence[int], option: str | None = None
    ) -> Iterator[HandLog]:
        """Yield the hands of scenarios at tables of these sizes, of all scenarios or those that speak of an option."""
        for scenario in SCENARIOS:
            speaks_of_it = option is None or option in scenario.answers()
            if scenario.form == form_of(rules.rules) and speaks_of_it and _is_for(scenario, tables):
                for players in tables if scenario.most > 1 else (scenario.most,):
                    yield from self._hands(scenario, rules, players)

    def _with_names(self, hand: HandLog) -> HandLog:
        """Return a hand whose players have names, as far as there are any."""
        called = [*self._names, *[UNSET] * len(hand.players)]
        players = [replace(player, name=name) for player, name in zip(hand.players, called, strict=False)]
        return replace(hand, players=tuple(players))

    def _hands(self, scenario: Scenario, rules: ResolvedRules, players: int) -> list[HandLog]:
        """Return hands of a scenario at a table of so many, made once."""
        key = (scenario.id, rules.rules, players)
        if key not in self._made:
            self._made[key] = []
            if scenario.obstacle(rules.rules, players) is None:
                table = Sitting(rules, players, self._names)
                made = [make(scenario, table, seed, _TRIES) for seed in range(self._seed, self._seed + _SEEDS)]
                self._made[key] = [found[0] for found in made if found is not None]
        return self._made[key]


def _is_for(scenario: Scenario, tables: Sequence[int]) -> bool:
    """Return whether a scenario is usually played at tables of about these sizes."""
    return (scenario.players <= max(_SMALL_TABLES)) == (tables is _SMALL_TABLES)


def _apart_in(option: str, one: RuleChoice, other: RuleChoice) -> Iterator[tuple[int, tuple[RuleChoice, RuleChoice]]]:
    """Yield two choices that differ in this option alone, as the two given do, and which of them is one of those."""
    with suppress(IncompatibleAnswersError):
        yield 0, (one, _with(one, option, other))
    with suppress(IncompatibleAnswersError):
        yield 1, (_with(other, option, one), other)


def _with(choice: RuleChoice, option: str, source: RuleChoice) -> RuleChoice:
    """Return a choice with another one's answer to an option; raise IncompatibleAnswersError if it does not resolve."""
    answers = {} if choice.changes is UNSET else given(choice.changes)
    answer = getattr(resolve(source).rules, option)
    changed = RuleChoice(choice.preset, changes_of_answers(answers | {option: answer}))
    resolve(changed)
    return changed


def _distinction(option: str, hand: HandLog, choices: tuple[RuleChoice, RuleChoice], pair: _Pair) -> Distinction:
    """Return what a hand shows of an option."""
    before, after = pair[0].rules, pair[1].rules
    rulings = adjudicate(hand, before, pair[0].silent), adjudicate(hand, after, pair[1].silent)
    return Distinction(
        option,
        (getattr(before, option), getattr(after, option)),
        options_of(before)[option].question,
        hand,
        choices,
        rulings,
        contrast(*rulings, Clerk(hand.players, None)),
    )


def _rulings(hand: HandLog, pair: _Pair) -> tuple[Ruling, Ruling]:
    return adjudicate(hand, pair[0].rules, None), adjudicate(hand, pair[1].rules, None)


def _makes_a_difference(first: Ruling, second: Ruling) -> bool:
    """Return whether two rulings end a hand otherwise, which is over in both; a bus ride is about its value alone."""
    if isinstance(first, Unfinished) or isinstance(second, Unfinished):
        return False
    if isinstance(first, Settled) and isinstance(second, Settled) and first.ended_by == "bus_ride":
        return first.seats[0].value != second.seats[0].value
    return differ(first, second)


def _size(hand: HandLog, pair: _Pair, full: int | None) -> _Size:
    """Return how large a hand is: its events, and its players; and then what makes it less plain.

    That is how often it is refused, and how many players have not as many lives as at first.
    """
    refused = sum(isinstance(ruling, Refused) for ruling in _rulings(hand, pair))
    return len(hand.events), len(hand.players), refused, sum(player.lives != full for player in hand.players)
