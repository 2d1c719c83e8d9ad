"""What the tests of the page that replays a hand have in common."""

import msgspec
from msgspec import UNSET

from tests.api.desk.browsing import Visitor

PAGE = "/desk/replay"
HAND = """[rules pagat]
[dealer Ana]
Ben(3): Ks 9s 2h
Cara(3): Tc 8c 4d
Ana(1): Ad 8d 6c
Up: 5h
Ben: +9h -2h
Cara: +Jc -4d
Ana: ^4d -6c
Ben: knock
Cara: +2c -2c {slow}
Ana: +Qs -4d
"""
UNFINISHED = "".join(HAND.splitlines(keepends=True)[:8])


def show(client, log, **fields):
    """The page of a log that was pasted."""
    page = Visitor(client, PAGE)
    page.changed |= {"log": [log], **{name: [value] for name, value in fields.items()}}
    return page.press()


def log_on(page):
    return page.page.one("textarea").text


def typed(page):
    """The log as it stands in its field."""
    return "".join(page.page.one("textarea").inside).removeprefix("\n")


def hands(page):
    return [each.text for each in page.page.one("ol", **{"class": "held"}).every("li")]


def moves(page):
    return [value for name, value in page.buttons() if name == "do"]


def button(page, name):
    found = page.page.one("button", id=name).attributes
    return found["name"], found["value"]


def step(page, name):
    """Step through a hand, if it has steps."""
    if list(page.page.every("button", id=name)):
        page.press(*button(page, name))


def rules_in(question):
    """Yield the fields of the rules that a question is judged by."""
    yield "rules", question.choice.preset
    yield "was", question.choice.preset
    if question.choice.changes is not UNSET:
        for option, answer in msgspec.to_builtins(question.choice.changes).items():
            yield f"o.{option}", str(answer)
