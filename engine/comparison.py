"""Comparison: which rule sets end a hand alike, and on which options the others part from the first."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict, replace

from engine.contrast import ends_of
from engine.presets import ResolvedRules
from engine.telling import tell
from engine.trials import OutOfWorkError, Trial, Trials
from schemas.options import Choice
from schemas.ruling import Ruling

_MOST_AT_ONCE = 3
"""Options up to which all choices of so many are tried, for the fewest."""


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
