"""The fold: judge a hand event by event, refuse it at the first that breaks a rule, or settle it."""

from collections.abc import Sequence

from engine.acts import ACTS
from engine.counting import count_all, standings
from engine.deal import broken_by_deal
from engine.endings import ended_by_deal, fate_of_31, hear_claims
from engine.grounds import grounds
from engine.legality import broken
from engine.possible import possible
from engine.pot import award_pot
from engine.rulebook import Clerk, kind_of
from engine.settlement import Showing, settle
from engine.showdown import broken_by_record, read
from engine.table import Table
from engine.thirty_one import lapsed
from schemas.cards import Card
from schemas.hand import Event, Hand, HandLog, ShowdownRecord
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation, Refused, Ruling, SeatStanding, Settled, Unfinished


def adjudicate(hand: Hand, rules: RuleSet, silent: frozenset[str] = frozenset()) -> Ruling:
    """Return the one ruling of a record under a rule set; every record gets one.

    `silent` names the options on which the rules' source says nothing: citations of those are not `stated`.
    """
    clerk = Clerk(hand.players, silent)
    if isinstance(hand, ShowdownRecord):
        return _judge_record(hand, rules, clerk)
    return _judge_log(hand, rules, clerk)


def _judge_log(log: HandLog, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_deal(log, rules, clerk):
        return _refuse_record(faults, log.deal.hands[: len(log.players)], rules, clerk)
    table = Table(log, rules, clerk)
    ending = ended_by_deal(table)
    acts = ACTS[type(rules)]
    for event in log.events:
        if ending is not None:
            break
        needs, change, ends = acts[type(event)]
        for need in needs:
            if need(table, event) is not None:
                return _refuse(table, event)
        change(table, event)
        table.at += 1
        if ends is not None:
            ending = ends(table, event)
    if ending is None:
        return _unfinished(table)
    ending = hear_claims(table, ending, log.events)
    counts, citations = count_all(table.hands, rules, clerk, lambda seat: fate_of_31(table, ending, seat))
    showing = Showing(log.players, counts, ending, table.knocker, log.dealer, clerk)
    return _settle(showing, rules, citations, judged=table.at, unplayed=len(log.events) - table.at)


def _judge_record(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> Ruling:
    if faults := broken_by_record(record, rules, clerk):
        return _refuse_record(faults, [player.cards for player in record.players], rules, clerk)
    showing, citations = read(record, rules, clerk)
    return _settle(showing, rules, citations, judged=0, unplayed=0)


def _settle(
    showing: Showing, rules: RuleSet, citations: list[Citation], judged: int, unplayed: int
) -> Settled:
    outcome = settle(showing, rules) if isinstance(rules, StockRules) else award_pot(showing, rules)
    return Settled(
        ended_by=showing.ending.by,
        ended_at=judged - 1 if judged else None,
        unplayed=unplayed,
        knocker=showing.knocker,
        seats=outcome.results,
        pot_winners=outcome.pot_winners,
        game_over=outcome.game_over,
        winners=outcome.winners,
        next_dealer=outcome.next_dealer,
        play_again=outcome.play_again,
        open_claims=() if unplayed else tuple(showing.ending.claims),
        citations=(*showing.ending.citations, *citations, *outcome.citations),
        rules=rules,
    )


def _unfinished(table: Table) -> Unfinished:
    seats, citations = _standings(table)
    return Unfinished(table.to_act, possible(table), seats, citations, table.rules)


def _refuse(table: Table, event: Event) -> Refused:
    faults = broken(table, event)
    seats, citations = _standings(table)
    citations += tuple(grounds(table, event, faults))
    return Refused(kind_of(faults), table.at, faults, seats, citations, table.rules)


def _refuse_record(
    faults: tuple[Citation, ...], hands: Sequence[Sequence[Card]], rules: RuleSet, clerk: Clerk
) -> Refused:
    by_seat = dict(enumerate(hands, start=1))
    seats, citations = standings(by_seat, rules, clerk, lambda _: False)
    return Refused(kind_of(faults), None, faults, seats, citations, rules)


def _standings(table: Table) -> tuple[tuple[SeatStanding, ...], tuple[Citation, ...]]:
    return standings(table.hands, table.rules, table.clerk, lambda seat: lapsed(table, seat))
