"""The page that settles a hand: what was shown and how it ended, and the ruling beside it."""

from api.desk.book import book_of, shelves
from api.desk.forms import address, fragment
from api.desk.rendering import USES
from api.desk.routing import Page, Visit, desk_page
from api.desk.settling import hands_of, missing, player_of, settlement
from api.desk.table import FEWEST, HOWS, MOST, table_of
from schemas.cards import SUITS, Card, in_order


@desk_page(USES["settle"], "settle")
def show_settling(visit: Visit) -> Page:
    """Return the page, with the ruling once the record is whole."""
    table, book = table_of(visit.form), book_of(visit.form)
    record = table.record
    return Page(
        "settle.html",
        {
            "table": table,
            "hands": hands_of(table, book),
            "player_of": player_of,
            "fewest": FEWEST,
            "most": MOST,
            "hows": HOWS,
            "pack": _rows(book.rules.rules.jokers),
            "book": book,
            "books": shelves(),
            "missing": list(missing(table)),
            "settlement": settlement(record, book) if record and not visit.complaint else None,
            "here": address(USES["settle"], [*table.fields(), *book.fields()])
            + fragment(place.name for place in table.places),
            "house_rules": address(USES["rules"], book.fields()),
        },
    )


def _rows(jokers: int) -> list[list[Card]]:
    """Return the pack as it is laid out: a row for each suit, then the jokers."""
    cards = in_order(Card)
    rows = [list(cards[start : start + 13]) for start in range(0, 13 * len(SUITS), 13)]
    return [*rows, list(cards[52 : 52 + jokers])] if jokers else rows
