"""Distinguishing: for each option in which two rule sets differ, a small hand on which it alone decides."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import UNSET, Struct

from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import contrast, differ
from engine.examples.catalogue import SCENARIOS
from engine.examples.generate import NAMES, Sitting, make
from engine.examples.scenario import Scenario
from engine.examples.shrinking import shrunk
from engine.presets import ResolvedRules, RuleChoice, resolve
from schemas.changes import changes_of_answers, given
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import HandLog
from schemas.options import Choice
from schemas.rules import RuleSet, form_of, options_of
from schemas.ruling import Refused, Ruling, Unfinished

_SMALL_TABLES = (2, 3)
_LARGE_TABLES = (16, 15, 14, 9)
"""Tables at which the stock is soon used up."""
_SEEDS = 2
"""Hands of a scenario that are tried at each table."""
_TRIES = 8
"""Deals that are made for one of these at the most."""


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


def distinguish(one: RuleChoice, other: RuleChoice, seed: int = 0, names: Sequence[str] = NAMES) -> Distinctions:
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


class _Search:
    """A search for hands, which remembers those that it has made."""

    def __init__(self, seed: int, names: Sequence[str]) -> None:
        self.tried = 0
        self._seed = seed
        self._names = names
        self._made: dict[tuple[str, RuleSet, int], list[HandLog]] = {}

    def distinction(self, option: str, one: RuleChoice, other: RuleChoice) -> Distinction | NoDistinction:
        """Return the smallest hand on which an option makes the difference, or why there is none."""
        choices = _apart_in(option, one, other)
        if choices is None:
            return NoDistinction(
                option, "Neither rule set allows the other's answer beside its own answers to other options."
            )
        pair = (resolve(choices[0]), resolve(choices[1]))
        before = self.tried
        full = getattr(pair[0].rules, "lives", None)
        sizes: dict[_Size, HandLog] = {}
        for hand in self._candidates(option, pair):
            self.tried += 1
            found = shrunk(hand, lambda smaller: _makes_a_difference(smaller, pair), full)
            if found is not None:
                sizes.setdefault(_size(found, pair, full), found)
        best = sizes[min(sizes)] if sizes else None
        if best is None:
            return NoDistinction(option, f"No hand was found on which it decides: {self.tried - before} were tried.")
        first, second = rulings = _rulings(best, pair)
        answers = (getattr(pair[0].rules, option), getattr(pair[1].rules, option))
        what = contrast(first, second, Clerk(best.players, None))
        title = options_of(pair[0].rules)[option].question
        return Distinction(option, answers, title, best, choices, rulings, what)

    def _candidates(self, option: str, pair: tuple[ResolvedRules, ResolvedRules]) -> Iterator[HandLog]:
        """Yield hands of scenarios that speak of the option, and of all others that are soon over."""
        form = form_of(pair[0].rules)
        for scenario in SCENARIOS:
            if scenario.form == form and (option in scenario.needs or scenario.players <= max(_SMALL_TABLES)):
                for rules in pair:
                    for players in _tables(scenario):
                        yield from self._hands(scenario, rules, players)

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


def _tables(scenario: Scenario) -> Sequence[int]:
    """Return the numbers of players to try a scenario with."""
    if scenario.most < min(_SMALL_TABLES):
        return (scenario.most,)
    return _LARGE_TABLES if scenario.players not in _SMALL_TABLES else _SMALL_TABLES


def _apart_in(option: str, one: RuleChoice, other: RuleChoice) -> tuple[RuleChoice, RuleChoice] | None:
    """Return two choices that differ in this option alone, as the two given do; None if no sound ones are near."""
    with suppress(IncompatibleAnswersError):
        return one, _with(one, option, other)
    with suppress(IncompatibleAnswersError):
        return _with(other, option, one), other
    return None


def _with(choice: RuleChoice, option: str, source: RuleChoice) -> RuleChoice:
    """Return a choice with another one's answer to an option; raise IncompatibleAnswersError if it does not resolve."""
    answers = {} if choice.changes is UNSET else given(choice.changes)
    answer = getattr(resolve(source).rules, option)
    changed = RuleChoice(choice.preset, changes_of_answers(answers | {option: answer}))
    resolve(changed)
    return changed


def _rulings(hand: HandLog, pair: tuple[ResolvedRules, ResolvedRules]) -> tuple[Ruling, Ruling]:
    first, second = [adjudicate(hand, each.rules, each.silent) for each in pair]
    return first, second


def _makes_a_difference(hand: HandLog, pair: tuple[ResolvedRules, ResolvedRules]) -> bool:
    """Return whether two rule sets end a hand otherwise, which is over under both."""
    first, second = _rulings(hand, pair)
    return not isinstance(first, Unfinished) and not isinstance(second, Unfinished) and differ(first, second)


def _size(hand: HandLog, pair: tuple[ResolvedRules, ResolvedRules], full: int | None) -> _Size:
    """Return how large a hand is: its events, and its players; and then what makes it less plain.

    That is how often it is refused, and how many players have not as many lives as at first.
    """
    refused = sum(isinstance(ruling, Refused) for ruling in _rulings(hand, pair))
    return len(hand.events), len(hand.players), refused, sum(player.lives != full for player in hand.players)
