"""The hand that a request is about: given in full, or as the replay of one that is stored."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from api.problems import INVALID, NOT_FOUND, Fault, FieldError
from api.replay_views import HEXADECIMAL
from api.resources import Resources
from replays.canonical import Question
from replays.faults import DamagedReplayError
from replays.rerun import hand_of
from schemas.hand import Hand

AskedHand = Annotated[Hand, Meta(description="The record of the hand; or `replay` is given instead.")] | UnsetType
AskedReplay = (
    Annotated[
        str,
        Meta(
            min_length=64,
            max_length=64,
            pattern=HEXADECIMAL,
            description="Id of a stored replay whose hand is meant, instead of `hand`.",
        ),
    ]
    | UnsetType
)

_HAS_HAND = {"required": ["hand"], "properties": {"hand": True}}
_HAS_REPLAY = {"required": ["replay"], "properties": {"replay": True}}
ONE_OF_THEM = Meta(extra_json_schema={"if": _HAS_HAND, "then": {"not": _HAS_REPLAY}, "else": _HAS_REPLAY})
"""What the schema of a body adds that asks for a hand: one of the two is there, and not both."""


def asked_hand(hand: Hand | UnsetType, replay: str | UnsetType, resources: Resources) -> tuple[Hand, Question | None]:
    """Return the hand that is asked about, and the question of the replay where that was given.

    Raises a 422 fault unless just one of the two is given, a 404 fault for a replay that there is not.
    """
    if hand is not UNSET and replay is UNSET:
        return hand, None
    if replay is UNSET or hand is not UNSET:
        detail = "Either `hand` or `replay` is needed, and not both."
        raise Fault(INVALID, detail, FieldError(detail=detail, pointer=""))
    stored = resources.store.get(bytes.fromhex(replay))
    if stored is None:
        detail = "There is no replay with this id."
        raise Fault(NOT_FOUND, detail, FieldError(detail=detail, pointer="/replay"))
    if not stored.sound:
        raise DamagedReplayError(stored.id)
    return hand_of(stored.question), stored.question
