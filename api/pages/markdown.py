"""From the Markdown of a page to its HTML: headings that can be linked to, links within the service, code, tables."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup
from msgspec import Struct

from api.pages.guide import Page

USUAL_ADDRESS = "http://127.0.0.1:8031"
"""Where pages say that the service is."""
_LONG = 24
"""Characters of a name from which on it may be broken: a table of such names would else not fit any window."""


class Heading(Struct, frozen=True):
    """A heading of the second level, for the list of contents."""

    anchor: str
    says: str


class Text(Struct, frozen=True):
    """A page in HTML."""

    html: Markup
    headings: tuple[Heading, ...]


class _Renderer(RendererHTML):
    """Writes HTML in which what is wider than a phone can be scrolled by itself, with the keyboard too."""

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Return a block of code, drawings as they are drawn. The script of the pages puts a button beside commands."""
        written = super().fence(tokens, index, options, env)
        language = tokens[index].info
        if not language:
            written = written.replace("<pre>", '<pre class="drawn" tabindex="0">', 1)
        return f'<div class="code {language}">{written}</div>\n'

    def code_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Return code within a text. What is long may go on in the next line, and is copied as one all the same."""
        code = tokens[index].content
        if len(code) < _LONG or USUAL_ADDRESS in code:  # the script of the pages looks for the address in one piece
            return super().code_inline(tokens, index, options, env)
        broken = re.sub("[/_]|::", r"\g<0><wbr>", escapeHtml(code))
        return f"<code>{broken}</code>"

    def table_open(self, *_: object) -> str:
        """Return the start of a table."""
        return '<div class="table" tabindex="0" role="group" aria-label="Table">\n<table>\n'

    def table_close(self, *_: object) -> str:
        """Return the end of a table."""
        return "</table>\n</div>\n"


# No HTML in Markdown: a text in pointed brackets is a text.
_PARSER = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def written(page: Page) -> Text:
    """Return a page in HTML."""
    tokens = _PARSER.parse(page.source())
    headings = _anchored(tokens)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrs["href"] = address_of(str(inner.attrs["href"]))
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return Text(Markup(html), tuple(headings))  # noqa: S704 - the parser has escaped what is not its own


def address_of(link: str) -> str:
    """Return where a link of a page in `docs/` leads in the service.

    Other pages have addresses of their own there, and what is written as the usual address of the service is itself.
    """
    if link.startswith(USUAL_ADDRESS):
        return link.removeprefix(USUAL_ADDRESS)
    parts = urlsplit(link)
    if parts.scheme or not parts.path.endswith(".md"):
        return link
    name = parts.path.removesuffix(".md")
    path = "/docs" if name.endswith("README") else f"/docs/{name}"
    return parts._replace(path=path).geturl()


def _anchored(tokens: Sequence[Token]) -> list[Heading]:
    """Give each heading below the title an id, by GitHub's way, and make it a link to itself; return the main ones."""
    seen: Counter[str] = Counter()
    main = []
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.tag == "h1":
            continue
        says = "".join(inner.content for inner in inline.children or ())
        anchor = re.sub(r"[^\w\- ]", "", says.lower()).replace(" ", "-")
        seen[anchor] += 1
        if seen[anchor] > 1:
            anchor = f"{anchor}-{seen[anchor] - 1}"
        opening.attrs["id"] = anchor
        link = Token("link_open", "a", 1, attrs={"href": f"#{anchor}"})
        inline.children = [link, *(inline.children or ()), Token("link_close", "a", -1)]
        if opening.tag == "h2":
            main.append(Heading(anchor, says))
    return main
