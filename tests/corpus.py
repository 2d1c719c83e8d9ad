"""The conformance cases: hands with the answers that the rules give, one file a chapter.

`tests/cases/README.md` says what a case is. The examples in `tests/engine/examples` have the same form.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.presets import RuleChoice
from schemas.hand import Hand
from tests.questions import Question

CASES = Path(__file__).parent / "cases"
EXAMPLES = Path(__file__).parent / "engine" / "examples"


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a chapter: a hand, cards to value, or a request that cannot be understood."""

    id: str
    title: str
    source: str = ""
    hand: dict[str, Any] | None = None
    cards: tuple[str, ...] | None = None
    partial: bool = False
    expect: tuple[dict[str, Any], ...] = ()
    body: dict[str, Any] | None = None
    path: str = "/v1/rulings"
    status: int | None = None


class Asked(NamedTuple):
    """A case under one of its rule sets, with what is expected then."""

    case: Case
    expected: dict[str, Any]

    def __str__(self) -> str:
        """Return a name for this pair, such as `ties.two-others [casual knocker_tie=safe]`."""
        rules = self.expected["rules"]
        changes = [f"{option}={answer}" for option, answer in rules.get("changes", {}).items()]
        return f"{self.case.id} [{' '.join([rules.get('preset', 'default'), *changes])}]"

    @property
    def choice(self) -> RuleChoice:
        """Return the rules that are asked for."""
        return msgspec.convert(self.expected["rules"], RuleChoice)

    def question(self) -> Question:
        """Return the hand and the rules, as a request would give them."""
        return Question(msgspec.convert(self.case.hand, Hand), self.choice)


def chapters(folder: Path = CASES) -> dict[str, list[Case]]:
    """Return the cases of each file, by the file's name without its ending."""
    decoder = msgspec.json.Decoder(Case)
    return {path.stem: decoder.decode_lines(path.read_bytes()) for path in sorted(folder.glob("*.jsonl"))}


def asked(folder: Path = CASES) -> list[Asked]:
    """Return every case of a folder under each of its rule sets; those of bad requests expect no ruling."""
    return [Asked(case, expected) for case in _all(folder) for expected in case.expect]


def hands(folder: Path = CASES) -> list[Asked]:
    """Return the pairs that ask for the ruling of a hand."""
    return [pair for pair in asked(folder) if pair.case.hand is not None]


def valuations(folder: Path = CASES) -> list[Asked]:
    """Return the pairs that ask for the value of cards."""
    return [pair for pair in asked(folder) if pair.case.cards is not None]


def _all(folder: Path) -> Iterator[Case]:
    for cases in chapters(folder).values():
        yield from cases
