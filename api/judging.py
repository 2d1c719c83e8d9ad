"""Judging for a request: the ruling to answer with, and the replay to keep of it."""

from engine.adjudicate import adjudicate
from engine.presets import ResolvedRules
from engine.telling import tell
from replays.answers import judge
from replays.canonical import canonical_hand
from replays.records import Record, record
from schemas.hand import Hand
from schemas.ruling import Ruling, Unfinished


def judged(hand: Hand, rules: ResolvedRules, *, store: bool) -> tuple[Ruling, Record | None]:
    """Return the ruling of a hand, and what is to be kept of it: nothing if it is unfinished, or not to be stored."""
    if not store:
        return adjudicate(hand, rules.rules, rules.silent), None
    canonical = canonical_hand(hand)
    ruling = judge(canonical, rules.rules)
    kept = None if isinstance(ruling, Unfinished) else record(canonical, rules.rules, ruling)
    return tell(ruling, hand.players, rules.silent), kept
