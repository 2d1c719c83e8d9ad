"""The stage: a table at which a hand is made to happen, by dealing and drawing cards on purpose.

The players have sense: what they hold decides what they discard, and whether they take a discard. Only the cards are
arranged. Whether the hand that comes of it is legal, and what it costs, is for the engine to say.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import UNSET, UnsetType

from engine.examples.chance import Chance
from engine.examples.dealing import ANY, Wish, dealt
from engine.readings import claim_of_31, first_knock
from engine.valuation import worth
from schemas.cards import HAND_SIZE, Card, in_order, pack
from schemas.hand import (
    Deal,
    Declare,
    Discard,
    Event,
    Exchange,
    HandLog,
    Knock,
    Player,
    Stand,
)
from schemas.rules import RuleSet, StockRules

Names = Sequence[str | UnsetType]
"""What the players are called, from seat 1 on; one who has no name is "Seat n", like those beyond the last."""

_TRIES = 60
"""How often a hand is looked for that nobody has a card of."""
_FEW_CARDS = 20
"""Cards of which all hands can be looked through, where chance finds none."""


class StuckError(Exception):
    """The cards that are left do not allow what the script wants; other cards may."""


class Stage:
    """The table of a hand in the making: hands, piles, whose turn it is, and the events so far."""

    def __init__(self, rules: RuleSet, chance: Chance, players: int) -> None:
        """Seat the players, each with the lives that a game begins with; the last seat deals."""
        self.rules = rules
        self.chance = chance
        self.players = players
        self.lives = [rules.lives if isinstance(rules, StockRules) else 3] * players
        self.hands: dict[int, list[Card]] = {}
        self.events: list[Event] = []
        self.to_act = 1
        self.dealt = Deal(())
        in_pack = in_order(pack(rules.jokers))
        self.unseen = [card for card in chance.shuffled(in_pack) if not card.is_joker]
        """The cards that may still turn up, in the order in which they are looked at: no joker, unless it is asked for.
        """
        self.jokers = [card for card in in_pack if card.is_joker]
        self.knocked = False

    @property
    def seats(self) -> range:
        """Return all seats, in order."""
        return range(1, self.players + 1)

    @property
    def turns_before_knock(self) -> int:
        """Return how many turns are played before a knock may begin the last turns, at the least."""
        reading = first_knock(self.rules)
        if reading.waits_for_round:
            return self.players
        return 1 if reading.ends_hand else 0

    @property
    def first_knocker(self) -> int:
        """Return the seat whose turn it is after those."""
        return self.turns_before_knock % self.players + 1

    def after(self, seat: int) -> list[int]:
        """Return the other seats in turn, from the next one on."""
        return [(seat + step - 1) % self.players + 1 for step in range(1, self.players)]

    def value(self, seat: int) -> int:
        """Return what a player holds, in half points."""
        return worth(self.hands[seat], self.rules).half_points

    # Dealing

    def give(self, seat: int, cards: Iterable[Card]) -> None:
        """Deal these cards to a player; StuckError if one is gone."""
        self.hands[seat] = [self.remove(card) for card in cards]

    def remove(self, card: Card) -> Card:
        """Return a card that is used from now on; StuckError if it is used already."""
        left = self.jokers if card.is_joker else self.unseen
        if card not in left:
            raise StuckError
        left.remove(card)
        return card

    def wish(self, seat: int, wish: Wish) -> None:
        """Deal a hand of a kind to a player; StuckError if none is found."""
        for _ in range(_TRIES):
            choices = dealt(self.chance.between(wish.least, wish.greatest), self.chance.pick(wish.shapes))
            if choices:
                hand = self.chance.pick(choices)
                if all(card in self.unseen for card in hand):
                    self.give(seat, hand)
                    return
        if len(self.unseen) > _FEW_CARDS:
            raise StuckError
        fitting = next(filter(wish.fits, combinations(self.unseen, HAND_SIZE)), None)
        if fitting is None:
            raise StuckError
        self.give(seat, fitting)

    def wishes(self, wishes: Mapping[int, Wish]) -> None:
        """Deal a hand to every player who has none: of the kinds wished for first, the narrowest ahead."""
        wanted = sorted(wishes, key=lambda seat: (wishes[seat].greatest - wishes[seat].least, seat))
        for seat in (*wanted, *self.seats):
            if seat not in self.hands:
                self.wish(seat, wishes.get(seat, ANY))

    def find(self, suits: Callable[[Card], bool]) -> Card:
        """Return an unused card that suits; StuckError if there is none."""
        card = next((card for card in self.unseen if suits(card)), None)
        if card is None:
            raise StuckError
        return card

    def suited(self, suit: str, points: int) -> Card:
        """Return an unused card of a suit that counts so many points; StuckError if there is none."""
        return self.find(lambda card: card.suit == suit and card.points == points)

    def dealt_hands(self) -> tuple[tuple[Card, ...], ...]:
        """Return the hands as they are now, in seat order."""
        return tuple([tuple(self.hands[seat]) for seat in self.seats])

    # Playing

    def knock(self) -> None:
        """Let the player to act knock."""
        self.knocked = True
        self.play(Knock(self.to_act))

    def knock_if_able(self) -> None:
        """Let the player to act knock; StuckError if the hand is not good enough."""
        if self.value(self.to_act) < 2 * self.rules.minimum_knock:
            raise StuckError
        self.knock()

    def stand(self) -> None:
        """Let the player to act keep the hand without drawing."""
        self.play(Stand(self.to_act))

    def show(self, *seats: int) -> None:
        """Let players show 31, where that takes showing."""
        if not claim_of_31(self.rules).by_itself:
            self.play(*[Declare(seat) for seat in seats])

    def play(self, *events: Event) -> None:
        """Let events happen, legal or not, and see to whose turn it is."""
        for event in events:
            self._happens(event)
            if isinstance(event, Discard | Knock | Stand | Exchange):
                self.to_act = self.to_act % self.players + 1
            self.events.append(event)

    def _happens(self, event: Event) -> None:
        """See to hands and piles."""

    def record(self, names: Names) -> HandLog:
        """Return what has happened as a record, of players with these names as far as they go."""
        called: list[str | UnsetType] = [*names[: self.players], *[UNSET] * self.players]
        players = tuple([Player(lives, name) for lives, name in zip(self.lives, called, strict=False)])
        return HandLog(players, self.players, self.dealt, tuple(self.events))
