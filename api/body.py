"""Bodies: the one place where bytes become Structs, strictly and straight from the bytes."""

from collections.abc import Callable
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec
from litestar.types import HTTPScope, Receive

from api.arriving import BROKEN_OFF
from api.bounds import LIMITS
from api.media import FORMATS, NOTATION, WITH_NOTATION, Format
from api.misfits import UNKNOWN_FIELD, misfits, placed
from api.notation import notated
from api.problems import INVALID, NOT_DECODABLE, TOO_LARGE, Fault, FieldError
from api.room import Loan
from schemas.notation import Notated

T = TypeVar("T")

MEGABYTE = 1_000_000
_DIGITS = 12
"""A length with more digits is too long in any case, and costly to read as a number."""
_MOST_ERRORS = 50
"""Places that a problem document points at, at the most."""
_LARGEST_TOLD_WHOLE = 128_000
"""Bytes of a body of which every misfit is told, enough for a hand of 2,000 events.

To read a body once more, without a type, costs ten times as much as to read it.
"""


class Body(Generic[T]):
    """What an operation takes as its body: a type, and the most bytes that it may have."""

    def __init__(
        self,
        reads: type[T],
        limit: int = MEGABYTE,
        schema: Any = None,  # noqa: ANN401 - a type
        called: str = "body",
        of_notated: Callable[[Notated], T] | None = None,
    ) -> None:
        """Make the decoders once. `schema` is the documented type, where parts are decoded later.

        `called` is what problems call it. `of_notated` makes the value of a hand in the text notation, where that is
        taken too.
        """
        self._reads = reads
        self._called = called
        self.schema = schema or reads
        self.limit = limit
        self.takes = WITH_NOTATION if of_notated else tuple(FORMATS)
        """The media types that it may be of."""
        self._of_notated = of_notated
        self._json = msgspec.json.Decoder(reads)
        self._packed = msgspec.msgpack.Decoder(reads)

    async def read(self, headers: dict[bytes, bytes], scope: HTTPScope, receive: Receive, loan: Loan) -> bytes:
        """Return the bytes of a body; what a large one takes is lent.

        Raises a 413 fault as soon as there are too many, a 408 fault if no more come, and a 503 fault if there is no
        room for them.
        """
        announced = headers.get(b"content-length", b"").lstrip(b"0")
        if announced.isdigit() and (len(announced) > _DIGITS or int(announced) > self.limit):
            raise self._too_large()
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message: Any = await receive()
            if BROKEN_OFF in scope:  # as `next_message` does it, without the cost of another coroutine
                raise scope[BROKEN_OFF]  # type: ignore[literal-required] # a key of ours, which holds a fault
            if message["type"] == "http.disconnect":
                raise Fault(NOT_DECODABLE, "The connection was closed before the whole body had come.")
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > self.limit:
                raise self._too_large()
            if size > LIMITS.small_body:
                loan.grow(size)
            parts.append(part)
            more = bool(message.get("more_body"))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def decode(self, body: bytes, written_in: Format, pointer: str = "") -> T:
        """Return the value that a body holds; `pointer` is where it stands, if inside a larger body.

        Raises a 400 fault if it cannot be decoded, a 422 fault if it does not fit the type.
        """
        if written_in is NOTATION and self._of_notated:
            return self._of_notated(notated(self._text(body)))
        decoder = self._packed if written_in.packed else self._json
        try:
            return decoder.decode(body)
        except msgspec.ValidationError as error:
            _check_decodable(body, written_in, self._called)
            raise _misfit(str(error), self._all_misfits(body, written_in, pointer), pointer) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _not_decodable(body, error, self._called) from None

    def _all_misfits(self, body: bytes, written_in: Format, pointer: str) -> list[FieldError]:
        """Return the places that do not fit; none if they cannot be told apart, or the body is large."""
        if len(body) > _LARGEST_TOLD_WHOLE:
            return []
        try:
            value = msgspec.msgpack.decode(body) if written_in.packed else msgspec.json.decode(body)
            found = islice(misfits(value, self._reads, pointer), _MOST_ERRORS)
            return [FieldError(detail=message, pointer=place) for place, message in found]
        except (msgspec.MsgspecError, RecursionError, TypeError, ValueError):  # what only the typed decoder understands
            return []

    def _text(self, body: bytes) -> str:
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            raise _not_decodable(body, error, self._called) from None
        if not text:
            raise Fault(NOT_DECODABLE, _EMPTY.format(self._called))
        return text

    def _too_large(self) -> Fault:
        return Fault(TOO_LARGE, f"The body is larger than {self.limit:,} bytes.", headers={"Connection": "close"})


def _check_decodable(body: bytes, written_in: Format, called: str) -> None:
    """Raise a 400 fault if a body that does not fit its type cannot be decoded at all.

    The typed decoder stops at the first thing that does not fit; what follows may be no JSON. It is only skipped
    through here, so that a large body of the wrong shape is not built in memory.
    """
    try:
        if written_in.packed:
            msgspec.msgpack.decode(body, type=msgspec.Raw)
        else:
            body.decode()
            msgspec.json.decode(body, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_decodable(body, error, called) from None


def _not_decodable(body: bytes, error: Exception, called: str) -> Fault:
    if not body:
        return Fault(NOT_DECODABLE, _EMPTY.format(called))
    if isinstance(error, RecursionError):
        return Fault(NOT_DECODABLE, f"The {called} is nested too deeply.")
    why = "it holds text that is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
    return Fault(NOT_DECODABLE, f"The {called} cannot be decoded: {why}.")


_EMPTY = "The {} is empty."


def _misfit(message: str, all_of_them: list[FieldError], pointer: str) -> Fault:
    """Return the fault for a body that does not fit: what the decoder found first, and then the rest."""
    misfit = placed(message, pointer)
    first = FieldError(detail=misfit.message, pointer=misfit.pointer)
    if all_of_them and first not in all_of_them and first.detail.startswith(UNKNOWN_FIELD):
        first = all_of_them[0]  # the field is called as if its name were a place
    others = [each for each in all_of_them if each.pointer != first.pointer][: _MOST_ERRORS - 1]
    more = f", and {len(others)} more: see `errors`" if others else ""
    detail = f"{first.detail[:-1]} at {first.pointer or 'the top'}{more}."
    return Fault(INVALID, detail, first, *others)
