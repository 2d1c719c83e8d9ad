"""Recognition: what tells a scenario by a hand and its ruling."""

from collections.abc import Callable

from engine.examples.scenario import Shows
from schemas.hand import Event, HandLog
from schemas.ruling import Refused, Ruling, SeatResult, Settled


def cites(*rules: str) -> Shows:
    """Return the test that a hand was settled, by all these rules."""

    def shows(_: HandLog, ruling: Ruling) -> bool:
        return isinstance(ruling, Settled) and {cited.rule for cited in ruling.citations}.issuperset(rules)

    return shows


def refused_for(rule: str) -> Shows:
    """Return the test that the last event, or the record, was refused for this rule before any other."""

    def shows(hand: HandLog, ruling: Ruling) -> bool:
        if not isinstance(ruling, Refused) or ruling.broken[0].rule != rule:
            return False
        return ruling.at in (None, len(hand.events) - 1)

    return shows


def both(*tests: Shows) -> Shows:
    """Return the test that all these tests make."""
    return lambda hand, ruling: all(test(hand, ruling) for test in tests)


def ended(by: str) -> Shows:
    """Return the test that a hand ended so, with its last event."""
    return lambda _, ruling: isinstance(ruling, Settled) and ruling.ended_by == by and not ruling.unplayed


def somebody(does: Callable[[SeatResult], bool]) -> Shows:
    """Return the test that a hand was settled, and something is true of a player's result."""
    return lambda _, ruling: isinstance(ruling, Settled) and any(does(seat) for seat in ruling.seats)


def happens(*types: type[Event]) -> Shows:
    """Return the test that events of all these types happen in a hand that was settled."""
    return lambda hand, ruling: (
        isinstance(ruling, Settled) and all(any(isinstance(event, kind) for event in hand.events) for kind in types)
    )


def begins_with(kind: type[Event]) -> Shows:
    """Return the test that the hand's first event is of this type."""
    return lambda hand, _: bool(hand.events) and isinstance(hand.events[0], kind)
