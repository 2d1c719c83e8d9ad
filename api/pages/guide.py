"""The guide: which pages `docs/` has, in which order they are read, and what each is called."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).parents[2] / "docs"
"""Beside the packages, in a checkout as in an installation."""
START = "README"
"""The page that is shown first."""

_CHAPTERS = {
    "Start": ("getting-started", "desk"),
    "Use": ("rulings", "notation", "command-line", "rule-sets", "disputes", "games", "replays", "sheets"),
    "Requests": ("api", "clients", "errors", "limits"),
    "Operation": ("configuration", "access", "overload", "archives", "security"),
    "Background": ("readings", "replay-format", "engine", "performance", "testing", "checklist", "adding-a-rule"),
}
_LEFT_OVER = "More"


class Page(Struct, frozen=True):
    """A page of the guide."""

    name: str
    title: str

    @property
    def address(self) -> str:
        """Return where the page is found."""
        return "/docs" if self.name == START else f"/docs/{self.name}"

    def source(self) -> str:
        """Return the text, as Markdown."""
        return (FOLDER / f"{self.name}.md").read_text(encoding="utf-8")


class Chapter(Struct, frozen=True):
    """Pages that belong together."""

    title: str
    pages: tuple[Page, ...]


@cache
def pages() -> Mapping[str, Page]:
    """Return every page by its name."""
    return {path.stem: Page(path.stem, _title(path)) for path in sorted(FOLDER.glob("*.md"))}


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the pages in the order of reading, without the first; those that belong nowhere come last."""
    return tuple(_chapters())


def _chapters() -> Iterator[Chapter]:
    left = {name: page for name, page in pages().items() if name != START}
    for title, names in _CHAPTERS.items():
        yield Chapter(title, tuple(left.pop(name) for name in names if name in left))
    if left:
        yield Chapter(_LEFT_OVER, tuple(left.values()))


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()
