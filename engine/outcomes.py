"""The three outcomes of a record, as rulings: settled, refused, unfinished."""

from collections.abc import Callable, Iterable, Sequence

from engine.clerk import Clerk
from engine.counting import standings
from engine.grounds import grounds
from engine.legality import broken
from engine.possible import possible
from engine.pot import award_pot
from engine.rulebook import RULE_BY_ID
from engine.settlement import settle
from engine.showing import Showing
from engine.table import Table
from engine.thirty_one import lapsed
from schemas.cards import Card
from schemas.hand import Event
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation, RefusalKind, Refused, SeatStanding, Settled, Unfinished


def settled(showing: Showing, rules: RuleSet, citations: list[Citation], judged: int, unplayed: int) -> Settled:
    """Return the ruling of a hand that ended after so many judged events; `citations` are of its values."""
    follows = settle(showing, rules) if isinstance(rules, StockRules) else award_pot(showing, rules)
    return Settled(
        ended_by=showing.ending.by,
        ended_at=judged - 1 if judged else None,
        unplayed=unplayed,
        knocker=showing.knocker,
        seats=follows.results,
        pot_winners=follows.pot_winners,
        game_over=follows.game_over,
        winners=follows.winners,
        next_dealer=follows.next_dealer,
        play_again=follows.play_again,
        open_claims=() if unplayed else tuple(showing.ending.claims),
        citations=(*showing.ending.citations, *citations, *follows.citations),
        rules=rules,
    )


def unfinished(table: Table[RuleSet]) -> Unfinished:
    """Return the ruling of a log that stops before its hand is over."""
    seats, citations = _standings(table)
    return Unfinished(table.to_act, possible(table), seats, citations, table.rules)


def refused(table: Table[RuleSet], event: Event) -> Refused:
    """Return the ruling of a log with an event that breaks a rule."""
    faults = broken(table, event)
    seats, citations = _standings(table)
    return Refused(_kind_of(faults), table.at, faults, seats, (*citations, *grounds(table, event, faults)), table.rules)


def refused_record(
    faults: tuple[Citation, ...],
    hands: Sequence[Sequence[Card]],
    rules: RuleSet,
    clerk: Clerk,
    unclaimed: Callable[[int], bool] = lambda _: False,
) -> Refused:
    """Return the ruling of a record that breaks a rule by itself, before any event.

    `unclaimed` tells of a seat whether a 31 in its hand counts 30.
    """
    by_seat = dict(enumerate(hands, start=1))
    seats, citations = standings(by_seat, rules, clerk, unclaimed)
    return Refused(_kind_of(faults), None, faults, seats, citations, rules)


def _standings(table: Table[RuleSet]) -> tuple[tuple[SeatStanding, ...], tuple[Citation, ...]]:
    return standings(table.hands, table.rules, table.clerk, lambda seat: lapsed(table, seat))


def _kind_of(broken: Iterable[Citation]) -> RefusalKind:
    """Return whether a record with these broken rules contradicts itself, or was only played against a rule."""
    impossible = any(RULE_BY_ID[citation.rule].kind == "impossible" for citation in broken)
    return "impossible" if impossible else "illegal"
