"""Scanning: from a text to its entries, each as tokens. Every character is looked at once."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

NEW_LINE = re.compile(r"\r\n?|\n")
_DASHES = r"\-\u2010-\u2015\u2212"
# No quantifier gives back what it took, and each part takes the rest of its line if its end is missing.
_TOKEN = re.compile(
    rf"""
      (?P<end>    \r\n? | [\n;] )
    | (?P<blank>  [^\S\r\n]++ | \#[^\r\n]*+ )
    | (?P<comment>\{{ [^}}\r\n]*+ \}}? )
    | (?P<quoted> " (?: [^"\\\r\n] | \\[^\r\n] )*+ "? )
    | (?P<sign>   [+^{_DASHES}] )
    | (?P<query>  \?++ )
    | (?P<mark>   [\[\]}}():,=\\] )
    | (?P<word>   [^\s\[\]{{}}():;,="\#?\\+^{_DASHES}]++ )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word or a sign of the text."""

    kind: Literal["end", "comment", "quoted", "sign", "query", "mark", "word"]
    text: str
    """As it is written, but every dash is a hyphen."""
    at: int
    """Where it begins in the text, from 0."""

    @property
    def end(self) -> int:
        """Return where it ends in the text."""
        return self.at + len(self.text)

    @property
    def word(self) -> str:
        """Return the token as it is compared with words: the case of letters does not count."""
        return self.text.casefold()


Entry = list[Token]
"""What stands in a line, or a part of it: a fact in brackets from its `[` to its `]`, or anything up to a `;`."""


def entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a text, without those that are empty; an entry that begins with `[` may lack its `]`."""
    entry: Entry = []
    for token in _tokens(text):
        opens = token.text == "["
        if token.kind == "end" or opens:
            if entry:
                yield entry
            entry = [token] if opens else []
            continue
        entry.append(token)
        if token.text == "]" and entry[0].text == "[":
            yield entry
            entry = []


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "sign":
            sign = found[0]
            yield Token("sign", sign if sign in "+^" else "-", found.start())
        elif kind != "blank":
            yield Token(kind, found[0], found.start())  # type: ignore[arg-type] # the names of the groups
    yield Token("end", "", len(text))
