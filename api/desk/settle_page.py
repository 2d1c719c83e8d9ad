"""The page that settles a hand: what was shown and how it ended, and the ruling beside it."""

from api.desk.book import book_of, shelves
from api.desk.forms import address, fragment
from api.desk.rendering import USES
from api.desk.routing import Page, Visit, desk_page
from api.desk.settling import hands_of, missing, player_of, settlement
from api.desk.table import FEWEST, HOWS, MOST, rows_of_pack, table_of


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
            "pack": rows_of_pack(book.rules.rules.jokers),
            "used": table.used,
            "is_wanted": table.at,
            "book": book,
            "books": shelves(),
            "missing": list(missing(table)),
            "settlement": settlement(record, book) if record and not visit.complaint else None,
            "here": address(USES["settle"], [*table.fields(), *book.fields()])
            + fragment(place.name for place in table.places),
            "house_rules": address(USES["rules"], book.fields()),
        },
    )
