"""Showdown records, sound and unsound, and records that follow nothing but the schema."""

from msgspec import UNSET
from msgspec.structs import replace

from engine.valuation import makes_31
from schemas.cards import Card
from schemas.hand import (
    Deal,
    DeclareEnding,
    Ending,
    FirstKnockEnding,
    Hand,
    HandLog,
    KnockEnding,
    Player,
    ShowdownRecord,
    ShownPlayer,
    StockEnding,
)
from schemas.rules import RuleSet
from tests.making.damage import any_card, any_cards, any_event
from tests.making.deals import MOST_PLAYERS, lives_of_players, number_of_players, redeemed
from tests.making.deals import deal as deal_cards
from tests.making.dice import Dice
from tests.making.play import dealt


def showdown(dice: Dice, rules: RuleSet) -> ShowdownRecord:
    """Return a record of how a hand ended, which now and then contradicts itself or the rules."""
    count = number_of_players(dice, rules) if dice.chance(10) else dice.pick((2, 3, 3, 4, 5, 9))
    lives = lives_of_players(dice, rules, count)
    dealer = 1 + dice.below(count)
    cards = deal_cards(dice, rules, count)
    ended_by = _ending(dice, cards.hands, dealer)
    players = tuple(
        ShownPlayer(left, hand, redeemed=redeemed(dice), unclaimed_31=makes_31(hand) and dice.chance(40))
        for left, hand in zip(lives, cards.hands, strict=True)
    )
    if dice.chance(10):
        dealer = 1 + dice.below(MOST_PLAYERS)
    return ShowdownRecord(players, ended_by, dealer=UNSET if dice.chance(20) else dealer)


def _ending(dice: Dice, hands: tuple[tuple[Card, ...], ...], dealer: int) -> Ending:
    seats = range(1, len(hands) + 1)
    holders = [seat for seat in seats if makes_31(hands[seat - 1])]
    seat = 1 + dice.below(MOST_PLAYERS if dice.chance(5) else len(hands))
    if holders and dice.chance(60):
        shown = tuple(dice.some(holders, 1 + dice.below(len(holders))))
        return DeclareEnding(shown, seat if dice.chance(50) else UNSET)
    first = dealer % len(hands) + 1
    return dice.pick(
        (
            KnockEnding(seat),
            KnockEnding(seat),
            StockEnding(),
            FirstKnockEnding(first),
            FirstKnockEnding(first if dice.chance(70) else seat),
            DeclareEnding((seat,), UNSET),
        )
    )


def wild(dice: Dice, rules: RuleSet) -> Hand:
    """Return any record that can be decoded: any events after a sound deal, or nonsense throughout."""
    if dice.chance(50):
        log = dealt(dice, rules)
        seats = len(log.players)
        return replace(log, events=tuple(any_event(dice, seats) for _ in range(dice.below(8))))
    return _nonsense(dice)


def _nonsense(dice: Dice) -> Hand:
    count = 1 + dice.below(MOST_PLAYERS)
    seats = tuple(1 + dice.below(MOST_PLAYERS) for _ in range(1 + dice.below(4)))
    if dice.chance(40):
        shown = tuple(ShownPlayer(dice.below(100), _three_cards(dice)) for _ in range(count))
        knocker = dice.pick((UNSET, seats[0]))
        endings = (
            StockEnding(),
            KnockEnding(seats[0]),
            FirstKnockEnding(seats[0]),
            DeclareEnding(seats, knocker),
        )
        return ShowdownRecord(shown, dice.pick(endings), dealer=dice.pick((UNSET, seats[-1])))
    players = tuple(Player(dice.below(100), redeemed=redeemed(dice)) for _ in range(count))
    deal = Deal(
        tuple(_three_cards(dice) for _ in range(dice.pick((count, count, dice.below(19))))),
        dice.pick((UNSET, any_card(dice))),
        dice.pick((UNSET, UNSET, _three_cards(dice))),
        dice.pick((UNSET, UNSET, any_cards(dice, 54))),
    )
    return HandLog(players, seats[0], deal, tuple(any_event(dice) for _ in range(dice.below(8))))


def _three_cards(dice: Dice) -> tuple[Card, ...]:
    return tuple(any_card(dice) for _ in range(3))
