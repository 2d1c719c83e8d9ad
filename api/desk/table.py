"""The table as it is put in: who sits where, what each has shown, and how the hand ended."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.desk.forms import Form
from schemas.cards import HAND_SIZE, RANKS, SUITS, Card, in_order
from schemas.hand import DeclareEnding, Ending, FirstKnockEnding, KnockEnding, ShowdownRecord, ShownPlayer, StockEnding

FEWEST, MOST, USUAL = 2, 9, 4
_LIVES, _MOST_LIVES = 3, 99
_NAME = 40
_CARD = re.compile(r"(?:10|[2-9TtJjQqKkAa])(?:[SsHhDdCc]|[♠♡♢♣♤♥♦♧][\ufe0e\ufe0f]?)|[Xx][12]")
"""What `Card` understands, which a text may run together."""
_BETWEEN = " \t\r\n,;.+/|-"
_MOST_STRANGE, _LONGEST_STRANGE = 3, 12
_LONGEST_HAND = 60

How = Literal["", "knock", "first_knock", "declare", "stock"]
HOWS: tuple[How, ...] = ("knock", "declare", "stock", "first_knock")


class Place(Struct, frozen=True):
    """A player as put in."""

    seat: int
    name: str
    lives: int
    cards: tuple[Card, ...]
    strange: tuple[str, ...] = ()
    """Words that are no cards."""
    unclaimed: bool = False
    redeemed: bool = False

    @property
    def is_whole(self) -> bool:
        """Return whether the hand is all there."""
        return len(self.cards) == HAND_SIZE and not self.strange


class Table(Struct, frozen=True):
    """The hands and the ending, as far as they are put in."""

    places: tuple[Place, ...]
    at: int
    """Whose hand the next card that is tapped goes to."""
    how: How
    knocker: int
    """0 if it is not said."""
    showed: tuple[int, ...]
    dealer: int

    @property
    def twice(self) -> tuple[Card, ...]:
        """Return the cards that are in two places."""
        counts = Counter(card for place in self.places for card in place.cards)
        return in_order(card for card, times in counts.items() if times > 1)

    @property
    def used(self) -> frozenset[Card]:
        """Return the cards that are on the table."""
        return frozenset(card for place in self.places for card in place.cards)

    @property
    def is_dealt(self) -> bool:
        """Return whether every hand is all there, and no card is in two places."""
        return all(place.is_whole for place in self.places) and not self.twice

    @property
    def ending(self) -> Ending | None:
        """Return how the hand ended; None if it is not said, or not all of it."""
        if self.how == "stock":
            return StockEnding()
        if self.how == "declare":
            return DeclareEnding(self.showed, self.knocker or UNSET) if self.showed else None
        if not self.knocker or not self.how:
            return None
        return KnockEnding(self.knocker) if self.how == "knock" else FirstKnockEnding(self.knocker)

    @property
    def record(self) -> ShowdownRecord | None:
        """Return the record of the hand; None as long as something is missing."""
        ending = self.ending
        if not self.is_dealt or ending is None:
            return None
        players = [
            ShownPlayer(place.lives, place.cards, place.name or UNSET, place.redeemed, place.unclaimed)
            for place in self.places
        ]
        return ShowdownRecord(tuple(players), ending, self.dealer or UNSET)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the form fields that say the same, without the names."""
        yield "seats", str(len(self.places))
        for place in self.places:
            yield f"l{place.seat}", str(place.lives)
            yield f"h{place.seat}", "".join(place.cards)
        yield "how", self.how
        yield "k", str(self.knocker or "")
        yield from (("s", str(seat)) for seat in self.showed)
        yield "d", str(self.dealer or "")
        yield from (("u", str(place.seat)) for place in self.places if place.unclaimed)
        yield from (("r", str(place.seat)) for place in self.places if place.redeemed)


def table_of(form: Form) -> Table:
    """Return the table that a form describes, after the tap that sent it."""
    seats = form.number("seats", USUAL, FEWEST, MOST)
    seats += {"more": 1, "fewer": -1}.get(form.text("table"), 0)
    seats = min(MOST, max(FEWEST, seats))
    clear = form.text("table") == "clear"
    seated = range(1, seats + 1)
    chosen = {name: _seats(form.all(name), seats) for name in "sur"}
    places = []
    for seat in seated:
        cards, strange = ((), ()) if clear else read_hand(form.text(f"h{seat}", longest=_LONGEST_HAND))
        lives = form.number(f"l{seat}", _LIVES, 0, _MOST_LIVES)
        name = form.name(f"n{seat}", _NAME)
        places.append(Place(seat, name, lives, cards, strange, seat in chosen["u"], seat in chosen["r"]))
    how: How = next((each for each in HOWS if each == form.text("how") and not clear), "")
    table = Table(
        tuple(places),
        _seat(form, "to", seats),
        how,
        0 if clear else _seat(form, "k", seats),
        () if clear else chosen["s"],
        _seat(form, "d", seats),
    )
    return _after_taps(table, form)


def read_hand(text: str) -> tuple[tuple[Card, ...], tuple[str, ...]]:
    """Return the cards that a text names, apart or run together, and what else there is in it."""
    cards: list[Card] = []
    strange: list[str] = []
    end = 0
    for found in _CARD.finditer(text):
        strange.append(text[end : found.start()])
        cards.append(Card(found[0]))
        end = found.end()
    strange.append(text[end:])
    left = [word.strip(_BETWEEN)[:_LONGEST_STRANGE] for word in strange if word.strip(_BETWEEN)]
    return tuple(cards), tuple(left[:_MOST_STRANGE])


def rows_of_pack(jokers: int) -> list[tuple[Card, ...]]:
    """Return the pack as it is laid out: a row for each suit, then the jokers, if there are any."""
    cards = in_order(Card)
    suits = len(SUITS) * len(RANKS)
    rows = [cards[start : start + len(RANKS)] for start in range(0, suits, len(RANKS))]
    return [*rows, cards[suits : suits + jokers]] if jokers else rows


def _after_taps(table: Table, form: Form) -> Table:
    """Return the table after a tap on a card of the pack, or on one in a hand."""
    places = list(table.places)
    for tapped in form.all("drop"):
        for index, place in enumerate(places):
            left = tuple(card for card in place.cards if card.value != tapped)
            if left != place.cards:
                places[index] = replace(place, cards=left)
                table = replace(table, at=place.seat)
    at = _next(places, table.at)
    for tapped in form.all("put"):
        if at and tapped in Card.__members__ and tapped not in {card.value for each in places for card in each.cards}:
            place = places[at - 1]
            places[at - 1] = replace(place, cards=(*place.cards, Card(tapped)))
            at = _next(places, at)
    return replace(table, places=tuple(places), at=at)


def _next(places: list[Place], at: int) -> int:
    """Return the seat to give a card to: this one, or the next after it that needs one; 0 if none does."""
    if 0 < at <= len(places) and len(places[at - 1].cards) < HAND_SIZE:
        return at
    order = [*places[at:], *places[:at]]
    return next((place.seat for place in order if len(place.cards) < HAND_SIZE), 0)


def _seat(form: Form, name: str, seats: int) -> int:
    """Return the seat that a field names; 0 if there is no such seat at this table, or no longer."""
    seat = form.number(name, 0, 0, MOST + 1)
    return seat if seat <= seats else 0


def _seats(values: list[str], seats: int) -> tuple[int, ...]:
    """Return the seats that are named, each once, in order."""
    return tuple(seat for seat in range(1, seats + 1) if str(seat) in values)
