"""Telling: a ruling that speaks of seats, put into the words of a request: its names, and what its preset states."""

import re
from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from schemas.hand import Player, ShownPlayer
from schemas.ruling import Citation, Citations, Refused, Ruling

_SEAT = re.compile(r"Seat ([0-9]+)")


def tell(ruling: Ruling, players: Sequence[Player | ShownPlayer], silent: frozenset[str]) -> Ruling:
    """Return the ruling that `adjudicate` gives when these players have names and the source is silent on options.

    `ruling` is that of the same hand without names, with `silent` None. Sentences speak of a seat at the table only to
    name its player, so that a name can be put in its place: judging a hand once serves the store and the request.
    """
    names = {str(seat): player.name for seat, player in enumerate(players, start=1) if player.name is not UNSET}

    def name(seat: re.Match[str]) -> str:
        return names.get(seat[1], seat[0])

    def told(citations: Citations) -> Citations:
        return tuple(
            [
                Citation(
                    cited.rule,
                    _SEAT.sub(name, cited.says) if names and "Seat " in cited.says else cited.says,
                    cited.seats,
                    cited.event,
                    cited.option,
                    cited.option not in silent,
                )
                for cited in citations
            ]
        )

    if isinstance(ruling, Refused):
        return replace(ruling, broken=told(ruling.broken), citations=told(ruling.citations))
    return replace(ruling, citations=told(ruling.citations))
