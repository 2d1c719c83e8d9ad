"""The page about security names the tests that show what it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text()
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SHOWN_BY_TESTS = [
    "Who is let in",
    "What comes in",
    "Slow clients and overload",
    "What goes out, and what is written down",
    "Browsers",
    "The store",
]


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(tests/[^`]*)`", PAGE))))
def test_every_test_that_is_named_is_there(name):
    assert re.search("^(async )?def test_", (ROOT / name).read_text(), re.MULTILINE)


@pytest.mark.parametrize("section", SHOWN_BY_TESTS)
def test_every_point_names_a_test(section):
    points = re.findall(r"^- (.*?)(?=^- |^$|\Z)", SECTIONS[section], re.MULTILINE | re.DOTALL)
    assert len(points) >= 3
    for point in points:
        assert re.search(r"\((`tests/[^`]+\.py`(,\s+)?)+\)\.\s*\Z", point), point
