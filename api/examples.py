"""The requests shown in the OpenAPI document. Their answers are worked out by the service itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from api.resources import Resources
from engine.presets import STANDARD
from replays.records import record_of
from replays.store import Store
from schemas.hand import HandLog


def _log(lives: list[int], dealer: int, hands: list[str], upcard: str, *events: str) -> dict[str, Any]:
    """Return a log in which seat n plays the n-th hand, from events like "1 draw_stock 3c"."""
    return {
        "kind": "log",
        "players": [{"lives": number} for number in lives],
        "dealer": dealer,
        "deal": {"hands": [hand.split() for hand in hands], "upcard": upcard},
        "events": [_event(*event.split()) for event in events],
    }


def _event(seat: str, kind: str, card: str | None = None) -> dict[str, Any]:
    return {"type": kind, "seat": int(seat)} | ({"card": card} if card else {})


TIED_KNOCKER = _log(
    [3, 3, 3, 3],
    4,
    ["Ks 9s 2h", "Tc 8c 4d", "Th 8h 3s", "Ad 8d 6c"],
    "5h",
    "1 knock",
    "2 draw_stock 9c",
    "2 discard 4d",
    "3 draw_stock 7h",
    "3 discard 3s",
    "4 draw_stock 2c",
    "4 discard 2c",
)
for _player, _name in zip(TIED_KNOCKER["players"], ("Ben", "Cara", "Dan", "Ana"), strict=True):
    _player["name"] = _name

NOTATED = """[rules pagat knocker_tie=double]
[dealer Ana]
Ben(3): Ks 9s 2h
Cara(3): Tc 8c 4d
Dan(3): Th 8h 3s
Ana(3): Ad 8d 6c
Up: 5h
Ben: knock
Cara: +9c -4d
Dan: +7h -3s
Ana: +2c -2c
"""
"""The same hand in the text notation, and a house rule."""

EARLY_KNOCK = _log([3, 3, 3], 3, ["9d 6c 4h", "Ks Qs 2h", "Tc 7c 5d"], "3h", "1 knock")
AFTER_DRAWING = _log(
    [3, 3, 3],
    3,
    ["Ks 9s 2h", "Tc 8c 4d", "Ad 8d 6c"],
    "5h",
    "1 draw_stock 7c",
    "1 knock",
)
SHOWN = {
    "kind": "showdown",
    "players": [
        {"lives": 3, "cards": ["Ks", "9s", "2h"]},
        {"lives": 1, "cards": ["Ad", "8d", "6c"]},
    ],
    "dealer": 2,
    "ended_by": {"type": "knock", "seat": 1},
}

RULINGS: dict[str, Any] = {
    "tied-knocker": {"hand": TIED_KNOCKER},
    "house-rule": {"rules": {"preset": "pagat", "changes": {"knocker_tie": "double"}}, "hand": TIED_KNOCKER},
    "refused": {"hand": AFTER_DRAWING},
    "unfinished": {"hand": EARLY_KNOCK},
    "showdown-record": {"rules": {"preset": "casual"}, "hand": SHOWN},
}
BATCHES: dict[str, Any] = {"two-hands": {"rules": {"preset": "casual"}, "hands": [SHOWN, EARLY_KNOCK]}}
COMPARISONS: dict[str, Any] = {
    "two-rule-sets": {
        "hand": TIED_KNOCKER,
        "rules": [{"preset": "pagat"}, {"preset": "pagat", "changes": {"knocker_tie": "double"}}],
    },
}
DISPUTES: dict[str, Any] = {"tied-knocker": {"hand": TIED_KNOCKER, "claims": [{"changes": [-1, 0, 0, 0], "by": 2}]}}
VALUATIONS: dict[str, Any] = {
    "two-hands": {
        "rules": {"preset": "pagat", "changes": {"three_of_a_kind": "30.5"}},
        "hands": [["Jd", "8d", "As"], ["7s", "7h", "7c"]],
    }
}


def _shown(knocker: int, *hands: str) -> dict[str, Any]:
    """Return a hand of a game in which these hands were shown after a knock."""
    players = [{"cards": hand.split()} for hand in hands]
    return {"kind": "showdown", "players": players, "ended_by": {"type": "knock", "seat": knocker}}


_NAMED = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cara"}]
_WORST_FOR_CARA = _shown(1, "Ks Qs 2h", "Tc 8c 4d", "9d 6c 4h")
_WORST_FOR_BEN = _shown(1, "Ks Qs 2h", "7c 5d 4d", "9d 8d 4h")
_ONE_LIFE = {"preset": "casual", "changes": {"lives": 1}}
GAMES: dict[str, Any] = {
    "to-a-winner": {
        "rules": _ONE_LIFE,
        "players": _NAMED,
        "dealer": 2,
        "hands": [_WORST_FOR_CARA, _shown(2, "Ks Qs 2h", "Tc 8c 4d")],
    },
    "under-way": {"players": _NAMED, "dealer": 3, "hands": [_WORST_FOR_CARA]},
    "refused": {
        "players": _NAMED,
        "dealer": 3,
        "hands": [_WORST_FOR_CARA, {**_WORST_FOR_BEN, "dealer": 3}],
    },
}
RULE_SHEETS: dict[str, Any] = {
    "standard": {"rules": {"preset": "pagat"}},
    "house-rules": {
        "rules": {"preset": "pagat", "changes": {"three_of_a_kind": "30.5", "knocker_tie": "double"}},
        "title": "Friday's table",
        "names": ["Ana", "Ben", "Cara", "Dan"],
        "paper": "a4",
    },
}
CUTS: dict[str, Any] = {
    "lowest": {"rule": "lowest", "cards": ["9d", "4h", "Ks"]},
    "tied": {"rule": "highest", "cards": ["As", "Qh", "Ac"]},
}

EXAMPLES: dict[str, Any] = {
    "one-scenario": {"rules": {"preset": "casual"}, "scenario": "knocker-ties", "names": ["Ben", "Cara", "Ana"]},
    "cannot-occur": {"rules": {"preset": "pagat"}, "scenario": "joker-makes-31"},
    "what-distinguishes": {"distinguish": [{"preset": "bicycle"}, {"preset": "widow"}]},
}

_KEPT = 1_800_000_000_000
"""When the example's replay was kept, in milliseconds since 1970; any time would do."""

_RECORD = record_of(msgspec.convert(TIED_KNOCKER, HandLog), STANDARD)
REPLAY = _RECORD.question.id
"""The id of the replay that the examples ask for."""
RULE_SET = _RECORD.question.rule_set.hex()
"""The id of its rule set."""


@contextmanager
def resources() -> Iterator[Resources]:
    """Lend resources to answer the examples with: a store that has one replay."""
    with TemporaryDirectory(prefix="thirtyone-") as folder:
        store = Store(Path(folder) / "examples.sqlite", now=lambda: _KEPT)
        try:
            store.keep([_RECORD])
            yield Resources(store)
        finally:
            store.close()
