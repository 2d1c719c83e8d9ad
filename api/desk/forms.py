"""Forms: what a browser sends, from an address or a body, read without trust."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from litestar import Request

from api.arriving import headers_by_name
from api.body import Body
from api.problems import BAD_PARAMETER, UNSUPPORTED_MEDIA_TYPE, Fault
from api.room import Loan, Room

FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 200
_BODY = Body(bytes)


class Form:
    """The fields of a form, in the order sent; a field may have several values."""

    def __init__(self, fields: Iterable[tuple[str, str]]) -> None:
        """Keep the fields."""
        self._fields: dict[str, list[str]] = {}
        for name, value in fields:
            self._fields.setdefault(name, []).append(value)

    def text(self, name: str, standard: str = "", longest: int = 1000) -> str:
        """Return the last value of a field, cut where it is too long."""
        return self._fields.get(name, [standard])[-1][:longest]

    def name(self, name: str, longest: int) -> str:
        """Return a field as a name: characters that are not seen are left out, and spaces at its ends."""
        seen = "".join(character for character in self.text(name, longest=longest) if character.isprintable())
        return " ".join(seen.split())

    def number(self, name: str, standard: int, least: int, most: int) -> int:
        """Return a field as a number that is brought within bounds; the standard one if it is no number."""
        text = self.text(name).strip()
        return min(most, max(least, int(text))) if text.isascii() and text.isdigit() and len(text) < 6 else standard  # noqa: PLR2004 - digits that no number here needs

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        return self._fields.get(name, [])

    def starting(self, prefix: str) -> dict[str, str]:
        """Return the last value of every field whose name starts so, by the rest of the name."""
        return {
            name.removeprefix(prefix): values[-1] for name, values in self._fields.items() if name.startswith(prefix)
        }

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was sent."""
        return not self._fields

    def __contains__(self, name: str) -> bool:
        """Return whether a field was sent."""
        return name in self._fields


def read_fields(content: bytes) -> Form:
    """Return the fields of a form; raise a 400 fault if there are too many, or one that is not UTF-8."""
    try:
        pairs = parse_qsl(
            content.decode(), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError:  # that is also what is raised for text that is not UTF-8
        raise Fault(
            BAD_PARAMETER, f"The form has more than {_MOST_FIELDS} fields, or text that is not UTF-8."
        ) from None
    return Form(pairs)


async def sent_form(request: Request[Any, Any, Any], room: Room) -> Form:
    """Return the form of a request: from its body, or without one from its address."""
    if request.method != "POST":
        return read_fields(request.scope["query_string"])
    headers = headers_by_name(request.scope)
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != FORM.encode():
        raise Fault(UNSUPPORTED_MEDIA_TYPE, f"A page of the desk takes `{FORM}`.", headers={"Accept": FORM})
    loan = Loan(room)
    try:
        return read_fields(await _BODY.read(headers, request.scope, request.receive, loan))
    finally:
        loan.end()


def address(path: str, fields: Iterable[tuple[str, str]]) -> str:
    """Return an address with these fields, those without a value left out."""
    query = urlencode([(name, value) for name, value in fields if value != ""])
    return f"{path}?{query}" if query else path


def fragment(names: Iterable[str]) -> str:
    """Return names as the part of an address that a browser keeps to itself; nothing if there are none.

    They are quoted twice: each by itself, since a name may have a comma, and all of them as one field.
    """
    quoted = [quote(name, safe="") for name in names]
    return "#" + urlencode({"names": ",".join(quoted)}, safe=",") if any(quoted) else ""
