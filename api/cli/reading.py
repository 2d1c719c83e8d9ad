"""Reading hands: from files that hold text, JSON or lines of JSON, which are told apart by what they hold."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Literal, NamedTuple

import msgspec

from api.cli.archives import STANDARD, ArchiveFileError, pieces_of
from api.cli.pointing import NotUnderstoodError, Trouble
from api.cli.questions import Question, question_in_text, questions_in_json
from api.cli.texts import MARK, Source
from replays.lines import LineCutter

LONGEST_LINE = 1_000_000
"""Bytes that a line of JSON may have, as in a request to the service."""
LARGEST = 16_000_000
"""Bytes that a text, or JSON on several lines, may have, as in a batch."""

_BLANK = b" \t\r\n"
# In the text notation a bracket comes before a word, and a brace before a comment, which ends on its line.
_JSON = re.compile(rb'\{[ \t]*(?:["}\r\n]|\Z)|\[[ \t\r\n]*(?:[\[{"\]]|\Z)')

Kind = Literal["text", "json", "lines"]
Fault = Literal["truncated", "malformed"]


class Item(NamedTuple):
    """A hand as a file has it, or why it is not understood."""

    name: str
    """What messages call it: its file, and where in that it is, if there is more than one."""
    asked: Question | NotUnderstoodError


def read(names: Sequence[str], on_bytes: Callable[[int], object] = lambda _: None) -> Iterator[Item]:
    """Yield every hand of some files, in order; `-` is standard input.

    `on_bytes` is told how many bytes were read, each time. What is not understood spoils no other hand.
    """
    for name in names:
        try:
            yield from _read(name, on_bytes)
        except ArchiveFileError as error:
            yield Item(shown(name), NotUnderstoodError(Trouble(str(error)), kind="not-decodable"))


def read_one(name: str) -> Question:
    """Return the only hand of a file; raise NotUnderstoodError if it is not understood, or there is another."""
    asked = [item.asked for item in islice(read([name]), 2)]
    if not asked:
        raise NotUnderstoodError(Trouble("There is no hand in it.", shown(name)))
    if len(asked) > 1:
        raise NotUnderstoodError(Trouble("There is more than one hand in it, and this is about one.", shown(name)))
    if isinstance(asked[0], NotUnderstoodError):
        raise asked[0]
    return asked[0]


def shown(name: str) -> str:
    """Return what messages call a file."""
    return "standard input" if name == STANDARD else name


def _read(name: str, on_bytes: Callable[[int], object]) -> Iterator[Item]:
    """Yield every hand of a file, at least one item; raise ArchiveFileError where it cannot be read any further."""
    pieces = _counted(pieces_of(name), on_bytes)
    head, kind = b"", None
    for piece in pieces:
        head += piece
        kind = _kind(head, is_whole=False)
        if kind:
            break
    if (kind or _kind(head, is_whole=True)) == "lines":
        yield from _of_lines(shown(name), chain([head], pieces))
        return
    content = bytearray()
    for piece in chain([head], pieces):
        content += piece
        if len(content) > LARGEST:
            says = f"It is larger than {LARGEST:,} bytes. Many hands are read one by one if each is a line of JSON."
            yield Item(shown(name), NotUnderstoodError(Trouble(says, shown(name)), kind="too-large"))
            return
    if kind == "json" and _has_long_line_first(bytes(content)):
        yield from _of_lines(shown(name), iter([bytes(content)]))
        return
    yield from _of_source(Source(shown(name), bytes(content)), is_json=kind == "json" or _is_json(head))


def _of_source(source: Source, *, is_json: bool) -> Iterator[Item]:
    if is_json:
        for at, asked in questions_in_json(source):
            yield Item(f"{source.name}#{at}" if at else source.name, asked)
        return
    try:
        yield Item(source.name, question_in_text(source))
    except NotUnderstoodError as error:
        yield Item(source.name, error)


def _of_lines(name: str, pieces: Iterator[bytes]) -> Iterator[Item]:
    cutter = LineCutter(LONGEST_LINE)
    for line in chain((line for piece in pieces for line in cutter.cut(piece)), cutter.rest()):
        if line.content is None:
            trouble = Trouble(f"The line is longer than {LONGEST_LINE:,} bytes.", name, line.number)
            yield Item(f"{name}:{line.number}", NotUnderstoodError(trouble, kind="too-large"))
        else:
            for at, asked in questions_in_json(Source(name, line.content, line.number)):
                yield Item(f"{name}:{line.number}{'#' if at else ''}{at}", asked)


def _counted(pieces: Iterator[bytes], on_bytes: Callable[[int], object]) -> Iterator[bytes]:
    for piece in pieces:
        on_bytes(len(piece))
        yield piece


def _is_json(head: bytes) -> bool:
    return bool(_JSON.match(head.removeprefix(MARK).lstrip(_BLANK)))


def _kind(head: bytes, *, is_whole: bool) -> Kind | None:
    """Return what a file holds that begins so; None if more of it has to be seen, unless that is the whole of it.

    JSON on lines of its own has a first line that is complete, or wrong, and then a second one that begins anew.
    """
    begun = head.removeprefix(MARK).lstrip(_BLANK)
    if not _is_json(begun):
        return "text" if is_whole or len(begun) > 1 else None
    first, end, rest = begun.partition(b"\n")
    if len(first) > LONGEST_LINE:
        return "json"
    if not end and not is_whole:
        return None
    fault = _fault(first)
    return "lines" if fault is None else _kind_by_second(first, fault, rest.lstrip(_BLANK), is_whole=is_whole)


def _kind_by_second(first: bytes, fault: Fault, rest: bytes, *, is_whole: bool) -> Kind | None:
    """Return what a file holds whose first line is no JSON by itself, by what follows."""
    second, is_complete, _ = rest.partition(b"\n")
    if second[:1] != b"{":
        return "json" if second or is_whole else None
    if fault == "malformed":
        return "lines"
    # It goes on, or it is cut short: only then does a line follow that is complete, and no continuation.
    if not is_complete and not is_whole:
        return "json" if len(second) > LONGEST_LINE else None
    return "lines" if _fault(second) is None and _fault(first + b"\n" + second) == "malformed" else "json"


def _has_long_line_first(content: bytes) -> bool:
    """Return whether JSON is on lines of which only the first is too long to be one, which was not known before."""
    first, _, rest = content.removeprefix(MARK).lstrip(_BLANK).partition(b"\n")
    return len(first) > LONGEST_LINE and rest.lstrip(_BLANK)[:1] == b"{" and _fault(first) is None


def _fault(content: bytes) -> Fault | None:
    """Return what is wrong with JSON, if anything is: whether it would have to go on, or is none whatever follows."""
    try:
        msgspec.json.decode(content, type=msgspec.Raw)
    except RecursionError:
        return "malformed"
    except msgspec.DecodeError as error:
        return "truncated" if "truncated" in str(error) else "malformed"
    return None
