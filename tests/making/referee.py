"""The engine's own table, played one event at a time, so that a log can grow without being judged anew."""

from engine.clerk import Clerk
from engine.ending import Ending
from engine.endings import ENDINGS, ended_by_deal
from engine.legality import broken
from engine.table import Table
from engine.transitions import CHANGES
from schemas.hand import Event, HandLog
from schemas.rules import RuleSet


class Referee:
    """A hand after the deal, whose events of the log are not yet played."""

    table: Table[RuleSet]
    events: list[Event]
    ending: Ending | None
    """How the hand ended, once it has."""

    def __init__(self, log: HandLog, rules: RuleSet) -> None:
        self.table = Table(log, rules, Clerk(log.players, frozenset()))
        self.table.events = self.events = []
        self.ending = ended_by_deal(self.table)

    def allows(self, event: Event) -> bool:
        """Return whether an event is legal now."""
        return not broken(self.table, event)

    def play(self, event: Event) -> None:
        """Let a legal event happen."""
        self.events.append(event)
        CHANGES[type(event)](self.table, event)
        self.table.at += 1
        if end := ENDINGS.get(type(event)):
            self.ending = end(self.table, event)
