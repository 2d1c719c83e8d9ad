"""A rule sheet as text: HTML and Markdown. What the sheet says is escaped here, in the one way of each format."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from api.sheets.cards import card_svg, parts
from api.sheets.hands import shown_hands
from api.sheets.sheet import Sheet
from api.sheets.typesetting import Paper
from engine.examples.markdown import escaped
from schemas.cards import Card

_SIZES: dict[Paper, str] = {"letter": "letter", "a4": "A4"}
_TEMPLATES = FileSystemLoader(Path(__file__).with_name("templates"))
_HOUSE = "◆ House rule: the standard game has another one."
_SUM = re.compile(r"\d+(?: \+ \d+)+ = \d+")
_READING = "Our reading: the source is silent on it, or contradicts itself."


def html(sheet: Sheet, paper: Paper) -> bytes:
    """Return a rule sheet as a page by itself, which asks for no other file and runs no script."""
    return _rendered(_PAGES, "sheet.html", sheet, style=Markup(_style(paper)))  # noqa: S704 - it is our own file


def markdown(sheet: Sheet) -> bytes:
    """Return a rule sheet as Markdown with tables."""
    return _rendered(_TEXTS, "sheet.md", sheet)


@cache
def style_source(paper: Paper) -> str:
    """Return what a Content-Security-Policy calls the style of a page, and allows no other."""
    return f"'sha256-{b64encode(sha256(_style(paper).encode()).digest()).decode()}'"


@cache
def _style(paper: Paper) -> str:
    return _TEXTS.get_template("sheet.css").render(size=_SIZES[paper])


def _rendered(environment: Environment, template: str, sheet: Sheet, **more: object) -> bytes:
    sentences = [sentence for section in sheet.sections for sentence in section.sentences]
    notes = [
        *([_HOUSE] if any(sentence.house for sentence in sentences) else []),
        *([_READING] if any(sentence.reading for sentence in sentences) else []),
    ]
    text = environment.get_template(template).render(sheet=sheet, notes=notes, hands=shown_hands, **more)
    # A lone surrogate, which JSON can hold, is no character.
    return text.encode(errors="replace")


def _in_colour(text: str) -> Markup:
    """Return a text for HTML, with cards and suits in their colours, and each sum on one line."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(part.colour, part.says) if part.colour else escape(part.says)
        for part in parts(_SUM.sub(lambda found: found[0].replace(" ", "\u00a0"), text))
    )


def _drawn(card: Card, faded: bool) -> Markup:  # noqa: FBT001 - a template's filter takes its arguments by position
    return Markup(card_svg(card, faded=faded))  # noqa: S704 - drawn of our own paths


def in_markdown(value: object) -> object:
    """Return a value for Markdown: text in which no character means anything but itself."""
    if not isinstance(value, str):
        return value
    return escaped(value)


def _environment(**settings: Any) -> Environment:  # noqa: ANN401 - as Jinja takes them
    return Environment(  # noqa: S701 - both kinds escape: HTML by itself, Markdown in `finalize`
        loader=_TEMPLATES, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, **settings
    )


_PAGES = _environment(autoescape=True)
_PAGES.filters |= {"cards": _in_colour, "drawn": _drawn}
_TEXTS = _environment(autoescape=False, finalize=in_markdown)
