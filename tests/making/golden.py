"""Golden replays: questions with the answers that the engine gave to them, and whether the changelog names those.

`python -m tests.golden` writes the files. What is needed to judge the questions again is here, and needs nothing but
what is served.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from replays.answers import Answer, answer, judge
from replays.canonical import FORMAT, Question, canonical_hand, question_of
from replays.rerun import Drift, drift, hand_of, rules_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden"
CHANGELOG = ROOT / "CHANGELOG.md"
HEADING = "Rulings that change"
SHOWN = 16
"""Digits of a golden file's SHA-256 that the changelog has."""


class GoldenAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer, and the version of the engine that first gave it."""

    digest: str
    engine: str
    ruling: Raw


class Golden(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a golden file, which is an archive: a question and its answers, in canonical bytes."""

    answers: tuple[GoldenAnswer, ...]
    """One, and another for each version that changed it."""
    question: Raw
    replay: str

    @property
    def newest(self) -> Answer:
        """Return the answer that is to be given, as a store keeps it."""
        return Answer(self.answers[-1].engine, bytes(self.answers[-1].ruling))

    def asked(self) -> Question:
        """Return the question as a store keeps it."""
        parts = msgspec.json.decode(self.question, type=_Parts)
        return Question(bytes(parts.hand), bytes(parts.rules), parts.format)


class _Parts(Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    hand: Raw
    rules: Raw


_read = msgspec.json.Decoder(Golden).decode
_write = msgspec.json.Encoder(order="sorted").encode


def files() -> list[Path]:
    """Return the golden files."""
    return sorted(FOLDER.glob("*.ndjson"))


def goldens(path: Path) -> list[Golden]:
    """Return the lines of a golden file."""
    return [_read(line) for line in path.read_bytes().splitlines()]


def content(lines: Iterable[Golden]) -> bytes:
    """Return the bytes of a golden file."""
    return b"".join([_write(line) + b"\n" for line in lines])


def again(line: Golden) -> Golden:
    """Return a line with everything made anew from what its question says, and a changed answer as a further one."""
    asked = line.asked()
    hand, rules = canonical_hand(hand_of(asked)), rules_of(asked)
    question = question_of(hand, rules) if asked.format == FORMAT else asked
    now = answer(judge(hand, rules))
    answers = [Answer(given.engine, bytes(given.ruling)) for given in line.answers]
    if now.content != line.newest.content:
        answers = [*(given for given in answers if given.engine != now.engine), now]
    return line_of(question, answers)


def line_of(question: Question, answers: Iterable[Answer]) -> Golden:
    """Return the line of a question and the answers to it."""
    written = [GoldenAnswer(given.digest.hex(), given.engine, Raw(given.content)) for given in answers]
    return Golden(tuple(written), Raw(question.content), question.id)


def changes(before: Sequence[Golden], after: Sequence[Golden]) -> Iterator[tuple[str, Drift]]:
    """Yield the id of each replay whose answer has changed, and what of it."""
    for old, new in zip(before, after, strict=True):
        if drifted := drift(old.newest, new.newest):
            yield old.replay, drifted


def unnamed(changelog: str, name: str, file: bytes) -> str | None:
    """Return what the changelog lacks for a golden file to be as it is, or None if it has it.

    The newest item under the heading that names the file must be of the version that gave the newest of its answers,
    and have the beginning of the file's SHA-256.
    """
    newest = max((_read(line).newest.engine for line in file.splitlines()), key=_number)
    found = next((entry for entry in entries(changelog) if name in entry.says), Entry("none", ""))
    if found.version == newest and shown_digest(file) in found.says:
        return None
    return (
        f"CHANGELOG.md has to name, under the heading **{HEADING}** of {newest}, what has changed in the golden "
        f"answers, in an item that ends with: `{name}` is `{shown_digest(file)}`."
    )


class Entry(NamedTuple):
    """An item of the changelog under the heading for changed rulings."""

    version: str
    says: str


def entries(changelog: str) -> Iterator[Entry]:
    """Yield the items under the heading for changed rulings, the newest version's first."""
    for chapter in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        version = re.split(r"[,\s]", chapter, maxsplit=1)[0]
        for section in re.split(r"^### ", chapter, flags=re.MULTILINE)[1:]:
            heading, _, body = section.partition("\n")
            if heading.strip() == HEADING:
                items = re.split(r"^- ", body, flags=re.MULTILINE)[1:]
                yield from (Entry(version, " ".join(item.split())) for item in items)


def shown_digest(file: bytes) -> str:
    """Return the beginning of a file's SHA-256."""
    return sha256(file).hexdigest()[:SHOWN]


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
