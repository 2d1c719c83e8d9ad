"""The page that replays a hand: stepped through, put in with the legal moves on offer, or opened from the store."""

from collections.abc import Sequence

from msgspec import UNSET, MsgspecError

from api.desk.book import Book, book_of, shelves
from api.desk.dealing import dealing_of, missing
from api.desk.entering import move_called, moves_of
from api.desk.forms import Form, address, fragment
from api.desk.logs import (
    Log,
    UnreadError,
    read_log,
    replay_in,
    stored_log,
    to_send,
    with_events,
    with_names,
    with_rules,
    written,
)
from api.desk.rendering import USES
from api.desk.replaying import Replay
from api.desk.routing import Page, Visit, desk_page
from api.desk.settling import player_of, settlement
from api.desk.table import FEWEST, MOST, rows_of_pack
from api.desk.words import words
from replays.canonical import canonical_hand, question_of
from schemas.notation import Notated
from schemas.ruling import Unfinished

_LONGEST_LOG = 100_000
_LONGEST_ADDRESS = 28_000
"""Characters of a link: with some headers, the service takes as much. Hands that are played by the rules have fewer."""
_NAME = 64
_SEATS = range(1, 17)


def asked_replay(form: Form) -> str | None:
    """Return the id of the stored replay that a form asks for: by its address, or put in place of a log."""
    if "new" in form:
        return None
    text = form.text("log", longest=_LONGEST_LOG)
    return replay_in(text) if text.strip() else replay_in(form.text("replay"))


@desk_page(USES["replay"], "replay", asks=asked_replay)
def show_replay(visit: Visit) -> Page:
    """Return the page."""
    form = visit.form
    text = "" if "new" in form else form.text("log", longest=_LONGEST_LOG)
    if "example" in form:
        text = words()["replay"]["sample"]
    if visit.complaint:
        return _beginning(form, text, (), waiting=("replay", "at"))
    asked = asked_replay(form)
    try:
        if asked is not None and visit.stored is None:
            return _beginning(form, text, (words()["replay"]["no_replay"],), status=404)
        log = _log(form, text, visit)
    except UnreadError as error:
        return _beginning(form, text, error.places)
    return _beginning(form, text, ()) if log is None else _stepping(form, log, asked or form.text("opened"))


def _log(form: Form, text: str, visit: Visit) -> Log | None:
    """Return the log that a form is about; None if there is none. Raises UnreadError if it is not understood."""
    if visit.stored is not None:
        try:
            return stored_log(visit.stored.question)
        except MsgspecError:
            raise UnreadError((words()["replay"]["too_old"],)) from None
    if len(form.text("log", longest=_LONGEST_LOG + 1)) > _LONGEST_LOG and text:
        raise UnreadError((words()["replay"]["longer"].format(number=f"{_LONGEST_LOG:,}"),))
    if text.strip():
        return read_log(text)
    if "deal" in form and (hand := dealing_of(form, book_of(form)).log) is not None:
        return written(Notated(hand))
    return None


def _beginning(
    form: Form, text: str, complaints: Sequence[str], status: int = 200, waiting: Sequence[str] = ()
) -> Page:
    """Return the page without a hand to step through: it asks for one, or says what of the log is not understood.

    Fields that are `waiting` are sent again with the key that the form lacks.
    """
    book = book_of(form)
    dealing = dealing_of(form, book)
    return Page(
        "replay.html",
        {
            "replay": None,
            "text": text,
            "opened": "",
            "waiting": [(name, form.text(name)) for name in waiting],
            "complaints": complaints,
            "missing": list(missing(dealing)) if "seats" in form else [],
            "dealing": dealing,
            "pack": rows_of_pack(book.rules.rules.jokers),
            "player_of": player_of,
            "fewest": FEWEST,
            "most": MOST,
            "book": book,
            "books": shelves(),
            "house_rules": address(USES["rules"], book.fields()),
        },
        status,
    )


def _stepping(form: Form, log: Log, opened: str) -> Page:
    """Return the page of a hand at one of its steps."""
    log = with_names(log, {seat: form.name(f"n{seat}", _NAME) for seat in _SEATS})
    log, book = _by_its_rules(form, log)
    replay = Replay(log, book.rules.rules)
    changed = _tapped(form, log, replay)
    if changed is not log:
        log, replay = changed, Replay(changed, book.rules.rules)
        step = replay.last
    else:
        at = form.number("at", replay.first_look, 0, replay.last)
        step = form.number("go", at, 0, replay.last)
    stands, here = replay.position(step), _link(log, book, opened, step)
    is_end = step == replay.last and not isinstance(replay.ruling, Unfinished)
    return Page(
        "replay.html",
        {
            "replay": replay,
            "step": step,
            "stands": stands,
            "moves": moves_of(stands, replay.clerk) if stands and step == replay.last else None,
            "settlement": settlement(replay.hand, book) if is_end else None,
            "missing": [],
            "text": log.text,
            "opened": opened,
            "waiting": (),
            "complaints": (),
            "book": book,
            "books": shelves(),
            "here": here,
            "house_rules": address(USES["rules"], book.fields()),
        },
    )


def _by_its_rules(form: Form, log: Log) -> tuple[Log, Book]:
    """Return a log and the rules to judge it by: those that it names, until others are chosen on the page."""
    said, asked = log.book, form.text("rules")
    is_chosen = "set" in form or "unset" in form or form.text("was", asked) != asked
    if said is not None and not is_chosen:
        return log, said
    book = book_of(form)
    return (log if said is None else with_rules(log, book)), book


def _tapped(form: Form, log: Log, replay: Replay) -> Log:
    """Return a log after a tap on a move, or on what takes events back; the same one if neither was tapped."""
    stands = replay.position(replay.last) if "do" in form else None
    if stands is not None and (move := move_called(form.text("do"), stands)) is not None:
        return with_events(log, (*replay.events[: replay.last], move))
    if "cut" in form:
        return with_events(log, replay.events[: form.number("cut", replay.last, 0, replay.last)])
    return log


def _link(log: Log, book: Book, opened: str, step: int) -> str:
    """Return the address of a step: of the stored replay while it is that, else with the log; empty if too long."""
    at = ("at", str(step))
    if opened and question_of(canonical_hand(log.hand), book.rules.rules).id == opened:
        here = address(USES["replay"], [("replay", opened), at])
    else:
        here = address(USES["replay"], [("log", to_send(log)), at, *book.fields()])
    names = ["" if player.name is UNSET else player.name for player in log.hand.players]
    return here + fragment(names) if len(here) <= _LONGEST_ADDRESS else ""
