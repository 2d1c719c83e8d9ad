"""The stage of the form with a stock and a discard pile: the cards that are drawn can be chosen."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.examples.chance import Chance
from engine.examples.dealing import Wish
from engine.examples.sense import best_discard, improves
from engine.examples.stage import Stage, StuckError
from engine.readings import empty_stock
from engine.valuation import THIRTY_ONE
from schemas.cards import Card, pack
from schemas.hand import Deal, Discard, DrawStock, Event, Reshuffle, TakeDiscard
from schemas.rules import StockRules


class Drawn(NamedTuple):
    """A turn that could be: what it leaves the player, in half points, the card drawn and the card discarded."""

    left: int
    card: Card
    discard: Card


Aim = Callable[[Drawn], bool]
"""Whether a turn is as the script wants it."""


def within(least: float, greatest: float) -> Aim:
    """Return the aim to hold a hand in a range of points after the turn."""
    return lambda drawn: 2 * least <= drawn.left <= 2 * greatest


def short_of_31(drawn: Drawn) -> bool:
    """Return whether the turn leaves less than 31, which the player would show."""
    return drawn.left < THIRTY_ONE


def thrown_back(drawn: Drawn) -> bool:
    """Return whether the drawn card is thrown away again."""
    return drawn.card is drawn.discard


class StockStage(Stage):
    """The stage of the form with a stock and a discard pile."""

    rules: StockRules

    def __init__(self, rules: StockRules, chance: Chance, players: int) -> None:
        """Seat the players."""
        super().__init__(rules, chance, players)
        self.pile: list[Card] = []
        self.stock = 0

    def deal(
        self,
        wishes: Mapping[int, Wish] | None = None,
        upcard: Card | None = None,
        watching: Sequence[int] = (1, 2),
    ) -> None:
        """Deal to all, and turn up a card: this one, or one that nobody wants of those who watch."""
        self.wishes(wishes or {})
        hands = [self.hands[seat] for seat in watching if seat in self.hands]
        dull = upcard or self.find(lambda card: not any(improves(hand, card, self.rules) for hand in hands))
        self.pile = [self.remove(dull)]
        self.stock = len(pack(self.rules.jokers)) - 3 * self.players - 1
        self.dealt = Deal(self.dealt_hands(), dull)

    # Playing

    def turn(self, aim: Aim = short_of_31) -> None:
        """Let the player to act take a turn that suits the aim; StuckError if no card makes it so.

        The top discard is taken if it makes the hand better. Otherwise a card is drawn, if possible one whose discard
        the next player does not want.
        """
        if self._wants_discard(self.to_act):
            self.take(aim)
        elif self.stock:
            self.draw(aim)
        elif empty_stock(self.rules).then == "refill" and len(self.pile) > 1:
            self.reshuffle()
            self.draw(aim)
        elif self.knocked and aim(Drawn(self.value(self.to_act), self.pile[-1], self.pile[-1])):
            self.stand()
        else:
            raise StuckError

    def draw(self, aim: Aim) -> None:
        """Let the player to act draw a card that suits the aim, and discard what is least use."""
        seat = self.to_act
        hand, following = self.hands[seat], self.hands[seat % self.players + 1]
        second_best = None
        for card in self.unseen:
            left, discard = best_discard([*hand, card], self.rules)
            drawn = Drawn(left, card, discard)
            if aim(drawn):
                if not improves(following, drawn.discard, self.rules):
                    break
                second_best = second_best or drawn
        else:
            if second_best is None:
                raise StuckError
            drawn = second_best
        self.play(DrawStock(seat, drawn.card), Discard(seat, drawn.discard))

    def take(self, aim: Aim) -> None:
        """Let the player to act take the top discard, which has to suit the aim."""
        seat, card = self.to_act, self.pile[-1]
        left, discard = best_discard([*self.hands[seat], card], self.rules, kept=card)
        if not aim(Drawn(left, card, discard)):
            raise StuckError
        self.play(TakeDiscard(seat), Discard(seat, discard))

    def wait(self, turns: int) -> None:
        """Let so many turns pass in which the drawn card is thrown away."""
        for _ in range(turns):
            if not self.stock or self._wants_discard(self.to_act):
                raise StuckError
            self.draw(thrown_back)

    def reshuffle(self) -> None:
        """Make the discards but the top one the stock."""
        self.play(Reshuffle())

    def _happens(self, event: Event) -> None:
        match event:
            case DrawStock(seat, Card() as card):
                self.hands[seat].append(self.remove(card))
                self.stock -= 1
            case TakeDiscard(seat):
                self.hands[seat].append(self.pile.pop())
            case Discard(seat, card):
                self.hands[seat].remove(card)
                self.pile.append(card)
            case Reshuffle():
                self.unseen = self.chance.shuffled(self.pile[:-1])
                self.stock, self.pile = len(self.unseen), self.pile[-1:]
            case _:
                pass

    def _wants_discard(self, seat: int) -> bool:
        return bool(self.pile) and improves(self.hands[seat], self.pile[-1], self.rules)
