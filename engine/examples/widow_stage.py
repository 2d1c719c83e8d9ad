"""The stage of the form with a widow: everything lies open, so that the deal alone decides what sensible players do."""

from collections.abc import Mapping, Sequence

from engine.examples.chance import Chance
from engine.examples.dealing import Wish
from engine.examples.sense import best_exchange
from engine.examples.stage import Stage, StuckError
from engine.readings import first_knock
from schemas.cards import HAND_SIZE, Card
from schemas.hand import Deal, Event, Exchange
from schemas.rules import WidowRules


class WidowStage(Stage):
    """The stage of the form with a widow of three cards."""

    rules: WidowRules

    def __init__(self, rules: WidowRules, chance: Chance, players: int) -> None:
        """Seat the players."""
        super().__init__(rules, chance, players)
        self.widow: list[Card] = []

    def deal(self, wishes: Mapping[int, Wish] | None = None, *cards: Card, dull_to: Sequence[int] = ()) -> None:
        """Deal to all, and lay out the widow: with these cards, and others that make these players' hands no better."""
        self.widow = [self.remove(card) for card in cards]
        self.wishes(wishes or {})
        while len(self.widow) < HAND_SIZE:
            self.widow.append(self.remove(self.find(lambda card: not self._helps(card, dull_to))))
        self.dealt = Deal(self.dealt_hands(), widow=tuple(self.widow))

    def turn(self, *, several: bool = False) -> None:
        """Let the player to act exchange what makes the best hand, or keep the hand on a last turn where that is best.

        Raises StuckError if no exchange makes the hand better though a knock would be allowed, or if it takes `several`
        cards and one would do.
        """
        seat = self.to_act
        most = HAND_SIZE if self.rules.exchange == "any" else 1
        left, given, taken = best_exchange(self.hands[seat], self.widow, most, self.rules)
        if left > self.value(seat) or self._must_exchange(several=several):
            if several and len(given) == 1:
                raise StuckError
            self.play(Exchange(seat, given, taken))
        elif self.knocked and not several:
            self.stand()
        else:
            raise StuckError

    def _must_exchange(self, *, several: bool) -> bool:
        """Return whether the first round has to be played, in which nobody may knock."""
        return first_knock(self.rules).waits_for_round and len(self.events) < self.players and not several

    def _helps(self, card: Card, seats: Sequence[int]) -> bool:
        return any(best_exchange(self.hands[seat], [card], 1, self.rules)[0] > self.value(seat) for seat in seats)

    def _happens(self, event: Event) -> None:
        if isinstance(event, Exchange):
            hand = self.hands[event.seat]
            for given, taken in zip(event.give, event.take, strict=False):
                hand[hand.index(given)] = taken
                self.widow[self.widow.index(taken)] = given
