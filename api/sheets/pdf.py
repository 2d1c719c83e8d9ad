"""Rule sheets as PDFs, on US Letter or A4."""

from typing import Any

from msgspec import to_builtins

from api.sheets.cards import card_svg
from api.sheets.hands import ShownHand, shown_hands
from api.sheets.sheet import Sheet
from api.sheets.typesetting import Paper, PdfUnavailableError, typeset
from schemas.examples import Story

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
    hands = [{"name": hand.name, "cards": _cards(hand, pictures), "says": hand.says} for hand in shown_hands(story)]
    return {"title": story.title, "passages": to_builtins(story.passages), "hands": hands}


def _cards(hand: ShownHand, pictures: dict[str, str]) -> list[dict[str, str]]:
    """Return the cards of a hand, those that do not count last and faded; the pictures are added to the others."""
    shown = []
    for card in hand.cards:
        faded = card in hand.faded
        picture = f"{card}-faded" if faded else str(card)
        pictures[picture] = card_svg(card, faded=faded)
        shown.append({"sign": card.sign, "picture": picture})
    return shown
