"""Comparisons and disputes: one hand under many rules, and what it hinges on."""

from contextlib import suppress
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from api import examples
from api.asked import AskedHand, AskedReplay, asked_hand
from api.body import Body
from api.choice import rules_of
from api.operations import Answer, Call, Operation
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, NOT_FOUND, REPLAY_DAMAGED, STORE_UNAVAILABLE, Fault, FieldError
from api.routes import post
from engine import VERSION
from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.comparison import alike, options_that_part, rulings_under
from engine.contrast import contrast, result_of
from engine.disputes import answer_claims, decisive
from engine.presets import PRESETS, ResolvedRules, RuleChoice
from engine.trials import OutOfWorkError, Trials
from engine.wording import listed
from replays import rerun
from schemas.changes import given
from schemas.comparison import Comparison, Difference, PartingAnswer, RuleSetName
from schemas.disputes import Claim, Decisive, Dispute
from schemas.hand import Hand, HandLog
from schemas.rules import form_of
from schemas.ruling import Ruling

MOST_WORK = 2_000_000
"""Events that are judged for a request at the most, or so: a few seconds."""

_ALL = "all-presets"


class ComparisonRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand, and the rule sets to compare; the first is what the others are compared with."""

    rules: Annotated[
        Annotated[tuple[RuleChoice, ...], Meta(min_length=1, max_length=64)] | Literal["all-presets"],
        Meta(
            description="The rule sets, 1 to 64; or `all-presets`: every preset of the form of the game that the "
            "record is of, the standard one first."
        ),
    ]
    hand: AskedHand = UNSET
    replay: AskedReplay = UNSET


class DisputeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand, the rules it was played by, and what players say that it costs."""

    hand: AskedHand = UNSET
    replay: AskedReplay = UNSET
    rules: (
        Annotated[
            RuleChoice,
            Meta(description="The rules; if left out, the standard game, or the rules of the replay."),
        ]
        | UnsetType
    ) = UNSET
    claims: Annotated[tuple[Claim, ...], Meta(max_length=16, description="What players say, 16 claims at most.")] = ()


_PROBLEMS = (INVALID, INCOMPATIBLE_ANSWERS, NOT_FOUND, STORE_UNAVAILABLE, REPLAY_DAMAGED)


@post(
    "/v1/comparisons",
    Operation(
        id="compareRules",
        tag="Disputes",
        summary="Compare rule sets on one hand",
        description="Judge one hand under several rule sets, and say which of them end it alike. For every other group "
        "the options are named on which it parts from the first rule set: put into that one, they make the hand end "
        "as in the group, and none of them can be spared. Nothing is kept.",
        body=Body(ComparisonRequest),
        schema=Comparison,
        answer="The comparison.",
        problems=_PROBLEMS,
        examples=examples.COMPARISONS,
        slow=True,
    ),
)
def compare_rules(call: Call[ComparisonRequest]) -> Answer:
    """Answer a comparison."""
    hand, _ = asked_hand(call.body.hand, call.body.replay, call.resources)
    comparison = compared(hand, call.body.rules)
    return Answer(comparison, {"rule_sets": len(comparison.rule_sets), "groups": len(comparison.groups)})


def compared(hand: Hand, asked: tuple[RuleChoice, ...] | str) -> Comparison:
    """Return the comparison of rule sets on a hand; raise a 422 fault for answers that do not go together."""
    names, rules, left_out = _asked_rules(asked, hand)
    trials = Trials(hand, rules[0].rules, MOST_WORK)
    rulings = _rulings(trials, hand, rules)
    groups, clerk = alike(rulings), Clerk(hand.players, None)
    differences = [
        _difference(trials, number, rules[other], rulings[other], clerk)
        for number, group in enumerate(groups[1:], start=1)
        for other in [_nearest_kin(rules, group)]
    ]
    return Comparison(
        engine=VERSION,
        summary=tuple([_line([(rulings[each], names[each]) for each in group], clerk) for group in groups]),
        groups=tuple(map(tuple, groups)),
        differences=tuple(differences),
        rule_sets=tuple(names),
        left_out=left_out,
        rulings=tuple(rulings),
    )


