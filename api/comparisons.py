"""Comparisons and disputes: one hand under many rules, and what it hinges on."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from api import examples
from api.asked import ONE_OF_THEM, AskedHand, AskedReplay, asked_hand
from api.body import Body
from api.choice import rules_of
from api.contested import MOST_RULE_SETS, MOST_WORK, misplaced
from api.notation import choices, only_choice
from api.operations import Answer, Call, Operation
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, NOT_FOUND, REPLAY_DAMAGED, STORE_UNAVAILABLE, refuse
from api.routes import post
from engine.comparison import compare, presets_for
from engine.disputes import settle
from engine.presets import ResolvedRules, RuleChoice
from replays import rerun
from schemas.comparison import Comparison
from schemas.disputes import MOST_CLAIMS, Claim, Dispute
from schemas.hand import Hand
from schemas.notation import Notated


class ComparisonRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand, and the rule sets to compare; the first is what the others are compared with."""

    rules: Annotated[
        Annotated[tuple[RuleChoice, ...], Meta(min_length=1, max_length=MOST_RULE_SETS)] | Literal["all-presets"],
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
    claims: Annotated[
        tuple[Claim, ...],
        Meta(max_length=MOST_CLAIMS, description=f"What players say, {MOST_CLAIMS} claims at most."),
    ] = ()


def _comparison_of_notated(said: Notated) -> ComparisonRequest:
    return ComparisonRequest(choices(said, MOST_RULE_SETS) or "all-presets", said.hand)


def _dispute_of_notated(said: Notated) -> DisputeRequest:
    return DisputeRequest(said.hand, rules=only_choice(said))


_PROBLEMS = (INVALID, INCOMPATIBLE_ANSWERS, NOT_FOUND, STORE_UNAVAILABLE, REPLAY_DAMAGED)


@post(
    "/v1/comparisons",
    Operation(
        id="compareRules",
        tag="Disputes",
        summary="Compare rule sets on one hand",
        description="Judge one hand under several rule sets, and say which of them end it alike. For every other group "
        "the options are named on which it parts from the first rule set: put into that one, they make the hand end "
        "as in the group, and none of them can be spared. Nothing is kept.\n\n"
        "It takes exactly one of `hand` and `replay`; both, neither, or rule answers that do not go together are a "
        "422.",
        body=Body(
            ComparisonRequest, schema=Annotated[ComparisonRequest, ONE_OF_THEM], of_notated=_comparison_of_notated
        ),
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
    choices, left_out = presets_for(hand) if isinstance(asked, str) else (asked, ())
    rules = [rules_of(choice, f"/rules/{place}") for place, choice in enumerate(choices)]
    return compare(hand, choices, rules, left_out, MOST_WORK)


@post(
    "/v1/disputes",
    Operation(
        id="settleDispute",
        tag="Disputes",
        summary="Find out what a hand hinges on",
        description="Judge a hand, and name every single answer to a rule option that would change the ruling, and to "
        "what. For each claim: whether it holds, or else all rule sets with the fewest changes under which it does, up "
        "to three, and the presets under which it does. The search is exact: rule sets are left out only if they "
        "cannot rule otherwise. If it would take too long it ends, and `complete` is false. Nothing is kept.\n\n"
        "It takes exactly one of `hand` and `replay`, and a claim has a change for each player. Anything else is a "
        "422, and so are a claim by a seat that is not at the table and rule answers that do not go together.",
        body=Body(DisputeRequest, schema=Annotated[DisputeRequest, ONE_OF_THEM], of_notated=_dispute_of_notated),
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
    for claim in misplaced(asked.claims, len(hand.players)):
        refuse(claim.says, f"/claims/{claim.place}/{claim.field}")
    dispute = settle(hand, rules, asked.claims, MOST_WORK)
    return Answer(dispute, {"claims": len(dispute.claims), "tried": dispute.tried, "complete": dispute.complete})
