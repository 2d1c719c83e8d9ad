"""What the browser's tests of the page that replays a hand have in common."""

import re
from urllib.parse import urlencode

import pytest

from tests.web.browsing import DESK, PHONE

PAGE = "/desk/replay"
SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
HAND = """[dealer Seat 3]
Seat 1(3): Ks 9s 2h
Seat 2(3): Tc 8c 4d
Seat 3(1): Ad 8d 6c
Up: 5h
Seat 1: +9h -2h
Seat 2: +Jc -4d
Seat 3: ^4d -6c
Seat 1: knock
Seat 2: +2c -2c
Seat 3: +Qs -4d
"""
NAMES = "#names=Ben,Cara,Ana"
REFUSED = HAND.replace("-2c\n", "-2c\nSeat 1: +3c\n")
WIDOW = "[rules bicycle]\n[dealer 2]\nAnn(3): Ks 9s 2h\nBob(3): 7h 7d 5c\nWidow: Th 4c 8d\n"


def path(log, **fields):
    return f"{PAGE}?{urlencode({'log': log, **fields})}"


def happens(page, sentence):
    """Wait until the page says so of the step."""
    page.locator("#happens", has_text=re.compile(f"^{re.escape(sentence)}$")).wait_for()


def begins(page, sentence):
    page.locator("#happens", has_text=re.compile(f"^{re.escape(sentence)}")).wait_for()
