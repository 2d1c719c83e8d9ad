"""Judging for a request: the ruling to answer with, and the replay to keep of it."""

from typing import Any

from api.operations import Call
from engine.adjudicate import adjudicate
from engine.presets import ResolvedRules
from engine.telling import tell
from replays.answers import judge
from replays.canonical import canonical_hand
from replays.records import Record, record
from schemas.hand import Hand
from schemas.ruling import Ruling, Unfinished, outcome_of


def judged(call: Call[Any], hand: Hand, rules: ResolvedRules) -> tuple[Ruling, Record | None]:
    """Return the ruling of a hand, and what is to be kept of it: nothing if it is unfinished, or not to be stored."""
    count = call.resources.tallies.count_ruling
    if call.query["store"] != "true":
        ruling = adjudicate(hand, rules.rules, rules.silent)
        count(outcome_of(ruling))
        return ruling, None
    canonical = canonical_hand(hand)
    ruling = judge(canonical, rules.rules)
    count(outcome_of(ruling))
    kept = None if isinstance(ruling, Unfinished) else record(canonical, rules.rules, ruling)
    return tell(ruling, hand.players, rules.silent), kept
