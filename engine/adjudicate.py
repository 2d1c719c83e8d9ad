"""The fold: judge a hand event by event, refuse it at the first that breaks a rule, or settle it."""

from collections.abc import Iterable
from typing import Any

from engine.acts import ACTS
from engine.claims import fate_of_31, hear_claims
from engine.clerk import Clerk
from engine.counting import count_all
from engine.deal import broken_by_deal
from engine.ending import Ending
from engine.endings import ended_by_deal
from engine.ordinary import ORDINARY
from engine.outcomes import refused, refused_record, settled, unfinished
from engine.showdown import broken_by_record, is_unclaimed, read
from engine.showing import Showing
from engine.table import Table
from schemas.hand import Event, Hand, HandLog, ShowdownRecord
from schemas.rules import RuleSet, form_class
from schemas.ruling import Citation, Refused, Ruling, Settled


def adjudicate(hand: Hand, rules: RuleSet, silent: frozenset[str] | None = frozenset()) -> Ruling:
    """Return the one ruling of a record under a rule set; every record gets one.

    `silent` names the options on which the rules' source says nothing: citations of those are not `stated`.
    None leaves `stated` out, as answers that are kept do.
    """
    clerk = Clerk(hand.players, silent)
    if isinstance(hand, ShowdownRecord):
        return _judge_record(hand, rules, clerk)
    return _judge_log(hand, rules, clerk)


def play(table: Table[Any], events: Iterable[Event]) -> Ending | Refused | None:
    """Apply events to the table; return the ending or the refusal that stops the hand, or None if it goes on."""
    form = form_class(table.rules)
    acts, play_ordinary, left = ACTS[form], ORDINARY[form], iter(events)
    while True:
        event, is_played = play_ordinary(table, left)
        if event is None:
            return None
        first_broken, change, end = acts[type(event)]
        if not is_played:
            if first_broken(table, event) is not None:
                return refused(table, event)
            change(table, event)
            table.at += 1
        if end is not None and (ending := end(table, event)) is not None:
            return ending


def conclude(table: Table[Any], stopped: Ending | Refused | None) -> Ruling:
    """Return the ruling of a hand that was stopped so, or was not; `stopped` is of no use afterwards."""
    if isinstance(stopped, Refused):
        return stopped
    if stopped is None:
        return unfinished(table)
    return settle_shown(table, table.rules, *show(table, stopped))


def show(table: Table[Any], ending: Ending) -> tuple[Showing, list[Citation]]:
    """Return what is shown at the end of a hand, after 31s that are shown then, and the citations of the values."""
    ending = hear_claims(table, ending)
    counts, citations = count_all(table.hands, table.rules, table.clerk, lambda seat: fate_of_31(table, ending, seat))
    return Showing(table.players, counts, ending, table.knocker, table.dealer, table.clerk), citations


def settle_shown(table: Table[Any], rules: RuleSet, showing: Showing, citations: list[Citation]) -> Settled:
    """Return the ruling of a hand that was shown."""
    return settled(showing, rules, citations, judged=table.at, unplayed=len(table.events) - table.at)


def _judge_log(log: HandLog, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_deal(log, rules, clerk):
        return refused_record(faults, log.deal.hands[: len(log.players)], rules, clerk)
    table = Table(log, rules, clerk)
    return conclude(table, ended_by_deal(table) or play(table, log.events))


def _judge_record(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_record(record, rules, clerk):
        hands = [player.cards for player in record.players]
        return refused_record(faults, hands, rules, clerk, lambda seat: is_unclaimed(record, rules, seat))
    showing, citations = read(record, rules, clerk)
    return settled(showing, rules, citations, judged=0, unplayed=0)
