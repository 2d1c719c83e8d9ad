"""Dealing a hand that is to be entered turn by turn: who sits where, the dealt cards, and what is still missing."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET, Struct

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
    return Dealing(table, table.dealer or len(table.places), middle, strange, form_of(book.preset.rules) == "widow")


def missing(dealing: Dealing) -> Iterator[str]:
    """Yield a sentence for everything that keeps the hand from being played."""
    say = words()["replay"]
    without = [player_of(place) for place in dealing.table.places if not place.is_whole]
    if without:
        yield words()["settle"]["missing_cards"].format(players=listed(without))
    if dealing.has_widow and (len(dealing.middle) != HAND_SIZE or dealing.strange):
        yield say["missing_widow"]
    if not dealing.has_widow and (len(dealing.middle) != 1 or dealing.strange):
        yield say["missing_upcard"]
    for card in dealing.twice:
        yield f"{words()['settle']['used_twice'].format(card=name_of(card))}."
