"""Golden replays: what a release of the engine answered, the next ones do too, or the changelog says what changed."""

import os
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from engine import VERSION
from replays.answers import Answer
from replays.archive import records_in
from replays.canonical import Question
from replays.lines import Line
from tests.golden.__main__ import main
from tests.making.golden import (
    CHANGELOG,
    HEADING,
    ROOT,
    Entry,
    again,
    changes,
    content,
    entries,
    files,
    goldens,
    line_of,
    shown_digest,
    unnamed,
)
from tests.making.vectors import vectors

NEWER = [f"python3.{minor}" for minor in range(sys.version_info.minor + 1, sys.version_info.minor + 5)]

AGAIN = """
import contextlib, locale, sys
from pathlib import Path
from tests.making.golden import again, content, goldens

with contextlib.suppress(locale.Error):
    locale.setlocale(locale.LC_ALL, "")
sys.stdout.buffer.write(content([again(line) for line in goldens(Path(sys.argv[1]))]))
"""

WHAT_TO_DO = f"""
If that is meant:
1. raise engine.VERSION, if {VERSION} is released already;
2. run `python -m tests.golden answers`, and then `python -m tests.making.vectors`;
3. name the change in CHANGELOG.md under the heading **{HEADING}**, with what the first command prints.
If it is not meant, the engine has to be mended."""

every_file = pytest.mark.parametrize("path", files(), ids=lambda path: path.name)


@every_file
def test_golden_questions_are_written_as_ever(path):
    """If this fails, the canonical form has changed: that needs a new number in `replays.canonical.FORMAT`."""
    for line in goldens(path):
        assert line.asked().content == bytes(line.question)
        assert line.asked().id == line.replay
        assert again(line).replay == line.replay
        assert bytes(again(line).question) == bytes(line.question)


@every_file
def test_golden_answers_are_given_again(path):
    before = goldens(path)
    after = [again(line) for line in before]
    changed = dict(changes(before, after))
    if changed:
        kinds = Counter(changed.values())
        of_what = f"{kinds['decision']} in the decision, {kinds['wording']} in the wording only"
        shown = "\n".join(f"  {replay}: {drift}" for replay, drift in list(changed.items())[:10])
        pytest.fail(
            f"{len(changed)} answers of {path.name} have changed, {of_what}:\n{shown}\n{WHAT_TO_DO}", pytrace=False
        )
    assert content(after) == path.read_bytes()


@every_file
def test_the_changelog_names_the_golden_answers(path):
    missing = unnamed(CHANGELOG.read_text(encoding="utf-8"), path.name, path.read_bytes())
    if missing:
        pytest.fail(missing, pytrace=False)


