"""Rule sheets as PDFs, on US Letter or A4."""

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, to_builtins

from api.sheets.cards import card_svg
from api.sheets.sheet import Sheet
from api.sheets.typesetting import Paper, PdfUnavailableError, typeset
from engine.wording import lives, points
from schemas.cards import in_order
from schemas.examples import Story
from schemas.ruling import Ruling, SeatResult, SeatStanding, Settled

if TYPE_CHECKING:
    from schemas.hand import Player, ShownPlayer

__all__ = ["Paper", "PdfUnavailableError", "sheet_pdf"]


def sheet_pdf(sheet: Sheet, paper: Paper) -> bytes:
    """Return a rule sheet as a PDF of one page or two; raise PdfUnavailableError without a typesetter."""
    pictures: dict[str, str] = {}
    data: dict[str, Any] = to_builtins(
        {field: getattr(sheet, field) for field in sheet.__struct_fields__ if field != "examples"}
    )
    examples = [_example(story, pictures) for story in sheet.examples]
    return typeset("sheet.typ", paper, data | {"examples": examples, "pictures": pictures})


def _example(story: Story, pictures: dict[str, str]) -> dict[str, Any]:
    """Return an example as the template takes it; the pictures of its cards are added to the others."""
    seats: tuple[SeatResult | SeatStanding, ...] = story.ruling.seats
    players: tuple[Player | ShownPlayer, ...] = story.hand.players
    hands = [
        {
            "name": f"Seat {seat.seat}" if player.name is UNSET else player.name,
            "cards": _cards(seat, pictures),
            "says": _outcome(story.ruling, seat),
        }
        for player, seat in zip(players, seats, strict=False)
    ]
    return {"title": story.title, "passages": to_builtins(story.passages), "hands": hands}


def _cards(seat: SeatResult | SeatStanding, pictures: dict[str, str]) -> list[dict[str, str]]:
    """Return the cards of a hand, those that do not count last and faded; the pictures are added to the others."""
    shown = []
    for card in sorted(in_order(seat.cards), key=lambda card: card not in seat.counted):
        faded = seat.value is not None and card not in seat.counted
        picture = f"{card}-faded" if faded else str(card)
        pictures[picture] = card_svg(card, faded=faded)
        shown.append({"sign": card.sign, "picture": picture})
    return shown


def _outcome(ruling: Ruling, seat: SeatResult | SeatStanding) -> str:
    """Return what a hand was worth and what came of it, in a few words."""
    said = [] if seat.value is None else [points(round(seat.value * 2))]
    if isinstance(ruling, Settled) and isinstance(seat, SeatResult):
        if seat.change:
            said.append(f"{'wins back' if seat.change > 0 else 'loses'} {lives(abs(seat.change))}")
        elif ruling.pot_winners and seat.seat in ruling.pot_winners:
            said.append("takes the pot" if len(ruling.pot_winners) == 1 else "shares the pot")
    return ", ".join(said)
