"""Places in a JSON text: where the value stands that a JSON Pointer leads to."""

import re
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined] # the stubs leave it out
from typing import NamedTuple

from schemas.notation import Span

_BLANK = re.compile(r"[ \t\r\n]*")
# What a number is worth is of no interest, and one of very many digits could not be told.
_skip = JSONDecoder(parse_int=len, parse_float=len).raw_decode


class _Found(NamedTuple):
    named: Span
    """The key of the value, or where the value has none, its first character."""
    begin: int
    """Where the value begins."""


class Places:
    """The places in a text that is JSON. What was looked up is not looked for again, so that very many can be."""

    def __init__(self, text: str) -> None:
        """Remember the text."""
        begin = _after_blank(text, 0)
        self._text = text
        self._known: dict[str, _Found | None] = {"": _Found(Span(begin, begin + 1), begin)}
        self._items: dict[str, list[int]] = {}
        """Where the items of an array begin, as far as it was followed."""

    def span_of(self, pointer: str, *, of_key: bool = False) -> Span:
        """Return where the value stands that a JSON Pointer leads to, or its key.

        Of a key that is there twice the last counts. Of what is not there it is the key of the object that lacks it, or
        if that has none, its bracket.
        """
        at = pointer
        while (found := self._find(at)) is None:
            at = at.rpartition("/")[0]
        if of_key or at != pointer:
            return found.named
        try:
            return Span(found.begin, _skip(self._text, found.begin)[1])
        except (JSONDecodeError, RecursionError):
            return found.named

    def _find(self, pointer: str) -> _Found | None:
        if pointer not in self._known:
            parent, _, part = pointer.rpartition("/")
            above = self._find(parent)
            try:
                self._known[pointer] = above and self._member(parent, above.begin, part)
            except (JSONDecodeError, RecursionError):
                self._known[pointer] = None
        return self._known[pointer]

    def _member(self, parent: str, begin: int, part: str) -> _Found | None:
        if self._text[begin] == "{":
            return self._of_object(begin, part.replace("~1", "/").replace("~0", "~"))
        if self._text[begin] == "[" and part.isdecimal():
            return self._of_array(parent, begin, int(part))
        return None

    def _of_object(self, begin: int, key: str) -> _Found | None:
        text, found = self._text, None
        at = _after_blank(text, begin + 1)
        while text[at] == '"':
            name, end = scanstring(text, at + 1)
            value = _after_blank(text, _after_blank(text, end) + 1)
            if name == key:
                found = _Found(Span(at, end), value)
            at = _after_comma(text, _skip(text, value)[1])
        return found

    def _of_array(self, parent: str, begin: int, index: int) -> _Found | None:
        text = self._text
        items = self._items.setdefault(parent, [_after_blank(text, begin + 1)])
        while len(items) <= index and text[items[-1]] != "]":
            items.append(_after_comma(text, _skip(text, items[-1])[1]))
        if len(items) <= index or text[items[index]] == "]":
            return None
        return _Found(Span(items[index], items[index] + 1), items[index])


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _after_comma(text: str, at: int) -> int:
    """Return where the next member begins, or the bracket that ends them."""
    at = _after_blank(text, at)
    return _after_blank(text, at + 1) if text[at] == "," else at
