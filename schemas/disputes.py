"""Disputes: which single rules decide a hand, and what would have to be played for a player to be right."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.changes import Changes
from schemas.hand import Seat
from schemas.options import Choice
from schemas.ruling import Outcome, Ruling

Change = Annotated[int, Meta(ge=-99, le=1, description="Lives lost (negative), or won back (1).")]
LifeChanges = Annotated[
    tuple[Change, ...],
    Meta(
        max_length=16,
        description="The change of each player's lives, in seat order.",
        examples=[[0, 0, -1, 0]],
    ),
]
OptionName = Annotated[str, Meta(max_length=64, description="Name of a rule option.", examples=["knocker_tie"])]
OptionAnswer = Annotated[Choice, Meta(description="An answer to the option.", examples=["shares"])]
Says = Annotated[str, Meta(max_length=4000, description="A sentence for the people at the table.")]
Least = Annotated[int, Meta(ge=0, le=99, description="The least number that rules alike, up to `greatest`.")]
Greatest = Annotated[int, Meta(ge=0, le=99, description="The greatest number that rules alike.")]


MOST_CLAIMS = 16
"""Claims that one dispute takes."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player says the hand costs."""

    changes: LifeChanges
    by: Annotated[Seat, Meta(description="Who says so; it decides nothing.")] | UnsetType = UNSET


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers that are alike as the answer to an option."""

    least: Least
    greatest: Greatest


class Decisive(Struct, frozen=True, forbid_unknown_fields=True):
    """One other answer to one option, which changes the ruling."""

    option: OptionName
    answer: Annotated[
        OptionAnswer,
        Meta(description="The other answer; of a range of numbers the one next to the answer in use."),
    ]
    outcome: Annotated[Outcome, Meta(description="The outcome of the ruling, as a ruling has it.")]
    changes: Annotated[
        LifeChanges | None, Meta(description="The change of each player's lives then; null if the hand has no result.")
    ]
    says: Says
    least: Least | UnsetType = UNSET
    greatest: Greatest | UnsetType = UNSET


class Nearest(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of the rules under which a claim holds."""

    changes: Changes
    says: Says
    ranges: Annotated[
        dict[Annotated[str, Meta(max_length=64)], Range],
        Meta(
            max_length=8,
            description="For changed options with many numbers for answers: all that make the claim hold alike.",
        ),
    ]


class ClaimAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a claim holds, or what would have to be played for it to hold."""

    claim: Annotated[Claim, Meta(description="The claim, as it was made.")]
    holds: Annotated[bool, Meta(description="Whether the base rules say so.")]
    supported: Annotated[
        bool | None,
        Meta(
            description="Whether any rule set that was tried supports the claim: one with at most three changes, or a "
            "preset. Null if none was found and the search could not be finished."
        ),
    ]
    nearest: Annotated[
        tuple[Nearest, ...],
        Meta(
            max_length=10000,
            description="All rule sets with the fewest changes under which the claim holds; empty where it holds "
            "as it is.",
        ),
    ]
    presets: Annotated[
        tuple[Annotated[str, Meta(max_length=64)], ...],
        Meta(max_length=64, description="The presets of the hand's form under which the claim holds."),
    ]
    says: Says


class Dispute(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides a hand, and what there is to say to the claims."""

    engine: Annotated[str, Meta(max_length=32, description="The version of the engine that judged.")]
    ruling: Annotated[Ruling, Meta(description="The ruling under the base rules.")]
    decisive: Annotated[
        tuple[Decisive, ...],
        Meta(
            max_length=1000,
            description="Each single other answer to an option that changes the ruling: the outcome, a player's change "
            "or status, who takes the pot, who wins, or whether it is played again. `lives`, `jokers` and "
            "`ride_the_bus` are on the table, and not varied.",
        ),
    ]
    claims: Annotated[tuple[ClaimAnswer, ...], Meta(max_length=16, description="An answer to each claim, in order.")]
    tried: Annotated[
        int, Meta(ge=1, le=2**31 - 1, description="How many rule sets were tried; the others could not matter.")
    ]
    complete: Annotated[
        bool, Meta(description="Whether all was tried that could matter. False if that would take too long.")
    ]
