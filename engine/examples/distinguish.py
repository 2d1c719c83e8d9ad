"""Distinguishing: for each option in which two rule sets differ, a small hand on which it alone decides."""

from collections.abc import Iterator
from contextlib import suppress

from msgspec import UNSET, Struct
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import contrast
from engine.examples.generate import NAMES
from engine.examples.searching import OutOfTriesError, Pair, Search
from engine.examples.stage import Names
from engine.presets import RuleChoice, resolve
from engine.wording import counted
from schemas.changes import changes_of_answers, given
from schemas.compatibility import IncompatibleAnswersError
from schemas.hand import HandLog
from schemas.options import Choice
from schemas.rules import form_of, options_of
from schemas.ruling import Ruling

MOST_TRIED = 100_000
"""Hands that are tried to tell two rule sets apart: more than was ever needed, in two seconds or three."""


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

    @property
    def says(self) -> str:
        """Return in a sentence how far the two rule sets were told apart."""
        if not self.found and not self.missing:
            return "The two rule sets are the same, so no hand can tell them apart."
        tried = f"{counted(self.tried, 'hand')} {'was' if self.tried == 1 else 'were'} tried"
        if not self.found:
            return f"No hand was found that tells the two rule sets apart: {tried}."
        differing = len(self.found) + len(self.missing)
        return f"Of {counted(differing, 'option')} on which they differ, {len(self.found)} decided a hand: {tried}."


def distinguish(
    one: RuleChoice, other: RuleChoice, seed: int = 0, names: Names = NAMES, most_tried: int = MOST_TRIED
) -> Distinctions:
    """Return for each option in which two rule sets differ the smallest hand found on which it makes the difference.

    The smallest has the fewest events, and of those the fewest players. The choices must resolve. After `most_tried`
    hands the search is ended; the options whose turn has not come by then are missing.
    """
    first, second = resolve(one).rules, resolve(other).rules
    if form_of(first) != form_of(second):
        why = "The two rule sets are of different forms of the game, and no hand is played in both."
        return Distinctions((), (NoDistinction("form", why),), 0)
    search = Search(seed, most_tried)
    results = [
        _told_apart(option, one, other, search, names)
        for option in options_of(first)
        if getattr(first, option) != getattr(second, option)
    ]
    found = tuple([each for each in results if isinstance(each, Distinction)])
    missing = tuple([each for each in results if isinstance(each, NoDistinction)])
    return Distinctions(found, missing, search.tried)


def _told_apart(
    option: str, one: RuleChoice, other: RuleChoice, search: Search, names: Names
) -> Distinction | NoDistinction:
    """Return the smallest hand on which an option makes the difference, or why there is none.

    Where one rule set with the other's answer shows nothing, the other one with this one's answer may.
    """
    before, sound = search.tried, False
    for base, choices in _apart_in(option, one, other):
        sound = True
        pair = (resolve(choices[0]), resolve(choices[1]))
        try:
            hand = search.smallest(option, pair, base)
        except OutOfTriesError:
            return NoDistinction(option, f"The search was ended before one was found: {search.tried} hands were tried.")
        if hand is not None:
            return _distinction(option, _with_names(hand, names), choices, pair)
    if not sound:
        return NoDistinction(
            option, "Neither rule set allows the other's answer beside its own answers to other options."
        )
    return NoDistinction(option, f"No hand was found on which it decides: {search.tried - before} were tried.")


def _with_names(hand: HandLog, names: Names) -> HandLog:
    """Return a hand whose players have names, as far as there are any."""
    called = [*names, *[UNSET] * len(hand.players)]
    players = [replace(player, name=name) for player, name in zip(hand.players, called, strict=False)]
    return replace(hand, players=tuple(players))


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


def _distinction(option: str, hand: HandLog, choices: tuple[RuleChoice, RuleChoice], pair: Pair) -> Distinction:
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
