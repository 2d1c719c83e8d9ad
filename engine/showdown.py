"""The showdown record: settled as it says that the hand ended."""

from collections.abc import Iterator

from msgspec import UNSET

from engine import rulebook
from engine.clerk import Clerk
from engine.counting import Fate, count_all
from engine.deal import broken_by_cards, broken_by_table
from engine.ending import Ending
from engine.readings import claim_of_31, empty_stock, first_knock, is_only_top_hand
from engine.showing import Showing
from engine.valuation import Worth, makes_31, worth_now
from engine.wording import counted, points
from schemas.hand import DeclareEnding, FirstKnockEnding, KnockEnding, Seat, ShowdownRecord, StockEnding
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Citation


def read(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> tuple[Showing, list[Citation]]:
    """Return what a sound record shows, and the citations of what the hands count."""
    knocker = _knocker(record)
    ending = _ending(record, rules, clerk)
    if ending.by == "thirty_one" and knocker in ending.holders and claim_of_31(rules).by_itself:
        knocker = None
    counts, citations = _counts(record, rules, clerk)
    dealer = None if record.dealer is UNSET else record.dealer
    return Showing(record.players, counts, ending, knocker, dealer, clerk), citations


def broken_by_record(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> tuple[Citation, ...]:
    """Return a citation for every rule that the record breaks."""
    return tuple(_broken_by_record(record, rules, clerk))


def is_unclaimed(record: ShowdownRecord, rules: RuleSet, seat: int) -> bool:
    """Return whether a 31 in this hand was not shown in time, so that it counts 30."""
    return _fate(record, rules, seat) == "unclaimed"


def _broken_by_record(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    players = len(record.players)
    if players == 1:
        yield clerk.cite(rulebook.PLAYERS, why="a showdown needs two players")
    dealer = None if record.dealer is UNSET else record.dealer
    yield from broken_by_table(record.players, dealer, rules, clerk)
    cards = [card for player in record.players for card in player.cards]
    yield from broken_by_cards(cards, rules, clerk)
    knocker = _knocker(record)
    for seat in sorted({*_declared(record), *([] if knocker is None else [knocker])}):
        if seat > players:
            yield clerk.cite(rulebook.SEAT, seat=seat, count=counted(players, "player"))
    for seat in _declared(record):
        if seat <= players and not makes_31(record.players[seat - 1].cards):
            yield clerk.cite(rulebook.NOT_31, seat, player=clerk.name(seat))
    if knocker is not None and knocker <= players:
        yield from _broken_by_minimum(record, knocker, rules, clerk)
    if isinstance(record.ended_by, FirstKnockEnding):
        yield from _broken_by_first_knock(record, record.ended_by.seat, rules, clerk)
    if isinstance(record.ended_by, StockEnding):
        yield from _broken_by_stock(rules, clerk)


def _broken_by_minimum(record: ShowdownRecord, knocker: int, rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    counts = _worth(record, knocker, rules)
    if counts.half_points / 2 < rules.minimum_knock:
        yield clerk.cite(
            rulebook.BELOW_MINIMUM,
            knocker,
            player=clerk.name(knocker),
            points=points(counts.half_points),
            minimum=rules.minimum_knock,
        )


def _broken_by_first_knock(record: ShowdownRecord, knocker: int, rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    player, players = clerk.name(knocker), len(record.players)
    if not first_knock(rules).ends_hand:
        why = "a first-turn knock does not end the hand"
        yield clerk.cite(rulebook.FIRST_ROUND, knocker, player=player, why=why)
    elif record.dealer is not UNSET and record.dealer <= players and knocker != record.dealer % players + 1:
        why = "only the first player can end the hand by a first-turn knock"
        yield clerk.cite(rulebook.FIRST_ROUND, knocker, option=None, player=player, why=why)


def _broken_by_stock(rules: RuleSet, clerk: Clerk) -> Iterator[Citation]:
    if isinstance(rules, WidowRules):
        yield clerk.cite(rulebook.OTHER_FORM, what="A hand that ended with the stock", form="widow")
    elif empty_stock(rules).then == "refill":
        why = "the hand cannot end with the stock where the discards refill it"
        yield clerk.cite(rulebook.RESHUFFLE, option="stock_exhausted", why=why)


def _ending(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> Ending:
    """Return how the record says that the hand ended, as these rules see it."""
    knocker = _knocker(record)
    holders = _effective_holders(record, rules)
    if holders:
        return Ending("thirty_one", _cite_31s(record, rules, holders, clerk), holders)
    if knocker is not None:
        first = isinstance(record.ended_by, FirstKnockEnding)
        rule = rulebook.FIRST_KNOCK if first else rulebook.RECORDED_KNOCK
        cited = clerk.cite(rule, knocker, knocker=clerk.name(knocker))
        return Ending("first_knock" if first else "knock", [cited])
    compared = isinstance(rules, StockRules) and empty_stock(rules).hands_are_compared
    cited = clerk.cite(rulebook.STOCK_SHOWDOWN if compared else rulebook.STOCK_NO_LOSER)
    return Ending("stock_exhausted", [cited])


def _effective_holders(record: ShowdownRecord, rules: RuleSet) -> list[int]:
    """Return the seats whose 31 ended the hand: those who showed it, or all where it takes effect by itself."""
    knocker = _knocker(record)
    if claim_of_31(rules).by_itself:
        holders = _all_31s(record)
        waited = isinstance(record.ended_by, FirstKnockEnding)
        if (waited or _only_top_hand(record, rules)) and knocker not in holders:
            return []
        return holders
    return [] if _only_top_hand(record, rules) else _declared(record)


def _cite_31s(record: ShowdownRecord, rules: RuleSet, holders: list[int], clerk: Clerk) -> list[Citation]:
    knocker, players = _knocker(record), clerk.names(holders)
    if isinstance(rules, WidowRules):
        rule = rulebook.SHOWED_31 if knocker is None else rulebook.WINS_AT_ONCE
        return [clerk.cite(rule, *holders, player=players)]
    if claim_of_31(rules).by_itself:
        citations = [clerk.cite(rulebook.HELD_31, *holders, players=players)]
        after_knock = knocker is not None and knocker not in holders
    else:
        citations = [clerk.cite(rulebook.SHOWED_31, *holders, player=players)]
        after_knock = knocker is not None
    if after_knock and knocker is not None:
        citations.append(clerk.cite(rulebook.ENDS_AFTER_KNOCK, knocker, knocker=clerk.name(knocker)))
    return citations


def _counts(record: ShowdownRecord, rules: RuleSet, clerk: Clerk) -> tuple[dict[int, Worth], list[Citation]]:
    hands = {seat: player.cards for seat, player in enumerate(record.players, start=1)}
    return count_all(hands, rules, clerk, lambda seat: _fate(record, rules, seat))


def _worth(record: ShowdownRecord, seat: int, rules: RuleSet) -> Worth:
    return worth_now(record.players[seat - 1].cards, rules, lambda: is_unclaimed(record, rules, seat))


def _fate(record: ShowdownRecord, rules: RuleSet, seat: int) -> Fate:
    """Return what becomes of a 31 in this hand."""
    if not claim_of_31(rules).lapses or seat in _declared(record):
        return "counts"
    knocker = _knocker(record)
    if isinstance(record.ended_by, FirstKnockEnding):
        return "unclaimed" if seat == knocker else "never_late"
    unclaimed = record.players[seat - 1].unclaimed_31 or seat == knocker
    return "top_hand" if _only_top_hand(record, rules) and not unclaimed else "unclaimed"


def _knocker(record: ShowdownRecord) -> Seat | None:
    match record.ended_by:
        case KnockEnding(seat) | FirstKnockEnding(seat):
            return seat
        case DeclareEnding(_, knocker) if knocker is not UNSET:
            return knocker
        case _:
            return None


def _declared(record: ShowdownRecord) -> list[int]:
    """Return the seats that showed a 31, each once, in order."""
    return sorted(set(record.ended_by.seats)) if isinstance(record.ended_by, DeclareEnding) else []


def _all_31s(record: ShowdownRecord) -> list[int]:
    return [seat for seat, player in enumerate(record.players, start=1) if makes_31(player.cards)]


def _only_top_hand(record: ShowdownRecord, rules: RuleSet) -> bool:
    """Return whether a 31 of another player than the knocker did not end the hand."""
    if isinstance(record.ended_by, FirstKnockEnding) or _knocker(record) is None:
        return False
    return is_only_top_hand(rules, knocked=True)
