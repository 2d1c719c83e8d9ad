"""House rules at the desk, in a browser."""

import re

import pytest

from tests.web.browsing import DESK, PHONE

SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])


def says(page, sentence):
    page.locator("#status", has_text=re.compile(f"^{re.escape(sentence)}$")).wait_for()


@SIZES
def test_an_answer_is_marked_at_once_and_the_link_carries_it(visitor, size):
    page = visitor.open("/desk/rules", size=size)
    page.locator("#o-knocker_tie-shares").check()
    says(page, "Scat (31), the standard game: 1 house rule")
    assert page.evaluate("document.activeElement.id") == "o-knocker_tie-shares"
    page.locator("#o-minimum_knock").select_option("8")
    says(page, "Scat (31), the standard game: 2 house rules")
    assert page.locator(".question.differs").count() == 2
    link = page.url
    other = visitor.open(link.removeprefix(visitor.address), size=size, java_script_enabled=False)
    says(other, "Scat (31), the standard game: 2 house rules")
    assert other.locator("#o-knocker_tie-shares").is_checked()
    other.get_by_role("link", name="Settle a hand by these rules").click()
    assert other.locator("#book .changed li").count() == 2


def test_the_rule_sheet_comes_as_a_file_of_its_own(visitor):
    page = visitor.open("/desk/rules?rules=pub&o.minimum_knock=8")
    is_sheet = lambda response: response.url.endswith("/desk/rules/sheet.pdf")  # noqa: E731 - it is used once
    with page.context.expect_page(), page.context.expect_event("response", is_sheet) as answered:
        page.get_by_role("button", name="Rule sheet (PDF, A4)").click()
    assert answered.value.status == 200
    assert answered.value.headers["content-type"] == "application/pdf"
    assert page.locator("h1").inner_text() == "House rules"
