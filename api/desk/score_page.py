"""The page that keeps the score of a game: who has how many lives, what the hand being played costs, and the sheet."""

from collections.abc import Iterator, Sequence

from msgspec import MsgspecError, Struct

from api.desk.book import Book, book_of, chosen, shelves
from api.desk.forms import Form, address, fragment
from api.desk.rendering import USES
from api.desk.routing import Page, Visit, desk_page
from api.desk.scoring import MOST_HANDS, MOST_LIVES, Score, begun, kept_in, loses_lives, tapped
from api.desk.table import FEWEST, MOST, Place, Table, table_of
from api.desk.words import sentence, words
from engine.contrast import result_of
from engine.presets import PRESET_BY_ID, PRESETS
from engine.tallying import Tally, may_win_back
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Status

_ON_LIVES = "lives."
"""What the ids of the rules begin with that say what becomes of lives."""


class Player(Struct, frozen=True):
    """A player, as the hand being played leaves him if it ends as it is noted."""

    seat: int
    name: str
    lives: int
    going: int
    """Lives that this hand takes."""
    gone: int
    """Lives that the hands before have taken."""
    noted: int
    """What is noted of this hand, before the rules on what can be lost."""
    was: Status
    status: Status
    deals: bool
    wins: bool
    may_win_back: bool


class Cell(Struct, frozen=True):
    """What the sheet says of a player after a hand."""

    lives: int
    change: int
    status: Status


Row = Sequence[Cell | None]
"""A hand on the sheet, by seat; None for who was out before."""


@desk_page(USES["score"], "score")
def show_score(visit: Visit) -> Page:
    """Return the page: of the game that the form brings, or to begin one."""
    form, complaint = visit.form, ""
    try:
        score = kept_in(form)
    except MsgspecError:
        score, complaint = None, words()["score"]["unreadable"]
    if score is not None and "again" not in form:
        return _game(tapped(score, form))
    table, book, lives = _opening(form, score)
    if not loses_lives(book):
        complaint, book = words()["score"]["no_lives"].format(book=book.preset.name), chosen(PRESETS[0], {})
    elif "start" in form:
        return _game(begun(table, lives, book))
    return _beginning(table, lives, book, complaint)


def _opening(form: Form, last: Score | None) -> tuple[Table, Book, int]:
    """Return who plays with how many lives by which rules: as the form says, or once more as in the last game."""
    if last is not None and form.text("again") == "names":
        left = last.tally().left
        places = tuple([Place(seat, name, last.lives, ()) for seat, name in enumerate(last.names, start=1)])
        return Table(places, 0, "", 0, (), left.dealer), last.book, last.lives
    book, before = book_of(form), PRESET_BY_ID.get(form.text("was"))
    lives = form.number("lives", 0, 1, MOST_LIVES)
    if not lives or (before is not None and before.id != book.preset.id and lives == _lives(before.rules)):
        lives = _lives(book.rules.rules)
    return table_of(form), book, lives


def _lives(rules: RuleSet) -> int:
    """Return the lives that a game begins with; 1 in the form that has none."""
    return rules.lives if isinstance(rules, StockRules) else 1


def _beginning(table: Table, lives: int, book: Book, complaint: str) -> Page:
    """Return the page that asks who plays."""
    return Page(
        "score.html",
        {
            "score": None,
            "status": complaint,
            "why": (),
            "table": table,
            "fewest": FEWEST,
            "most": MOST,
            "lives": lives,
            "book": book,
            "books": [shelf for shelf in shelves() if shelf[0] == "stock"],
            "house_rules": address(USES["rules"], book.fields()),
        },
    )


def _game(score: Score) -> Page:
    """Return the page of a game."""
    before, after = score.tally(), score.tally(with_now=True)
    return Page(
        "score.html",
        {
            "score": score,
            "status": _status(score, before, after),
            "why": () if score.now.is_blank else _why(after),
            "is_over": before.left.over or score.is_full,
            "players": list(_players(score, before, after)),
            "rows": list(_rows(before)),
            "lost": [sum(hand.changes.get(seat, 0) < 0 for hand in before.hands) for seat in before.left.lives],
            "left": [Cell(before.left.lives[seat], 0, status) for seat, status in before.left.status.items()],
            "book": score.book,
            "settle": _settling(score, before),
        },
    )


def _status(score: Score, before: Tally, after: Tally) -> str:
    say, left = words()["score"], before.left
    if left.over:
        last = before.hands[-1]
        return sentence(result_of(last.ruling, last.clerk))
    if score.is_full:
        return say["full"].format(number=MOST_HANDS)
    if not score.now.is_blank:
        return sentence(result_of(after.hands[-1].ruling, after.hands[-1].clerk))
    return say["hand"].format(number=len(score.hands) + 1, dealer=score.name(left.dealer))


def _why(after: Tally) -> list[str]:
    """Return what the rules say of the lives that the hand being played takes."""
    return [cited.says for cited in after.hands[-1].ruling.citations if cited.rule.startswith(_ON_LIVES)]


def _players(score: Score, before: Tally, after: Tally) -> Iterator[Player]:
    winning_back = may_win_back(before.left, score.rules)
    for seat, held in before.left.lives.items():
        lives = after.left.lives[seat]
        noted = score.now.changes.get(seat, 0)
        yield Player(
            seat,
            score.name(seat),
            lives,
            max(0, held - lives),
            max(0, score.lives - max(held, lives)),
            noted,
            before.left.status[seat],
            after.left.status[seat],
            not before.left.over and before.left.dealer == seat,
            seat in before.left.winners,
            seat in winning_back,
        )


def _rows(before: Tally) -> Iterator[Row]:
    for hand in before.hands:
        statuses = dict(zip(hand.changes, [result.status for result in hand.ruling.seats], strict=True))
        yield [
            Cell(hand.lives[seat], hand.changes[seat], statuses[seat]) if seat in hand.changes else None
            for seat in hand.lives
        ]


def _settling(score: Score, before: Tally) -> str:
    """Return where this hand is settled by its cards: the same players, lives and rules, and the names unsent."""
    left = before.left
    seats = left.still_in
    fields = [("seats", str(len(seats)))]
    fields += [(f"l{place}", str(left.lives[seat])) for place, seat in enumerate(seats, start=1)]
    fields += [("d", str(seats.index(left.dealer) + 1))] if not left.over else []
    fields += [("r", str(place)) for place, seat in enumerate(seats, start=1) if seat in left.redeemed]
    names = [score.names[seat - 1] for seat in seats]
    return address(USES["settle"], [*fields, *score.book.fields()]) + fragment(names)
