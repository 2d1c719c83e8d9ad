"""Pages of the desk: a template with the words and pictures that it needs, and what a browser may do with it."""

import re
from pathlib import Path
from types import SimpleNamespace

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from api.desk.words import name_of, spoken, words
from api.pages.assets import asset
from api.sheets.cards import HEIGHT, WIDTH, parts
from schemas.cards import Card

_ALLOWED = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
ALLOWED = {"Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in _ALLOWED.items())}
"""What a browser may do with a page: ask this service, and nobody else."""
_CODE = re.compile(r"`([a-z0-9_]+(?:: [a-z0-9_.]+)?)`")
"""An option or an answer within a sentence of the engine's; a name with backticks is hardly ever so."""
_QUOTED = re.compile("`([^`]+)`")
"""What a complaint about a text quotes of it, or gives as an example."""
USES = {"settle": "/", "replay": "/desk/replay", "rules": "/desk/rules", "score": "/desk/score"}
"""Where each use of the desk is found."""


def rendered(template: str, **values: object) -> bytes:
    """Return a page."""
    return _TEMPLATES.get_template(template).render(**values).encode(errors="replace")


def drawn(card: Card | str, kind: str = "") -> Markup:
    """Return a card as a picture that is read aloud by its name; an empty name leaves the place for one."""
    if not card:
        return Markup('<span class="card empty"></span>')
    card = Card(card)
    picture = Markup('<svg class="card {}" viewBox="0 0 {} {}" role="img" aria-label="{}"><use href="{}#{}"/></svg>')
    return picture.format(kind, WIDTH, HEIGHT, name_of(card), _file("cards.svg"), card.value)


def pips(lives: int) -> Markup:
    """Return lives as dots, which are read aloud as a number."""
    say = words()["seats"]
    label = say["no_lives"] if not lives else say["one_life"] if lives == 1 else say["many_lives"].format(number=lives)
    return Markup('<span class="pips" role="img" aria-label="{}">{}</span>').format(label, "●" * lives or "○")


def _sentence(text: str) -> Markup:
    """Return a sentence with its cards in their colours, and what stands between backticks as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else _in_colour(piece)
        for place, piece in enumerate(_CODE.split(text))
    )


def _complaint(text: str) -> Markup:
    """Return a sentence about a text, with what it quotes as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(_QUOTED.split(text))
    )


def _in_colour(text: str) -> Markup:
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(part.colour, part.says) if part.colour else escape(part.says)
        for part in parts(text)
    )


def _file(name: str) -> str:
    return f"/docs/files/{asset(name).name}"


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals |= {
    "say": SimpleNamespace(**spoken()),
    "file": _file,
    "uses": USES,
    "drawn": drawn,
    "called": name_of,
    "pips": pips,
}
_TEMPLATES.filters |= {"sentence": _sentence, "complaint": _complaint}
