"""Legal logs: hands that are played by asking the engine what may happen next."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from engine.ending import Ending
from engine.table import Table
from engine.valuation import makes_31, worth
from schemas.cards import Card, in_order
from schemas.hand import (
    Deal,
    Declare,
    Discard,
    DrawStock,
    Event,
    Exchange,
    HandLog,
    Knock,
    Player,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.rules import RuleSet, WidowRules
from tests.making.deals import deal, lives_of_players, number_of_players, redeemed
from tests.making.dice import Dice
from tests.making.referee import Referee

_LIMITS = (0, 2, 5, 12, *[150] * 16)
"""Numbers of events after which a record breaks off; most hands end before that by themselves."""


def dealt(dice: Dice, rules: RuleSet) -> HandLog:
    """Return a log that has nothing but its deal."""
    players = number_of_players(dice, rules)
    lives = lives_of_players(dice, rules, players)
    cards = deal(dice, rules, players)
    if isinstance(rules, WidowRules):
        what = Deal(cards.hands, widow=cards.rest[:3])
    elif dice.chance(30):
        what = Deal(cards.hands, cards.rest[0], stock=cards.rest[1:])
    else:
        what = Deal(cards.hands, cards.rest[0])
    seated = tuple(Player(left, redeemed=redeemed(dice)) for left in lives)
    return HandLog(seated, 1 + dice.below(players), what, ())


class Temper(NamedTuple):
    """How the players of a hand play, in percent or in words."""

    knocks: int
    shows_31: int
    stands: int
    takes_discard: int
    finds_31: int
    discards: str


def _temper(dice: Dice) -> Temper:
    return Temper(
        knocks=dice.pick((30, 10, 60, 3, 0, 95)),
        shows_31=dice.pick((100, 100, 60, 0)),
        stands=dice.pick((60, 10, 95)),
        takes_discard=dice.pick((30, 5, 70)),
        finds_31=dice.pick((0, 5, 50)),
        discards=dice.pick(("best left", "best left", "drawn", "any")),
    )


def played(dice: Dice, log: HandLog, rules: RuleSet) -> HandLog:
    """Return the log with legal events, most often to the end of the hand, and now and then beyond it."""
    referee = _play(dice, Referee(log, rules), _temper(dice), dice.pick(_LIMITS))
    beyond = _after_the_end(dice, referee.table, referee.ending) if referee.ending else []
    return replace(log, events=(*referee.events, *beyond))


def overreached(dice: Dice, log: HandLog, rules: RuleSet) -> HandLog:
    """Return the log with a few legal events and a last one that somebody is tempted to, legal or not."""
    temper = _temper(dice)._replace(shows_31=dice.pick((0, 0, 100)))
    referee = _play(dice, Referee(log, rules), temper, dice.pick((*range(10), 12, 15, 20)))
    table = referee.table
    seat, hand = table.to_act, table.hands[table.to_act]
    shown = [Declare(holder) for holder in table.seats if makes_31(table.hands[holder])]
    tempting = (
        *(Knock(seat), Stand(seat), Reshuffle(), TakeDiscard(seat), Discard(seat, hand[-1])),
        *(DrawStock(seat, card) for card in in_order(table.unseen)[:1]),
        *shown * 4,
    )
    return replace(log, events=(*referee.events, dice.pick(tempting)))


def _play(dice: Dice, referee: Referee, temper: Temper, limit: int) -> Referee:
    """Let legal events happen until the hand is over or there are so many."""
    while referee.ending is None and len(referee.events) < limit:
        wishes = _wishes(dice, referee.table, temper)
        event = next((event for event in wishes if referee.allows(event)), None)
        if event is None:
            break
        referee.play(event)
    return referee


def _wishes(dice: Dice, table: Table[RuleSet], temper: Temper) -> Iterator[Event]:
    """Yield the events that somebody at the table would like now, legal or not, the first choice first."""
    seat = table.to_act
    yield from _shown_31s(dice, table, temper)
    if table.drawn:
        yield from (Discard(seat, card) for card in _discards(dice, table, temper))
    if dice.chance(temper.knocks):
        yield Knock(seat)
    if dice.chance(temper.stands):
        yield Stand(seat)
    if isinstance(table.rules, WidowRules):
        yield _exchange(dice, table, table.rules, temper)
    elif table.stock_left:
        if dice.chance(temper.takes_discard):
            yield _take(dice, table)
        yield _draw(dice, table, temper)
    elif dice.chance(90):
        yield Reshuffle(tuple(dice.shuffled(table.pile[:-1])) if dice.chance(50) else UNSET)
    yield _take(dice, table)
    yield Knock(seat)
    yield Stand(seat)


def _shown_31s(dice: Dice, table: Table[RuleSet], temper: Temper) -> Iterator[Declare]:
    """Yield the 31s that are shown; where showing one changes nothing, not for ever."""
    shown_before = bool(table.events) and isinstance(table.events[-1], Declare)
    if dice.chance(20 if shown_before else temper.shows_31):
        yield from (Declare(seat) for seat in dice.shuffled(table.seats) if makes_31(table.hands[seat]))


def _take(dice: Dice, table: Table[RuleSet]) -> TakeDiscard:
    return TakeDiscard(table.to_act, table.pile[-1] if table.pile and dice.chance(30) else UNSET)


def _draw(dice: Dice, table: Table[RuleSet], temper: Temper) -> DrawStock:
    seat = table.to_act
    if table.stock is not None:
        return DrawStock(seat, table.stock[-1]) if dice.chance(50) else DrawStock(seat)
    unseen = in_order(table.unseen)
    lucky: list[Card] = []
    if dice.chance(temper.finds_31):
        lucky = [card for card in unseen if _completing_31(table.hands[seat], card)]
    return DrawStock(seat, dice.pick(lucky or unseen))


def _discards(dice: Dice, table: Table[RuleSet], temper: Temper) -> list[Card]:
    """Return the cards in hand, the one that the player would rather discard first."""
    hand = table.hands[table.to_act]
    if temper.discards == "drawn":
        return hand[::-1]
    if temper.discards == "best left" and not dice.chance(15):
        return sorted(hand, key=lambda card: -worth(_without(hand, card), table.rules).half_points)
    return dice.shuffled(hand)


def _exchange(dice: Dice, table: Table[RuleSet], rules: WidowRules, temper: Temper) -> Exchange:
    seat, hand = table.to_act, table.hands[table.to_act]
    if dice.chance(temper.finds_31):
        pairs = ((given, taken) for given in hand for taken in table.widow)
        lucky = [pair for pair in pairs if makes_31([*_without(hand, pair[0]), pair[1]])]
        if lucky:
            given, taken = dice.pick(lucky)
            return Exchange(seat, (given,), (taken,))
    count = 1 if rules.exchange == "one" else dice.pick((1, 2, 3))
    return Exchange(seat, tuple(dice.some(hand, count)), tuple(dice.some(table.widow, count)))


def _after_the_end(dice: Dice, table: Table[RuleSet], ending: Ending) -> list[Event]:
    """Return 31s that join, 31s that cannot, and other events that nobody will judge."""
    events: list[Event] = []
    while dice.chance(60) and len(events) < 6:
        able = [*ending.claims, *(ending.holders if ending.by_itself else ())]
        holders = [seat for seat in table.seats if makes_31(table.hands[seat])]
        who = dice.pick((able, able, able, holders, table.seats)) or table.seats
        seat = dice.pick(who)
        events.append(dice.pick((Declare(seat), Declare(seat), Declare(seat), Knock(seat), TakeDiscard(seat))))
    return events


def _completing_31(hand: Sequence[Card], drawn: Card) -> bool:
    return any(makes_31([*_without(hand, given), drawn]) for given in hand)


def _without(hand: Sequence[Card], card: Card) -> list[Card]:
    return [held for held in hand if held is not card]
