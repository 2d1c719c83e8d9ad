"""The worked examples of a sheet."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from api.examples import TIED_KNOCKER
from api.sheets.content import plain
from engine.adjudicate import adjudicate
from engine.presets import RuleChoice, resolve
from schemas.examples import Passage, Story
from schemas.hand import HandLog
from schemas.ruling import Settled

_HAND = msgspec.convert(TIED_KNOCKER, HandLog)


def stories_of(choice: RuleChoice, seed: int, names: Sequence[str] = ()) -> tuple[Story, ...]:
    """Return the worked examples of the rules that a choice names, with these names as far as there are enough."""
    del seed
    called = [plain(name) or f"Seat {seat}" for seat, name in enumerate(names, start=1)]
    players = [replace(player, name=name) for player, name in zip(_HAND.players, called, strict=False)]
    hand = replace(_HAND, players=(*players, *_HAND.players[len(players) :]))
    resolved = resolve(choice)
    ruling = adjudicate(hand, resolved.rules, resolved.silent)
    if not isinstance(ruling, Settled):
        return ()
    says = tuple(citation.says for citation in ruling.citations)
    passages = (Passage(f"{hand.players[0].name} knocks at once. In the end:", says),)
    return (Story("knocker-ties", "A knock, and what comes of it", hand, ruling, passages),)
