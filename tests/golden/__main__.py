"""Writes the golden files: `python -m tests.golden answers` or `new`. `docs/replay-format.md` says when."""

import sys
from pathlib import Path

from msgspec.structs import asdict

from engine import VERSION
from replays.answers import answer, judge, traits
from replays.canonical import canonical_hand, question_of
from schemas.hand import Hand
from schemas.rules import RuleSet, form_of
from schemas.ruling import Unfinished
from tests.corpus import CASES, EXAMPLES, hands
from tests.making.golden import CHANGELOG, FOLDER, Golden, again, changes, content, files, goldens, line_of, unnamed
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


def main(command: str, changelog: Path = CHANGELOG) -> str:
    """Do what is asked for; return what has been done, or raise SystemExit."""
    said = changelog.read_text(encoding="utf-8")
    path = FOLDER / f"{VERSION}.ndjson"
    if f"## {VERSION}, unreleased" not in said:
        raise SystemExit(f"{VERSION} is released, so its answers stay as they are. Raise engine.VERSION first.")
    if command == "answers":
        done = _answer_anew()
    elif command == "new" and not path.exists():
        done = f"{path.write_bytes(content(_drawn())):,} bytes are in {path.name}."
    else:
        raise SystemExit("Say `answers`, or `new` where the version that is to be released has no file yet.")
    return f"{done}\n{_named(said)}\n"


if __name__ == "__main__":
    sys.stdout.write(main(*sys.argv[1:2] or [""]))
