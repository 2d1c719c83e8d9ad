"""The ruling: what the hands were worth, who loses what, and which rule says so."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card
from schemas.hand import Seat
from schemas.rules import RuleSet

Points = Annotated[
    float,
    Meta(
        ge=0,
        multiple_of=0.5,
        description="The worth of a hand in points: a whole number, or one that ends in .5.",
        examples=[19],
    ),
]
Status = Literal["in", "county", "out"]
RefusalKind = Literal["impossible", "illegal"]
CountsAs = Annotated[
    Literal["suit", "three_of_a_kind", "unclaimed_31"],
    Meta(description="What the value rests on: the best suit, three of a kind, or a 31 not shown in time."),
]
EventIndex = Annotated[int, Meta(ge=0, le=1999, description="Position in `events`, counted from 0.")]
SeatList = Annotated[tuple[Seat, ...], Meta(max_length=16, description="Seats, in ascending order.")]
CardList = Annotated[tuple[Card, ...], Meta(max_length=4, description="Cards, as they are shown.")]


class Citation(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One rule applied: its id, what it says of this hand, and where it comes from."""

    rule: Annotated[
        str,
        Meta(
            max_length=64,
            description="Id of the rule; `GET /v1/rulebook/{rule}` tells more.",
            examples=["lose.knocker-alone"],
        ),
    ]
    says: Annotated[str, Meta(max_length=4000, description="The rule with this hand's facts filled in.")]
    seats: SeatList
    event: Annotated[
        EventIndex | None, Meta(description="The event that the rule was applied to, where it is about one.")
    ]
    option: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="The rule option that this follows from, where tables differ on it."),
    ]
    stated: (
        Annotated[
            bool,
            Meta(
                description="False where the named preset's source is silent on the option, so that the answer is "
                "our reading of it. Left out of a stored answer, whose rules are complete and name no preset."
            ),
        ]
        | UnsetType
    ) = UNSET


Citations = Annotated[
    tuple[Citation, ...], Meta(max_length=200, description="The rules applied, in order of application.")
]


class SeatResult(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What one player's hand was worth and what it cost."""

    seat: Seat
    cards: CardList
    value: Points
    counted: CardList
    counts_as: CountsAs
    before: Annotated[int, Meta(ge=0, le=99, description="Lives held when the hand began.")]
    change: Annotated[
        int,
        Meta(
            ge=-99,
            le=1,
            description="Lives that the rules take (negative) or give back (1). It may be more than were held.",
        ),
    ]
    after: Annotated[int, Meta(ge=0, le=99, description="Lives held after the hand, never below 0.")]
    status: Annotated[
        Status,
        Meta(description="`in` with lives, on the `county` without lives but still in, or `out` of the game."),
    ]


class SeatStanding(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What one player held when judging stopped. In mid-turn there are four cards and no value."""

    seat: Seat
    cards: CardList
    value: Annotated[Points | None, Meta(description="The worth of three cards in points; null for four.")]
    counted: CardList
    counts_as: Annotated[CountsAs | None, Meta(description="What the value rests on; null for four cards.")]


Standings = Annotated[
    tuple[SeatStanding, ...],
    Meta(max_length=16, description="Every player's hand at that point, in seat order."),
]

CompleteRules = Annotated[RuleSet, Meta(description="The complete rules that the hand was judged by.")]
EndedBy = Literal["knock", "first_knock", "thirty_one", "stock_exhausted", "bus_ride"]


class Settled(Struct, tag="settled", tag_field="outcome", frozen=True, forbid_unknown_fields=True, gc=False):
    """The hand ended and its consequences are known."""

    ended_by: Annotated[EndedBy, Meta(description="What ended the hand.")]
    ended_at: Annotated[
        EventIndex | None,
        Meta(
            description="The last judged event; null if none was: a showdown record, or a hand that the deal "
            "itself ended."
        ),
    ]
    unplayed: Annotated[int, Meta(ge=0, le=2000, description="Events of the log after the end; not judged.")]
    knocker: Annotated[Seat | None, Meta(description="Who knocked, if anyone did.")]
    seats: Annotated[tuple[SeatResult, ...], Meta(max_length=16, description="Every player, in seat order.")]
    pot_winners: Annotated[
        SeatList | None,
        Meta(description="Widow form: who takes, or shares, the pot. Null in the stock form."),
    ]
    game_over: Annotated[bool, Meta(description="Whether the hand has ended the game.")]
    winners: Annotated[SeatList, Meta(description="Who has won the game, once it is over.")]
    next_dealer: Annotated[
        Seat | None, Meta(description="Who deals next; null once the game is over, or without a dealer.")
    ]
    play_again: Annotated[
        bool, Meta(description="Whether the hand counts for nothing and the same dealer deals again.")
    ]
    open_claims: Annotated[
        SeatList,
        Meta(description="Seats that could still change this ruling by showing a 31 at once."),
    ]
    citations: Citations
    rules: CompleteRules


class Refused(Struct, tag="refused", tag_field="outcome", frozen=True, forbid_unknown_fields=True, gc=False):
    """The record breaks a rule, so the hand has no result."""

    kind: Annotated[
        RefusalKind,
        Meta(description="`impossible`: the record contradicts itself; `illegal`: a rule forbids the event."),
    ]
    at: Annotated[
        EventIndex | None,
        Meta(description="The refused event; null where the deal or the record itself is at fault."),
    ]
    broken: Annotated[
        tuple[Citation, ...],
        Meta(min_length=1, max_length=200, description="Every rule that the event breaks, not the first only."),
    ]
    seats: Standings
    citations: Citations
    rules: CompleteRules


EventType = Literal["draw_stock", "take_discard", "discard", "knock", "declare", "stand", "reshuffle", "exchange"]


class Unfinished(Struct, tag="unfinished", tag_field="outcome", frozen=True, forbid_unknown_fields=True, gc=False):
    """The hand is not over: whose turn it is and what may happen now."""

    to_act: Annotated[Seat, Meta(description="Whose turn it is.")]
    may: Annotated[
        tuple[EventType, ...],
        Meta(max_length=8, description="The types of event that are legal now, of any seat."),
    ]
    seats: Standings
    citations: Citations
    rules: CompleteRules


Ruling = Settled | Refused | Unfinished
"""The answer to a hand under a rule set, tagged on `outcome`."""
Outcome = Literal["settled", "refused", "unfinished"]

_OUTCOMES: dict[type[Ruling], Outcome] = {Settled: "settled", Refused: "refused", Unfinished: "unfinished"}


def outcome_of(ruling: Ruling) -> Outcome:
    """Return the outcome that a ruling is tagged with."""
    return _OUTCOMES[type(ruling)]
