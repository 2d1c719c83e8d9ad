"""Whole pages: a text or the reference in its frame, and what a browser is told of it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.constants import Constant
from api.media import HTML, MARKDOWN
from api.pages.assets import asset
from api.pages.guide import START, Page, chapters, pages

_ALLOWED = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
_ALLOWED_IN_REFERENCE = {
    # It fetches the document, and sends the requests that are tried out, to this service alone.
    "connect-src": "'self'",
    # The pictures in Swagger UI's style sheet are written into it.
    "img-src": "'self' data:",
}
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def guidance(page: Page) -> Constant:
    """Return a page of the guide, as HTML and as the Markdown that it is made from."""
    # Only now: it takes longer to import than all the rest of the service takes to start.
    from api.pages.markdown import written  # noqa: PLC0415 - as just said

    order = [pages()[START], *[each for chapter in chapters() for each in chapter.pages]]
    place = order.index(page)
    html = _rendered(
        "page.html",
        page=page,
        text=written(page),
        before=order[place - 1] if place else None,
        after=order[place + 1] if place + 1 < len(order) else None,
    )
    return Constant(None, {HTML: html, MARKDOWN: page.source().encode()}, _allowing({}))


@cache
def reference() -> Constant:
    """Return the page with a form for every request."""
    return Constant(None, {HTML: _rendered("reference.html")}, _allowing(_ALLOWED_IN_REFERENCE))


def _rendered(template: str, **values: object) -> bytes:
    def address(name: str) -> str:
        return f"/docs/files/{asset(name).name}"

    text = _TEMPLATES.get_template(template).render(file=address, chapters=chapters(), **values)
    return text.encode()


def _allowing(policy: Mapping[str, str]) -> Mapping[str, str]:
    """Return the header that tells a browser what a page may do: what all may, and what it may besides."""
    return {"Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in {**_ALLOWED, **policy}.items())}