@post(
    "/v1/disputes",
    Operation(
        id="settleDispute",
        tag="Disputes",
        summary="Find out what a hand hinges on",
        description="Judge a hand, and name every single answer to a rule option that would change the ruling, and to "
        "what. For each claim: whether it holds, or else all rule sets with the fewest changes under which it does, up "
        "to three, and the presets under which it does. The search is exact: rule sets are left out only if they "
        "cannot rule otherwise. If it would take too long it ends, and `complete` is false. Nothing is kept.",
        body=Body(DisputeRequest),
        schema=Dispute,
        answer="What decides the hand.",
        problems=_PROBLEMS,
        examples=examples.DISPUTES,
        slow=True,
    ),
)
def settle_dispute(call: Call[DisputeRequest]) -> Answer:
    """Answer a dispute."""
    asked = call.body
    hand, question = asked_hand(asked.hand, asked.replay, call.resources)
    if question is not None and asked.rules is UNSET:
        rules = ResolvedRules(rerun.rules_of(question), frozenset())
    else:
        rules = rules_of(asked.rules)
    _check(asked.claims, len(hand.players))
    clerk, trials = Clerk(hand.players, None), Trials(hand, rules.rules, MOST_WORK)
    found: list[Decisive] = []
    complete = True
    try:
        for each in decisive(trials, clerk):
            found.append(each)  # noqa: PERF402 - what was found is kept when the work ends early
    except OutOfWorkError:
        complete = False
    answers, all_tried = answer_claims(trials, hand, asked.claims, clerk)
    complete = complete and all_tried
    ruling = adjudicate(hand, rules.rules, rules.silent)
    dispute = Dispute(VERSION, ruling, tuple(found), answers, trials.tried, complete)
    return Answer(dispute, {"claims": len(answers), "tried": trials.tried, "complete": complete})


def _asked_rules(
    asked: tuple[RuleChoice, ...] | str, hand: Hand
) -> tuple[list[RuleSetName], list[ResolvedRules], tuple[str, ...]]:
    """Return what the rule sets are called, the rule sets, and the presets that are left out."""
    if isinstance(asked, str):
        form = _form_of(hand)
        asked = tuple([RuleChoice(preset.id) for preset in PRESETS if form_of(preset.rules) == form])
        left_out = tuple([preset.id for preset in PRESETS if form_of(preset.rules) != form])
    else:
        left_out = ()
    rules = [rules_of(choice, f"/rules/{place}") for place, choice in enumerate(asked)]
    return [RuleSetName(choice.preset, choice.changes) for choice in asked], rules, left_out


def _form_of(hand: Hand) -> Literal["stock", "widow"]:
    """Return the form of the game that a record is of; one that only knows how the hand ended may be of either."""
    return "widow" if isinstance(hand, HandLog) and hand.deal.widow is not UNSET else "stock"


def _rulings(trials: Trials, hand: Hand, rules: list[ResolvedRules]) -> list[Ruling]:
    if len({form_of(each.rules) for each in rules}) == 1:
        with suppress(OutOfWorkError):
            return rulings_under(trials, rules)
    return [adjudicate(hand, each.rules, each.silent) for each in rules]


def _nearest_kin(rules: list[ResolvedRules], group: list[int]) -> int:
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


def _line(group: list[tuple[Ruling, RuleSetName]], clerk: Clerk) -> str:
    """Return in a line what comes of the hand under the rule sets of a group."""
    told: dict[str, list[str]] = {}
    for ruling, name in group:
        told.setdefault(result_of(ruling, clerk), []).append(_label(name))
    line = "; ".join(f"{result}: {', '.join(labels)}" for result, labels in told.items())
    return f"{line[0].upper()}{line[1:]}."


def _label(name: RuleSetName) -> str:
    answers = {} if name.changes is UNSET else given(name.changes)
    told = [f"`{option}: {answer}`" for option, answer in answers.items()]
    return f"{name.preset} with {listed(told)}" if told else name.preset


def _check(claims: tuple[Claim, ...], players: int) -> None:
    """Raise a 422 fault for a claim that is not about the players of the hand."""
    for place, claim in enumerate(claims):
        if len(claim.changes) != players:
            detail = f"A claim has a change for each of the {players} players, but this one has {len(claim.changes)}."
            raise Fault(INVALID, detail, FieldError(detail=detail, pointer=f"/claims/{place}/changes"))
        if claim.by is not UNSET and claim.by > players:
            detail = f"There is no seat {claim.by} at a table of {players}."
            raise Fault(INVALID, detail, FieldError(detail=detail, pointer=f"/claims/{place}/by"))
