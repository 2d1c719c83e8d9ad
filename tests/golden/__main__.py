"""Writes the golden files: `python -m tests.golden answers` or `new`. `docs/replay-format.md` says when.

`python -m tests.golden contract` writes what the version that is about to be released promises (`docs/api.md`).
"""

import sys
from pathlib import Path

import msgspec
from litestar.testing import TestClient
from msgspec.structs import asdict

from api import examples
from api.app import create_app
from engine import VERSION
from replays.answers import answer, judge, traits
from replays.canonical import canonical_hand, question_of
from schemas.hand import Hand
from schemas.rules import RuleSet, form_of
from schemas.ruling import Unfinished
from tests.contract.compatibility import skeleton
from tests.contract.conversation import exchange, requests
from tests.corpus import CASES, EXAMPLES, hands
from tests.making.golden import (
    CHANGELOG,
    FOLDER,
    ROOT,
    Golden,
    again,
    changes,
    content,
    files,
    goldens,
    line_of,
    unnamed,
)
from tests.making.vectors import vectors
from tests.strategies import damaged_logs, drawn, legal_logs, showdown_records


def _drawn() -> list[Golden]:
    """Return questions from everywhere: cases that each show something new, the vectors, and drawn ones."""
    made: dict[str, Golden] = {}
    shown: set[str] = set()

    def add(hand: Hand, rules: RuleSet, *, always: bool = True) -> None:
        canonical = canonical_hand(hand)
        ruling = judge(canonical, rules)
        shows = {*traits(ruling), *(f"{form_of(rules)} {name}={choice}" for name, choice in asdict(rules).items())}
        if not isinstance(ruling, Unfinished) and (always or shows - shown):
            line = line_of(question_of(canonical, rules), [answer(ruling)])
            made[line.replay] = line
            shown.update(shows)

    for vector in vectors():
        add(vector.request().hand, vector.request().complete_rules())
    for strategy, count in ((legal_logs(), 80), (damaged_logs(), 50), (showdown_records(), 40)):
        for question in drawn(strategy, count):
            add(question.hand, question.rules)
    asked: set[str] = set()
    for pair in (*hands(CASES), *hands(EXAMPLES)):
        question = pair.question()
        add(question.hand, question.rules, always=pair.case.id not in asked)
        asked.add(pair.case.id)
    known = {line.replay for path in files() for line in goldens(path)}
    return [made[replay] for replay in sorted(made.keys() - known)]


def _answer_anew() -> str:
    """Write the answers of now; return what has changed."""
    report = []
    for path in files():
        before = goldens(path)
        after = [again(line) for line in before]
        report += [f"{replay}: the {drifted} has changed" for replay, drifted in changes(before, after)]
        path.write_bytes(content(after))
    return "\n".join(report) or "No answer has changed."


def _named(changelog: str) -> str:
    """Return what the changelog still lacks."""
    lacking = [unnamed(changelog, path.name, path.read_bytes()) for path in files()]
    return "\n".join(filter(None, lacking)) or "The changelog names the golden answers."


def _promise() -> str:
    """Write what this version promises to clients; return what has been written."""
    document = msgspec.json.decode((ROOT / "openapi" / "openapi.json").read_bytes())
    with examples.resources() as resources, TestClient(create_app(resources)) as client:
        spoken = [exchange(client, *request) for request in requests(document)]
    written = {
        f"{VERSION}-openapi.json": msgspec.json.encode(skeleton(document), order="sorted") + b"\n",
        f"{VERSION}-http.jsonl": b"".join([msgspec.json.encode(each) + b"\n" for each in spoken]),
    }
    return "".join(
        [f"{(FOLDER / name).write_bytes(content):,} bytes are in {name}.\n" for name, content in written.items()]
    )


def main(command: str, changelog: Path = CHANGELOG) -> str:
    """Do what is asked for; return what has been done, or raise SystemExit."""
    said = changelog.read_text(encoding="utf-8")
    path = FOLDER / f"{VERSION}.ndjson"
    if f"## {VERSION}, unreleased" not in said:
        raise SystemExit(f"{VERSION} is released, so its answers stay as they are. Raise engine.VERSION first.")
    if command == "answers":
        done = _answer_anew()
    elif command == "contract":
        return _promise()
    elif command == "new" and not path.exists():
        done = f"{path.write_bytes(content(_drawn())):,} bytes are in {path.name}."
    else:
        raise SystemExit(
            "Say `answers` or `contract`, or `new` where the version that is to be released has no file yet."
        )
    return f"{done}\n{_named(said)}\n"


if __name__ == "__main__":
    sys.stdout.write(main(*sys.argv[1:2] or [""]))
