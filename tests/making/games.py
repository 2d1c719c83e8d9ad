"""Games that are played hand by hand, with a bookkeeper of their own for what is carried on."""

from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.games import Opening
from schemas.game import CarriedPlayer, CarriedShownPlayer, GameHand, GameLog, GamePlayer, GameShowdown
from schemas.hand import Deal, Hand, HandLog, KnockEnding, Player, ShowdownRecord, ShownPlayer, StockEnding
from schemas.rules import RuleSet, StockRules, WidowRules
from schemas.ruling import Ruling, Settled
from tests.making.deals import deal
from tests.making.dice import Dice
from tests.making.play import played


class Made(NamedTuple):
    """A game: how it begins, its hands complete, the same as a game has them, and what each should lead to."""

    opening: Opening
    hands: list[Hand]
    given: list[GameHand]
    rulings: list[Ruling]
    seats: list[list[int]]
    """The original seats of each hand's players."""
    sheet: list[list[int | None]]
    """What every original seat has left after each hand."""


class _Seat:
    def __init__(self, number: int, name: str, lives: int) -> None:
        self.number, self.name, self.lives = number, name, lives
        self.redeemed = False
        self.out = False


def game(dice: Dice, rules: RuleSet) -> Made:
    """Return a game of a few hands, up to its end or to a hand that does not settle."""
    count = dice.pick((2, 3, 3, 4, 5))
    lives = dice.pick((1, 2, 3, 1))
    table = [_Seat(number, f"Player {number}", lives) for number in range(1, count + 1)]
    dealer = table[dice.below(count)]
    named = tuple(GamePlayer(seat.name) for seat in table)
    made = Made(Opening(named, dealer.number, rules, lives), [], [], [], [], [])
    for _ in range(dice.pick((3, 1, 6, 12))):
        sitting = [seat for seat in table if not seat.out]
        ruled = [(hand, adjudicate(hand, rules)) for hand in (_hand(dice, rules, sitting, dealer) for _ in range(3))]
        hand, ruling = next((each for each in ruled if isinstance(each[1], Settled)), ruled[0])
        if isinstance(ruling, Settled):
            for seat, result in zip(sitting, ruling.seats, strict=True):
                seat.lives, seat.out = result.after, result.status == "out"
                seat.redeemed |= result.change == 1
        made.hands.append(hand)
        made.given.append(_said(dice, hand))
        made.rulings.append(ruling)
        made.seats.append([seat.number for seat in sitting])
        made.sheet.append([None if seat.out else seat.lives for seat in table])
        if not isinstance(ruling, Settled) or ruling.game_over:
            break
        if not ruling.play_again:
            dealer = _next(table, dealer)
    return made


def _next(table: list[_Seat], dealer: _Seat) -> _Seat:
    """Return who sits next to the dealer clockwise and is still in."""
    clockwise = table[dealer.number :] + table[: dealer.number]
    return next(seat for seat in clockwise if not seat.out)


def _hand(dice: Dice, rules: RuleSet, sitting: list[_Seat], dealer: _Seat) -> Hand:
    cards = deal(dice, rules, len(sitting))
    place = sitting.index(dealer) + 1
    if dice.chance(60):
        shown = tuple(
            ShownPlayer(seat.lives, hand, seat.name, seat.redeemed)
            for seat, hand in zip(sitting, cards.hands, strict=True)
        )
        knock = KnockEnding(1 + dice.below(len(sitting)))
        stock = StockEnding() if isinstance(rules, StockRules) and dice.chance(30) else knock
        return ShowdownRecord(shown, stock, place)
    players = tuple(Player(seat.lives, seat.name, seat.redeemed) for seat in sitting)
    widow = isinstance(rules, WidowRules)
    dealt = Deal(cards.hands, widow=cards.rest[:3]) if widow else Deal(cards.hands, cards.rest[0])
    return played(dice, HandLog(players, place, dealt, ()), rules)


def _said(dice: Dice, hand: Hand) -> GameHand:
    """Return a hand as a game has it, with some of what is carried on left out."""
    dealer = UNSET if dice.chance(50) else hand.dealer
    if isinstance(hand, HandLog):
        players = tuple(
            _told(dice, CarriedPlayer(player.lives, player.name, player.redeemed)) for player in hand.players
        )
        return GameLog(hand.deal, hand.events, dealer, UNSET if dice.chance(50) else players)
    shown = tuple(
        _told(dice, CarriedShownPlayer(player.cards, player.lives, player.name, player.redeemed))
        for player in hand.players
    )
    return GameShowdown(shown, hand.ended_by, dealer)


def _told(dice, player):
    return replace(player, **{field: UNSET for field in ("lives", "name", "redeemed") if dice.chance(50)})
