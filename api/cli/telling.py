"""How a ruling is shown to people: what comes of the hand, a table of the players, and the rules that say so."""

from collections.abc import Iterator

from rich.text import Text

from api.cli.citing import cite
from api.cli.printing import Page
from api.cli.questions import Question
from engine.clerk import Clerk
from engine.comparison import label
from engine.contrast import result_of
from engine.examples.turns import Turns
from engine.presets import RuleChoice
from engine.wording import counted, points
from schemas.hand import Hand, HandLog
from schemas.rules import WidowRules
from schemas.ruling import (
    EventType,
    Outcome,
    Refused,
    Ruling,
    SeatResult,
    SeatStanding,
    Settled,
    Unfinished,
    outcome_of,
)

OUTCOMES: dict[Outcome, str] = {"settled": "green", "refused": "red", "unfinished": "yellow"}
"""The colour of each outcome."""
_MAY: dict[EventType, str] = {
    "draw_stock": "draw from the stock",
    "take_discard": "take the top discard",
    "discard": "discard",
    "knock": "knock",
    "declare": "show a 31",
    "stand": "keep the hand without drawing",
    "reshuffle": "reshuffle the discards",
    "exchange": "exchange cards with the widow",
}


def tell(page: Page, question: Question, ruling: Ruling, choice: RuleChoice) -> None:
    """Show a ruling with all that there is to say of it; `choice` is what it goes by."""
    clerk = Clerk(question.hand.players, None)
    heading = f"bold {OUTCOMES[outcome_of(ruling)]}"
    match ruling:
        case Settled():
            page.say(f"Settled: {result_of(ruling, clerk)}.", heading)
        case Refused():
            page.say(_refusal(question.hand, ruling, clerk), heading)
            if ruling.at is not None:
                place = question.at_event(ruling.at)
                for line in (f"{place.where}, line {place.line}:", *place.pointed(page.stream)):
                    page.line(page.text(line))
        case Unfinished():
            page.say(f"Unfinished: it is {clerk.name(ruling.to_act)}'s turn.", heading)
            page.say(f"Possible now: {_may(ruling)}.")
    if ruling.seats:
        page.gap()
        page.table(*_table(page, ruling, clerk))
    if reasons := [*(ruling.broken if isinstance(ruling, Refused) else ()), *ruling.citations]:
        page.gap()
        cite(page, reasons, ruling.rules)
    page.gap()
    for note in (*_notes(ruling, clerk), f"Rules: {label(choice)}."):
        page.say(note)


def in_a_line(hand: Hand, ruling: Ruling) -> str:
    """Return what comes of a hand, beside its outcome, in a sentence or so."""
    clerk = Clerk(hand.players, None)
    match ruling:
        case Settled():
            told = result_of(ruling, clerk)
        case Refused():
            where = "" if ruling.at is None else f"event {ruling.at}: "
            return f"{where}{ruling.broken[0].says} ({', '.join(cited.rule for cited in ruling.broken)})"
        case Unfinished():
            told = f"it is {clerk.name(ruling.to_act)}'s turn: {_may(ruling)}"
    return f"{told[:1].upper()}{told[1:]}."


def _refusal(hand: Hand, ruling: Refused, clerk: Clerk) -> str:
    """Return a sentence on what was refused, and whether it is a rule that forbids it."""
    why = "is not allowed" if ruling.kind == "illegal" else "cannot be"
    if ruling.at is None or not isinstance(hand, HandLog):
        return f"Refused: the record as it stands {why}."
    turns = Turns(hand, ruling.rules, clerk)
    turns.follow(hand.events[: ruling.at])
    attempt = turns.attempt(hand.events[ruling.at]).removeprefix("Now ").removesuffix(".")
    return f"Refused at event {ruling.at}: {attempt}, which {why}."


def _may(ruling: Unfinished) -> str:
    return ", ".join([_MAY[kind] for kind in ruling.may])


def _table(page: Page, ruling: Ruling, clerk: Clerk) -> tuple[tuple[str, ...], list[list[str | Text]]]:
    """Return the headings and rows of a table of the players; what is not known of any is empty."""
    rows: list[list[str | Text]] = []
    for seat in ruling.seats:
        name = clerk.name(seat.seat)
        held, counted_cards = page.cards(seat.cards, seat.counted), page.cards(seat.counted)
        value = "" if seat.value is None else points(round(2 * seat.value))
        called = "" if name == f"Seat {seat.seat}" else name
        rows.append([str(seat.seat), called, held, counted_cards, value, *_standing(seat, ruling)])
    return _HEADINGS, rows


_HEADINGS = ("Seat", "Player", "Cards", "Counted", "Value", "Lives", "Then")


def _standing(seat: SeatResult | SeatStanding, ruling: Ruling) -> tuple[str, str]:
    """Return a player's lives, before and after if they change, and where that leaves the player."""
    if not isinstance(seat, SeatResult) or not isinstance(ruling, Settled):
        return "", ""
    then = "wins the game" if seat.seat in ruling.winners else seat.status
    if isinstance(ruling.rules, WidowRules):
        return "", "takes the pot" if seat.seat in (ruling.pot_winners or ()) else ""
    if seat.change == 0:
        return str(seat.before), then
    return f"{seat.before} → {seat.after}", then


def _notes(ruling: Ruling, clerk: Clerk) -> Iterator[str]:
    """Yield what else there is to know of a settled hand."""
    if not isinstance(ruling, Settled):
        return
    if ruling.open_claims:
        yield f"{clerk.names(ruling.open_claims)} may still show a 31 at once, and that would change the ruling."
    if ruling.unplayed:
        were = "was" if ruling.unplayed == 1 else "were"
        yield f"{counted(ruling.unplayed, 'event')} after the end of the hand {were} not judged."
