"""The fold: judge a hand event by event, refuse it at the first that breaks a rule, or settle it."""

from engine.acts import ACTS
from engine.claims import fate_of_31, hear_claims
from engine.clerk import Clerk
from engine.counting import count_all
from engine.deal import broken_by_deal
from engine.endings import ended_by_deal
from engine.outcomes import refused, refused_record, settled, unfinished
from engine.showdown import broken_by_record, is_unclaimed, read
from engine.showing import Showing
from engine.table import Table
from schemas.hand import Hand, HandLog, ShowdownRecord
from schemas.rules import RuleSet
from schemas.ruling import Ruling


def adjudicate(hand: Hand, rules: RuleSet, silent: frozenset[str] | None = frozenset()) -> Ruling:
    """Return the one ruling of a record under a rule set; every record gets one.

    `silent` names the options on which the rules' source says nothing: citations of those are not `stated`.
    None leaves `stated` out, as answers that are kept do.
    """
    clerk = Clerk(hand.players, silent)
    if isinstance(hand, ShowdownRecord):
        return _judge_record(hand, rules, clerk)
    return _judge_log(hand, rules, clerk)


def _judge_log(log: HandLog, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_deal(log, rules, clerk):
        return refused_record(faults, log.deal.hands[: len(log.players)], rules, clerk)
    table = Table(log, rules, clerk)
    ending = ended_by_deal(table)
    acts = ACTS[type(rules)]
    for event in () if ending else log.events:
        is_plain, first_broken, change, end = acts[type(event)]
        if not is_plain(table, event) and first_broken(table, event) is not None:
            return refused(table, event)
        change(table, event)
        table.at += 1
        if end is not None and (ending := end(table, event)) is not None:
            break
    if ending is None:
        return unfinished(table)
    ending = hear_claims(table, ending)
    counts, citations = count_all(table.hands, rules, clerk, lambda seat: fate_of_31(table, ending, seat))
    showing = Showing(log.players, counts, ending, table.knocker, log.dealer, clerk)
    return settled(showing, rules, citations, judged=table.at, unplayed=len(log.events) - table.at)


def _judge_record(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_record(record, rules, clerk):
        hands = [player.cards for player in record.players]
        return refused_record(faults, hands, rules, clerk, lambda seat: is_unclaimed(record, rules, seat))
    showing, citations = read(record, rules, clerk)
    return settled(showing, rules, citations, judged=0, unplayed=0)
