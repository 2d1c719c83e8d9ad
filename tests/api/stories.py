"""Hands that the HTTP tests tell, as JSON values."""

import copy
from typing import Any

from api.examples import TIED_KNOCKER

LOG: dict[str, Any] = TIED_KNOCKER
"""Ben knocks on 19 and ties with Ana for the lowest hand."""

SHOWDOWN: dict[str, Any] = {
    "kind": "showdown",
    "players": [{"lives": 3, "cards": ["Ks", "9s", "2h"]}, {"lives": 1, "cards": ["Ad", "8d", "6c"]}],
    "ended_by": {"type": "knock", "seat": 1},
}


def changed(hand: dict[str, Any], *path: str | int, to: Any) -> dict[str, Any]:
    """Return a copy of a hand in which the value at a path is another one."""
    hand = copy.deepcopy(hand)
    inner: Any = hand
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return hand
