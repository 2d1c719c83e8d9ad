"""The pages about security and the checklist name the tests that show what they say."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text()
CHECKLIST = (ROOT / "docs" / "checklist.md").read_text()
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SHOWN_BY_TESTS = [
    "Who is let in",
    "What comes in",
    "Slow clients and overload",
    "What goes out, and what is written down",
    "Browsers",
    "The store",
]
ROWS = re.findall(r"^\| (\d+) \| (.+) \| (.+) \|$", CHECKLIST, re.MULTILINE)
LEFT_OUT = "(api.md#what-it-leaves-out-and-why)"


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`(tests/[^`]*)`", PAGE + CHECKLIST))))
def test_every_test_that_is_named_is_there(named):
    name, _, test = named.partition("::")
    head = rf"{test}\(" if test else "test_"
    assert re.search(f"^(async )?def {head}", (ROOT / name).read_text(), re.MULTILINE)


@pytest.mark.parametrize("section", SHOWN_BY_TESTS)
def test_every_point_names_a_test(section):
    points = re.findall(r"^- (.*?)(?=^- |^$|\Z)", SECTIONS[section], re.MULTILINE | re.DOTALL)
    assert len(points) >= 3
    for point in points:
        assert re.search(r"\((`tests/[^`]+\.py`(,\s+)?)+\)\.\s*\Z", point), point


def test_the_checklist_is_whole():
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 45))
    for _, _, shown in ROWS:
        assert re.search(r"`(tests/|make )", shown) or LEFT_OUT in shown, shown


def test_every_target_that_the_checklist_names_is_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([^`]+)`", CHECKLIST))
    assert named
    assert named <= targets
