"""Settling: from a table and its rule book to all that the page says of the hand."""

from collections.abc import Iterator

from msgspec import Struct

from api.contested import MOST_WORK
from api.desk.book import Book, shelves
from api.desk.table import Place, Table
from api.desk.words import words
from engine.clerk import Clerk
from engine.comparison import compare
from engine.contrast import result_of
from engine.disputes import settle
from engine.presets import RuleChoice, resolve
from engine.valuation import worth
from engine.wording import listed, points, worth_shown
from schemas.cards import Card
from schemas.hand import Hand
from schemas.options import Choice
from schemas.rules import form_of
from schemas.ruling import Citation, Refused, Ruling, Settled, Status


class Held(Struct, frozen=True):
    """A hand on the page: its cards, which of them count, and what they come to."""

    place: Place
    player: str
    counted: tuple[Card, ...]
    value: str
    """In points, as people write it; empty if there is no card."""


class Hinge(Struct, frozen=True):
    """A single other answer that changes the ruling."""

    option: str
    answer: Choice
    rule: str
    """The answer as a sentence of rule text."""
    says: str


class Alike(Struct, frozen=True):
    """Rule books that end the hand alike."""

    books: tuple[str, ...]
    result: str
    because: str
    """On what they part from the rules of the table; empty for those that agree with them."""
    rules: tuple[str, ...]
    """The answers that make the difference, as sentences of rule text."""
    changes: str
    """What to tap for that: answers of options, as `option:answer,option:answer`."""


class Row(Struct, frozen=True):
    """What a settled hand was worth to a player, and what it cost."""

    player: str
    value: str
    before: int
    after: int
    status: Status
    loses: bool
    wins_pot: bool


class Settlement(Struct, frozen=True):
    """What the page says of a hand whose record is whole."""

    result: str
    rows: tuple[Row, ...]
    """Empty if the record is refused."""
    form: str
    reasons: tuple[Citation, ...]
    alike: tuple[Alike, ...]
    decisive: tuple[Hinge, ...]
    is_complete: bool
    """Whether every single other answer was tried."""


def hands_of(table: Table, book: Book) -> tuple[Held, ...]:
    """Return every hand with what it counts so far."""
    return tuple([_hand(place, book) for place in table.places])


def player_of(place: Place) -> str:
    """Return what a player is called."""
    return place.name or words()["seats"]["seat"].format(number=place.seat)


def missing(table: Table) -> Iterator[str]:
    """Yield a sentence for everything that is still to be put in."""
    say = words()["settle"]
    without = [player_of(place) for place in table.places if not place.is_whole]
    if without:
        yield say["missing_cards"].format(players=listed(without))
    if not table.how:
        yield say["missing_end"]
    elif table.ending is None:
        yield say["missing_shower" if table.how == "declare" else "missing_knocker"]


def settlement(record: Hand, book: Book) -> Settlement:
    """Return the ruling of a hand, which rule books agree with it, and what it hinges on."""
    clerk = Clerk(record.players, None)
    dispute = settle(record, book.rules, (), MOST_WORK)
    return Settlement(
        _sentence(result_of(dispute.ruling, clerk)),
        tuple(_rows(dispute.ruling, clerk)),
        form_of(book.rules.rules),
        _reasons(dispute.ruling),
        _alike(record, book, clerk),
        tuple(
            [
                Hinge(each.option, each.answer, _rule(book, each.option, each.answer), each.says)
                for each in dispute.decisive
            ]
        ),
        dispute.complete,
    )


def _rows(ruling: Ruling, clerk: Clerk) -> Iterator[Row]:
    """Yield a row for each player of a settled hand."""
    if not isinstance(ruling, Settled):
        return
    for seat in ruling.seats:
        wins_pot = seat.seat in (ruling.pot_winners or ())
        value = worth_shown(seat.value)
        yield Row(clerk.name(seat.seat), value, seat.before, seat.after, seat.status, seat.change < 0, wins_pot)


def _reasons(ruling: Ruling) -> tuple[Citation, ...]:
    """Return the rules that decided, those that were broken first."""
    return (*ruling.broken, *ruling.citations) if isinstance(ruling, Refused) else ruling.citations


def _hand(place: Place, book: Book) -> Held:
    if not place.is_whole:
        return Held(place, player_of(place), (), "")
    counts = worth(place.cards, book.rules.rules)
    return Held(place, player_of(place), counts.counted, points(counts.half_points))


def _alike(record: Hand, book: Book, clerk: Clerk) -> tuple[Alike, ...]:
    """Return all rule books of this form of the game in groups; the first group rules as the table's rules do."""
    presets = dict(shelves())[form_of(book.rules.rules)]
    choices = [book.choice, *[RuleChoice(preset.id) for preset in presets]]
    compared = compare(record, choices, [resolve(choice) for choice in choices], (), MOST_WORK)
    found = []
    for group, positions in enumerate(compared.groups):
        names = tuple([presets[position - 1].name for position in positions if position])
        difference = compared.differences[group - 1] if group else None
        found.append(
            Alike(
                names,
                _sentence(result_of(compared.rulings[positions[0]], clerk)),
                difference.says if difference else "",
                tuple([_rule(book, part.option, part.other) for part in difference.options]) if difference else (),
                ",".join([f"{part.option}:{part.other}" for part in difference.options]) if difference else "",
            )
        )
    return tuple(found)


def _rule(book: Book, option: str, answer: Choice) -> str:
    return book.options[option].says(answer)


def _sentence(clause: str) -> str:
    """Return a clause as a sentence."""
    return f"{clause[:1].upper()}{clause[1:]}."