@pytest.mark.parametrize(
    ("options", "surroundings"),
    [
        ((), {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"}),
        ((), {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8"}),
        (("-O",), {"PYTHONHASHSEED": "random", "TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"}),
        (("-X", "utf8=0"), {"PYTHONHASHSEED": "random", "TZ": "Asia/Kathmandu", "LC_ALL": "POSIX"}),
    ],
    ids=["seed-0", "seed-1", "optimised", "random-seed"],
)
@every_file
def test_the_answers_are_the_same_everywhere(path, options, surroundings):
    """With any hash seed, time zone and locale, and without assertions."""
    assert judged_alike([sys.executable, *options], path, surroundings)


@pytest.mark.parametrize("python", NEWER)
@every_file
def test_the_answers_are_the_same_on_newer_pythons(path, python):
    program = shutil.which(python)
    if program is None:
        pytest.skip(f"{python} is not installed")
    if subprocess.run([program, "-c", "import msgspec"], capture_output=True, check=False).returncode:  # noqa: S603 - a Python
        pytest.skip(f"{python} cannot import msgspec")
    assert judged_alike([program], path, {"PYTHONHASHSEED": "random"})


def judged_alike(command, path, surroundings):
    """Return whether another process of Python makes a golden file anew as this one does."""
    done = subprocess.run(  # noqa: S603 - a Python
        [*command, "-c", AGAIN, str(path)],
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **surroundings},
    )
    return done.stdout == content([again(line) for line in goldens(path)])


def test_golden_questions_are_of_every_kind():
    """A few hundred, from logs and showdown records, of every outcome and ending, each vector among them."""
    lines = [line for path in files() for line in goldens(path)]
    assert len(lines) > 300
    assert len({line.replay for line in lines}) == len(lines)
    assert {vector.ids["replay"] for vector in vectors()} <= {line.replay for line in lines}
    for part in (b'"kind":"log"', b'"kind":"showdown"', b'"form":"stock"', b'"form":"widow"'):
        assert any(part in bytes(line.question) for line in lines), part
    for kind in ("impossible", "illegal"):
        assert any(b'"kind":"%b"' % kind.encode() in line.newest.content for line in lines), kind
    for ending in ("knock", "first_knock", "thirty_one", "stock_exhausted", "bus_ride"):
        assert any(b'"ended_by":"%b"' % ending.encode() in line.newest.content for line in lines), ending


@every_file
def test_golden_files_are_archives(path):
    """So that they can be imported, and checked like any other."""
    for number, line in enumerate(goldens(path), start=1):
        records = records_in(Line(number, content([line]).rstrip()))
        assert [record.answer.engine for record in records] == [given.engine for given in line.answers]
        assert {record.question.id for record in records} == {line.replay}


def test_a_changed_answer_is_a_further_one():
    """The answers of older versions stay; one of this version, which is not released then, does not."""
    asked = again(goldens(files()[0])[0])
    now = Answer(VERSION, asked.newest.content)
    older, own = Answer("0.0.9", b'{"outcome":"older"}'), Answer(VERSION, b'{"outcome":"own"}')
    for before, after in (
        ([older], [older, now]),
        ([own], [now]),
        ([older, own], [older, now]),
        ([older, now], [older, now]),
    ):
        assert again(line_of(asked.asked(), before)) == line_of(asked.asked(), after)


FILE = content([line_of(Question(b"{}", b"{}"), [Answer("1.9.0", b"1"), Answer("1.10.0", b"2")])])
DIGEST = shown_digest(FILE)
NAMED = f"- What has changed:\n  `1.0.0.ndjson` is `{DIGEST}`.\n"
OTHER = NAMED.replace(DIGEST, "0" * 16)


@pytest.mark.parametrize(
    ("changelog", "is_named"),
    [
        (f"## 1.10.0, unreleased\n\n### Rulings that change\n\n{NAMED}", True),
        (f"## 2.0.0\n\n### Added\n\n- Much.\n\n## 1.10.0\n\n### Rulings that change\n\n- Also.\n{NAMED}", True),
        (f"## 1.10.0\n\n### Rulings that change\n\n{NAMED}\n## 1.9.0\n\n### Rulings that change\n\n{OTHER}", True),
        ("", False),
        (f"## 1.10.0\n\n### Rulings that change\n\n- Nothing.\n\n### Added\n\n{NAMED}", False),
        (f"## 1.10.0\n\n### Rulings that change\n\n{OTHER}", False),
        (f"## 1.9.0\n\n### Rulings that change\n\n{NAMED}", False),
        (f"## 2.0.0\n\n### Rulings that change\n\n{OTHER}\n## 1.10.0\n\n### Rulings that change\n\n{NAMED}", False),
    ],
    ids=["named", "before", "again", "empty", "other-heading", "other-answers", "other-version", "newer-answers"],
)
def test_the_check_of_the_changelog_works(changelog, is_named):
    assert (unnamed(changelog, "1.0.0.ndjson", FILE) is None) == is_named


def test_entries_are_read_from_under_the_heading_only():
    text = "# Log\n\n- a\n\n## 2.0.0, today\n### Rulings that change\n- b\n  c\n- d\n### Fixed\n- e\n## 1.0.0\n- f\n"
    assert list(entries(text)) == [Entry("2.0.0", "b c"), Entry("2.0.0", "d")]


def test_a_released_version_keeps_its_answers(tmp_path):
    """The command that writes answers anew refuses, so that a changed answer has a version of its own."""
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"## {VERSION}, today\n")
    with pytest.raises(SystemExit, match=r"Raise engine\.VERSION"):
        main("answers", changelog)


def test_the_command_says_how(tmp_path):
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"## {VERSION}, unreleased\n")
    with pytest.raises(SystemExit, match="Say `answers`"):
        main("", changelog)
