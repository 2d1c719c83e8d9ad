"""Dealing a hand that is to be entered turn by turn: who sits where, the dealt cards, and what is still missing."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.desk.book import Book
from api.desk.forms import Form
from api.desk.settling import player_of
from api.desk.table import Table, read_hand, table_of
from api.desk.words import name_of, words
from engine.wording import listed
from schemas.cards import HAND_SIZE, Card, in_order
from schemas.hand import Deal, HandLog, Player
from schemas.rules import form_of


class Dealing(Struct, frozen=True):
    """A deal as far as it is put in."""

    table: Table
    dealer: int
    middle: tuple[Card, ...]
    """The upcard, or the widow."""
    strange: tuple[str, ...]
    """What was typed for it that is no card."""
    has_widow: bool

    @property
    def wanted(self) -> int:
        """Return how many cards belong in the middle."""
        return HAND_SIZE if self.has_widow else 1

    @property
    def room(self) -> int:
        """Return how many cards there are still to put in the middle."""
        return max(self.wanted - len(self.middle), 0)

    @property
    def is_open(self) -> bool:
        """Return whether a card is still to be dealt."""
        return bool(self.table.at or self.room)

    @property
    def used(self) -> frozenset[Card]:
        """Return the cards that are dealt."""
        return self.table.used | {*self.middle}

    @property
    def says_next(self) -> str:
        """Return a sentence on where the next card goes that is tapped."""
        say = words()
        if self.table.at:
            return say["settle"]["pack_for"].format(player=player_of(self.table.places[self.table.at - 1]))
        if not self.room:
            return say["replay"]["all_dealt"]
        return say["replay"]["tap_widow" if self.has_widow else "tap_upcard"]

    @property
    def twice(self) -> tuple[Card, ...]:
        """Return the cards that are in two places."""
        dealt = [*self.middle, *[card for place in self.table.places for card in place.cards]]
        return in_order(card for card, times in Counter(dealt).items() if times > 1)

    @property
    def log(self) -> HandLog | None:
        """Return the record of the hand, in which nothing has happened yet; None as long as something is missing."""
        if any(missing(self)):
            return None
        hands = tuple([place.cards for place in self.table.places])
        deal = Deal(hands, widow=self.middle) if self.has_widow else Deal(hands, self.middle[0])
        players = tuple([Player(place.lives, place.name or UNSET) for place in self.table.places])
        return HandLog(players, self.dealer, deal, ())


def dealing_of(form: Form, book: Book) -> Dealing:
    """Return the deal that a form describes."""
    table = table_of(form)
    middle, strange = ((), ()) if form.text("table") == "clear" else read_hand(form.text("up"))
    middle = tuple([card for card in middle if card.value not in form.all("drop")])
    dealing = Dealing(table, table.dealer or len(table.places), middle, strange, form_of(book.preset.rules) == "widow")
    for tapped in form.all("put"):
        # The table has it, if a player was to have it.
        if dealing.room and tapped in Card.__members__ and Card(tapped) not in dealing.used:
            dealing = replace(dealing, middle=(*dealing.middle, Card(tapped)))
    return dealing


def missing(dealing: Dealing) -> Iterator[str]:
    """Yield a sentence for everything that keeps the hand from being played."""
    say = words()["replay"]
    without = [player_of(place) for place in dealing.table.places if not place.is_whole]
    if without:
        yield words()["settle"]["missing_cards"].format(players=listed(without))
    if len(dealing.middle) != dealing.wanted or dealing.strange:
        yield say["missing_widow" if dealing.has_widow else "missing_upcard"]
    for card in dealing.twice:
        yield f"{words()['settle']['used_twice'].format(card=name_of(card))}."
