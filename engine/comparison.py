"""Comparison: which rule sets end a hand alike, and on which options the others part from the first."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec import UNSET
from msgspec.structs import asdict, replace

from engine import VERSION
from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import contrast, ends_of, result_of
from engine.presets import PRESETS, ResolvedRules, RuleChoice
from engine.telling import tell
from engine.trials import OutOfWorkError, Trial, Trials
from engine.wording import listed
from schemas.changes import given
from schemas.comparison import Comparison, Difference, PartingAnswer, RuleSetName
from schemas.hand import Hand, HandLog
from schemas.options import Choice
from schemas.rules import form_of
from schemas.ruling import Ruling

_MOST_AT_ONCE = 3
"""Options up to which all choices of so many are tried, for the fewest."""


def presets_for(hand: Hand) -> tuple[tuple[RuleChoice, ...], tuple[str, ...]]:
    """Return the presets of the form of the game that a record is of, and the ids of the others.

    A record that only knows how the hand ended may be of either form; it is taken to be of the stock form.
    """
    widow = isinstance(hand, HandLog) and hand.deal.widow is not UNSET
    form = "widow" if widow else "stock"
    played = tuple([RuleChoice(preset.id) for preset in PRESETS if form_of(preset.rules) == form])
    return played, tuple([preset.id for preset in PRESETS if form_of(preset.rules) != form])


def compare(
    hand: Hand,
    choices: Sequence[RuleChoice],
    rules: Sequence[ResolvedRules],
    left_out: tuple[str, ...],
    most_work: int,
) -> Comparison:
    """Return what comes of a hand under each rule set, which of them agree, and on what the others part.

    `rules` are those of `choices`; `most_work` is how many events may be judged in all, or so.
    """
    trials = Trials(hand, rules[0].rules, most_work)
    rulings = _rulings(trials, hand, rules)
    groups, clerk = alike(rulings), Clerk(hand.players, None)
    kin = [_nearest_kin(rules, group) for group in groups[1:]]
    return Comparison(
        engine=VERSION,
        summary=tuple([_line([(rulings[each], choices[each]) for each in group], clerk) for group in groups]),
        groups=tuple(map(tuple, groups)),
        differences=tuple(
            [_difference(trials, group, rules[each], rulings[each], clerk) for group, each in enumerate(kin, start=1)]
        ),
        rule_sets=tuple([RuleSetName(choice.preset, choice.changes) for choice in choices]),
        left_out=left_out,
        rulings=tuple(rulings),
    )


def rulings_under(trials: Trials, rules: Sequence[ResolvedRules]) -> list[Ruling]:
    """Return the ruling under each rule set, all of the same form; the same as `adjudicate` gives, but in less time.

    Raises OutOfWorkError.
    """
    return [tell(replace(trials.under(asdict(each.rules)).ruling, rules=each.rules), (), each.silent) for each in rules]


def alike(rulings: Sequence[Ruling]) -> list[list[int]]:
    """Return the positions of rulings in groups that end the hand alike for all players, by the first of each."""
    groups: dict[object, list[int]] = {}
    for position, ruling in enumerate(rulings):
        groups.setdefault(ends_of(ruling), []).append(position)
    return list(groups.values())


def options_that_part(trials: Trials, other: Mapping[str, Choice], ruling: Ruling) -> dict[str, Choice] | None:
    """Return answers of another rule set that, put into the first one, end the hand as that rule set does.

    None of them can be spared, and the rule set with them is a sound one. `trials` begin with the first rule set;
    `ruling` is the one under the other. Returns None if that would take too much work.
    """
    first = asdict(trials.rules)
    different = {option: answer for option, answer in other.items() if first[option] != answer}
    try:
        return _fewest(trials, different, ruling) or _none_to_spare(trials, different, ruling)
    except OutOfWorkError:
        return None


def _fewest(trials: Trials, different: Mapping[str, Choice], ruling: Ruling) -> dict[str, Choice] | None:
    """Return the fewest answers that make the difference, the first such by the order of options; None if many do."""
    level = {frozenset[str](): trials.base}
    for _ in range(_MOST_AT_ONCE):
        further: dict[frozenset[str], Trial] = {}
        for names, trial in level.items():
            needed = [option for need in trials.violated(trial) for option in (need.option, need.other)]
            for option in different:
                if option not in names and (option in trial.reads.first or option in needed):
                    further.setdefault(names | {option}, trials.changed(trial, option, different[option]))
        for trial in further.values():
            if _is_there(trials, trial, ruling):
                return {option: answer for option, answer in different.items() if option in trial.changes}
        level = further
    return None


def _none_to_spare(trials: Trials, different: Mapping[str, Choice], ruling: Ruling) -> dict[str, Choice]:
    """Return answers that make the difference, begun with all and left with those of which none can go."""
    kept = dict(different)
    spared = True
    while spared:
        spared = False
        for option in different:
            fewer = {name: answer for name, answer in kept.items() if name != option}
            if option in kept and _is_there(trials, _with(trials, fewer), ruling):
                kept, spared = fewer, True
    return kept


def _with(trials: Trials, changes: Mapping[str, Choice]) -> Trial:
    return replace(trials.under({**asdict(trials.rules), **changes}), changes=dict(changes))


def _is_there(trials: Trials, trial: Trial, ruling: Ruling) -> bool:
    return ends_of(trial.ruling) == ends_of(ruling) and not trials.violated(trial)


def _rulings(trials: Trials, hand: Hand, rules: Sequence[ResolvedRules]) -> list[Ruling]:
    if len({form_of(each.rules) for each in rules}) == 1:
        with suppress(OutOfWorkError):
            return rulings_under(trials, rules)
    return [adjudicate(hand, each.rules, each.silent) for each in rules]


def _nearest_kin(rules: Sequence[ResolvedRules], group: list[int]) -> int:
    """Return the first of a group that is of the first rule set's form of the game, or else the first of it."""
    form = form_of(rules[0].rules)
    return next((other for other in group if form_of(rules[other].rules) == form), group[0])


