"""The code blocks of README.md and docs/, and what is said of each in a comment before it.

A comment is one of these, by itself on the line before the block:

- `<!-- not run: REASON -->`: the block is not run, and why;
- `<!-- run by FILE -->` or `<!-- run by make TARGET -->`: it is checked there;
- `<!-- file: NAME -->`: it is the content of a file that the blocks after it use;
- `<!-- request: METHOD /path -->`: it is the body of that request, not of the one that the page named last;
- `<!-- answers STATUS -->`: the commands get that status, which is no success, and the page does not show the answer.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_COMMENT = re.compile(r"<!-- (?P<kind>not run|run by|file|request|answers):? (?P<says>.+?) -->\s*\Z", re.DOTALL)
_REQUEST = re.compile(r"`(?P<method>GET|POST|DELETE) (?P<path>/v1/[^`\s?]*)`")


class Block(NamedTuple):
    """A fenced block."""

    page: str
    line: int
    """Where it begins, from 1."""
    language: str
    text: str
    kind: str
    """What the comment before it is: `not run`, `run by`, `file`, `request`, `answers`, or nothing."""
    says: str
    """What that comment says."""
    near: str
    """The request that the page named last before it, such as `POST /v1/rulings`."""

    section: int
    """How many headings are before it."""

    @property
    def place(self) -> str:
        """Return where it is, for a message."""
        return f"{self.page}:{self.line}"

    @property
    def runs(self) -> bool:
        """Return whether it is to be run here."""
        return self.kind not in {"not run", "run by"}


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    before, near, section = "", "POST /v1/rulings", 0
    for token in MarkdownIt().parse(text):
        section += token.type == "heading_open"
        if token.type == "inline":
            named = _REQUEST.findall(token.content)
            near = " ".join(named[-1]) if named else near
        if token.type in {"fence", "code_block"}:
            found = _COMMENT.search(before)
            kind, says = (found["kind"], " ".join(found["says"].split())) if found else ("", "")
            line = (token.map or [0])[0] + 1
            name = page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name
            yield Block(name, line, token.info.strip(), token.content, kind, says, near, section)
        if token.type in {"html_block", "inline", "fence", "code_block"}:
            before = token.content if token.type == "html_block" else ""
