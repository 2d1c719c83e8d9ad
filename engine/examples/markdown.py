"""Passages as plain Markdown, in which nothing that a stranger wrote becomes markup or a link."""

import re
from collections.abc import Iterator, Sequence

from schemas.examples import Passage

_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What would end a line or cannot be shown."""

_AT_START = re.compile(r"([0-9]+)([.)])|[#+=-]")
"""What makes a heading, an item or a rule of a line that begins with it."""

_ANYWHERE = re.compile(
    r"[\\`*_\[\]<>~|$&.:@/]"
    # Looked at from behind the character, because the search is much faster if it begins with a set of them.
    r"(?:(?<=[\\`*_\[\]<>~|$])"
    r"|(?<=&)(?=[#0-9A-Za-z])"
    # Between other characters these make a bare address into a link; after a word they are only punctuation.
    r"|(?<=[^\s.]\.)(?=[^\s!-/:-@\[-`{-~])"
    r"|(?<=[Ww]{3}\.)"
    r"|(?<=\w:)(?=\S)"
    r"|(?<=@)(?=\S)"
    r"|(?<=/)(?=/))"
)
"""What is markup, or may be, wherever it stands in a line."""


_WORD_JOINER = "\u2060"
"""Has no width. GitHub makes a link of an e-mail address even where its @ is escaped, but not of one with this."""


def as_markdown(passages: Sequence[Passage]) -> str:
    """Return passages as Markdown: paragraphs, and lists of "- ", with blank lines between them.

    Text is shown as it is, in CommonMark and with GitHub's extensions; what cannot be shown, as a space. An @ within
    a word is followed by a word joiner, which has no width.
    """
    blocks = "\n\n".join(_blocks(passages))
    return f"{blocks}\n" if blocks else ""


def _blocks(passages: Sequence[Passage]) -> Iterator[str]:
    for passage in passages:
        if says := escaped(passage.says):
            yield says
        if items := [item for item in map(escaped, passage.items) if item]:
            yield "\n".join(f"- {item}" for item in items)


def escaped(text: str) -> str:
    """Return text as one line of Markdown that shows just that text."""
    line = _ANYWHERE.sub(r"\\\g<0>", _NOT_TEXT.sub(" ", text).strip())
    if "@" in line:
        line = line.replace("\\@", f"\\@{_WORD_JOINER}")
    start = _AT_START.match(line)
    if start is None:
        return line
    before = start[1] or ""
    return f"{before}\\{line[len(before) :]}"
