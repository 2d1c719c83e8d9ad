"""Disputes: the single answers that decide a hand, and the rule sets under which a player would be right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET

from engine import VERSION
from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.contrast import changes_of, contrast, differ
from engine.presets import PRESETS, ResolvedRules
from engine.trials import OutOfWorkError, Span, Trial, Trials
from engine.watching import ON_THE_TABLE
from engine.wording import counted, listed
from schemas.changes import changes_of_answers
from schemas.disputes import Claim, ClaimAnswer, Decisive, Dispute, Nearest, Range
from schemas.hand import Hand
from schemas.options import Choice
from schemas.rules import form_of, options_of
from schemas.ruling import outcome_of

MOST_CHANGES = 3
"""Changes of a rule set to which rule sets are searched that support a claim."""


def settle(hand: Hand, rules: ResolvedRules, claims: Sequence[Claim], most_work: int) -> Dispute:
    """Return what a hand hinges on, and what there is to say to claims, which must be about its players.

    `most_work` is how many events may be judged in all, or so.
    """
    clerk, trials = Clerk(hand.players, None), Trials(hand, rules.rules, most_work)
    found: list[Decisive] = []
    complete = True
    try:
        for each in decisive(trials, clerk):
            found.append(each)  # noqa: PERF402 - what was found is kept when the work ends early
    except OutOfWorkError:
        complete = False
    answers, all_tried = answer_claims(trials, hand, claims, clerk)
    ruling = adjudicate(hand, rules.rules, rules.silent)
    return Dispute(VERSION, ruling, tuple(found), answers, trials.tried, complete and all_tried)


def decisive(trials: Trials, clerk: Clerk) -> Iterator[Decisive]:
    """Yield each single other answer that changes the ruling, by option in the order of declaration.

    Numbers that come to the same are one answer. Raises OutOfWorkError.
    """
    base = trials.base
    for option in options_of(trials.rules):
        if option in ON_THE_TABLE or option not in base.reads.first:
            continue
        others = [trial for trial in trials.alternatives(base, option, last=True) if differ(base.ruling, trial.ruling)]
        groups = _alike([trial for trial in others if not trials.violated(trial)], option)
        yield from [_decisive(trials, group, option, clerk) for group in groups]


def _alike(others: Sequence[Trial], option: str) -> list[list[Trial]]:
    """Return trials of one option in groups: numbers next to each other that come to the same, the others alone."""
    groups: list[list[Trial]] = []
    for trial in sorted(others, key=lambda each: each.spans.get(option, (0, 0))):
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and option in trial.spans
            and last.spans[option][1] + 1 == trial.spans[option][0]
            and not differ(last.ruling, trial.ruling)
        ):
            groups[-1].append(trial)
        else:
            groups.append([trial])
    return groups


def _decisive(trials: Trials, group: Sequence[Trial], option: str, clerk: Clerk) -> Decisive:
    base, now = trials.base, trials.answer(trials.base, option)
    trial = min(group, key=lambda each: _distance(each.changes[option], now))
    answer = trial.changes[option]
    span = (answer, answer) if isinstance(answer, int) else None
    if option in trial.spans:
        span = group[0].spans[option][0], group[-1].spans[option][1]
    under = _under({option: answer}, {option: span} if span else {})
    return Decisive(
        option,
        answer,
        outcome_of(trial.ruling),
        changes_of(trial.ruling),
        f"{under}, {contrast(base.ruling, trial.ruling, clerk)}.",
        span[0] if span else UNSET,
        span[1] if span else UNSET,
    )


def _distance(answer: Choice, now: Choice) -> int:
    return abs(answer - now) if isinstance(answer, int) and isinstance(now, int) else 0


def answer_claims(
    trials: Trials, hand: Hand, claims: Sequence[Claim], clerk: Clerk
) -> tuple[tuple[ClaimAnswer, ...], bool]:
    """Return what there is to say to each claim, in order, and whether all was tried that could support one."""
    base = changes_of(trials.base.ruling)
    open_claims = {claim.changes for claim in claims if claim.changes != base}
    found, complete = _search(trials, open_claims)
    by_preset = _under_presets(trials, hand) if open_claims else {}
    answers = []
    for claim in claims:
        if claim.changes == base:
            answers.append(_upheld(claim))
            continue
        nearest = _nearest(trials, found.get(claim.changes, ()), clerk)
        presets = tuple([preset for preset, changes in by_preset.items() if changes == claim.changes])
        supported = bool(nearest or presets) if complete or nearest or presets else None
        says = _says(nearest, presets, complete=complete)
        answers.append(
            ClaimAnswer(claim, holds=False, supported=supported, nearest=nearest, presets=presets, says=says)
        )
    return tuple(answers), complete


def _upheld(claim: Claim) -> ClaimAnswer:
    says = "That is what these rules say."
    return ClaimAnswer(claim, holds=True, supported=True, nearest=(), presets=(), says=says)


def _search(trials: Trials, claims: Iterable[tuple[int, ...]]) -> tuple[dict[tuple[int, ...], list[Trial]], bool]:
    """Return the trials with the fewest changes by the life changes that are claimed, and whether all were tried."""
    wanted = set(claims)
    found: dict[tuple[int, ...], list[Trial]] = {}
    level = [trials.base]
    try:
        for number in range(1, MOST_CHANGES + 1):
            if not wanted:
                break
            level = _next_level(trials, level, last=number == MOST_CHANGES)
            for trial in level:
                changes = changes_of(trial.ruling)
                if changes in wanted and not trials.violated(trial):
                    found.setdefault(changes, []).append(trial)
            wanted -= found.keys()
    except OutOfWorkError:
        return found, False
    return found, True


def _next_level(trials: Trials, level: Sequence[Trial], *, last: bool) -> list[Trial]:
    """Return the trials with one change more, each once."""
    found: dict[frozenset[tuple[str, Choice | Span]], Trial] = {}
    for trial in level:
        for further in trials.further(trial, last=last):
            answers = {name: further.spans.get(name, answer) for name, answer in further.changes.items()}
            found.setdefault(frozenset(answers.items()), further)
    return list(found.values())


def _nearest(trials: Trials, found: Iterable[Trial], clerk: Clerk) -> tuple[Nearest, ...]:
    """Return the changes of trials as they are told; numbers that differ in nothing else are put together."""
    spans: dict[tuple[tuple[str, Choice | None], ...], list[Trial]] = {}
    for trial in found:
        key = [
            (name, None if name in trial.spans else trial.changes[name])
            for name in options_of(trials.rules)
            if name in trial.changes
        ]
        spans.setdefault(tuple(key), []).append(trial)
    nearest = []
    for group in spans.values():
        for trial, changes, ranges in _joined(trials, group):
            says = f"{_under(changes, ranges)}, {contrast(trials.base.ruling, trial.ruling, clerk)}."
            told = {name: Range(*span) for name, span in ranges.items()}
            nearest.append(Nearest(changes_of_answers(changes), says, told))
    return tuple(nearest)


def _joined(trials: Trials, group: Sequence[Trial]) -> list[tuple[Trial, dict[str, Choice], dict[str, Span]]]:
    """Return changes and ranges of trials that differ in one number at the most, spans that touch put together.

    With each goes the trial that has the number next to the one in use.
    """
    numbered = next(iter(group[0].spans), None)
    if numbered is None:
        return [(group[0], group[0].changes, {})]
    joined: list[Span] = []
    for low, high in sorted(trial.spans[numbered] for trial in group):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    now = getattr(trials.rules, numbered)
    told = []
    for low, high in joined:
        answer = min(max(now, low), high)
        trial = next(each for each in group if each.spans[numbered][0] <= answer <= each.spans[numbered][1])
        told.append((trial, trial.changes | {numbered: answer}, {numbered: (low, high)}))
    return told


def _under(changes: Mapping[str, Choice], ranges: Mapping[str, Span]) -> str:
    """Return under what rules something holds: "Under `knocker_tie: shares`"."""
    clauses = []
    for name, answer in changes.items():
        low, high = ranges.get(name, (answer, answer))
        so_up_to = "" if low == high else f", and so up to {high}" if answer == low else f", and so down to {low}"
        clauses.append(f"`{name}: {answer}`{so_up_to}")
    return f"Under {listed(clauses)}"


def _under_presets(trials: Trials, hand: Hand) -> dict[str, tuple[int, ...] | None]:
    """Return what each preset of the hand's form costs the players."""
    form = form_of(trials.rules)
    return {
        preset.id: changes_of(adjudicate(hand, preset.rules, None))
        for preset in PRESETS
        if form_of(preset.rules) == form
    }


def _says(nearest: Sequence[Nearest], presets: Sequence[str], *, complete: bool) -> str:
    """Return what to tell the player who made the claim."""
    if not nearest and not presets:
        if not complete:
            return "No rule set was found that says so, but there were too many to try them all."
        return (
            f"No preset says so, nor does any rule set that differs from these rules in {MOST_CHANGES} answers or less."
        )
    told = [nearest[0].says] if nearest else []
    if len(nearest) > 1:
        others = len(nearest) - 1
        told.append(f"There {'is' if others == 1 else 'are'} {counted(others, 'other way')} with as few changes.")
    if presets:
        told.append(f"It is what {listed([f'`{preset}`' for preset in presets])} would say.")
    return " ".join(told)
