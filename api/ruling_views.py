"""A ruling as an answer has it, with the version of the engine that gave it and the replay that is kept of it."""

from typing import Annotated

from msgspec import Meta, Struct

from engine import VERSION
from schemas.ruling import Ruling

EngineVersion = Annotated[
    str, Meta(max_length=32, description="The version of the engine that judged.", examples=[VERSION])
]
ReplayId = Annotated[
    Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")] | None,
    Meta(description="Id of the stored replay; null where the ruling is not stored."),
]


class RulingAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The ruling of a hand."""

    replay: ReplayId
    engine: EngineVersion
    ruling: Annotated[Ruling, Meta(description="The answer to the hand under the rules.")]