def _difference(trials: Trials, number: int, other: ResolvedRules, ruling: Ruling, clerk: Clerk) -> Difference:
    """Return why the first rule set of a group ends the hand otherwise than the first of all."""
    if form_of(other.rules) != form_of(trials.rules):
        return Difference(number, (), minimal=True, says="The two are rules of different forms of the game.")
    answers = asdict(other.rules)
    parting = options_that_part(trials, answers, ruling)
    first = asdict(trials.rules)
    shown = parting or {option: answer for option, answer in answers.items() if answer != first[option]}
    told = [f"`{option}: {answer}` rather than `{first[option]}`" for option, answer in shown.items()]
    says = f"With {listed(told)}, {contrast(trials.base.ruling, ruling, clerk)}."
    options = tuple([PartingAnswer(option, first[option], answer) for option, answer in shown.items()])
    return Difference(number, options, minimal=parting is not None, says=says)


def results_of(group: Iterable[tuple[Ruling, RuleChoice]], clerk: Clerk) -> dict[str, list[str]]:
    """Return in clauses what comes of a hand under the rule sets of a group, each with those of which it is so.

    What ends the hand alike for the players may not be the same in all that follows.
    """
    told: dict[str, list[str]] = {}
    for ruling, choice in group:
        told.setdefault(result_of(ruling, clerk), []).append(label(choice))
    return told


def label(choice: RuleChoice) -> str:
    """Return what a rule set is called: by its preset, and the answers in which it differs from that."""
    answers = {} if choice.changes is UNSET else given(choice.changes)
    told = [f"`{option}: {answer}`" for option, answer in answers.items()]
    return f"{choice.preset} with {listed(told)}" if told else choice.preset


def _line(group: Iterable[tuple[Ruling, RuleChoice]], clerk: Clerk) -> str:
    """Return in a line what comes of the hand under the rule sets of a group."""
    line = "; ".join(f"{result}: {', '.join(labels)}" for result, labels in results_of(group, clerk).items())
    return f"{line[0].upper()}{line[1:]}."
