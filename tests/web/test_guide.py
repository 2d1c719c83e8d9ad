"""The pages of the guide in a browser: on a phone and on a desk, in both colours, with and without scripts."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from api.pages.guide import pages
from tests.web.browsing import DESK, PHONE

PAGES = [page.address for page in pages().values()]
SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("size", "colours"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_a_page_fits_and_keeps_nobody_out(visitor, path, size, colours):
    page = visitor.open(path, size=size, color_scheme=colours)
    assert page.locator("h1").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


@SIZES
def test_without_scripts_every_page_can_be_found_and_read(visitor, size):
    page = visitor.open("/docs", size=size, java_script_enabled=False)
    if size == PHONE:
        page.get_by_text("All pages").click()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Errors").click()
    assert page.locator("h1").inner_text() == "Errors"
    assert page.get_by_text("not-decodable").is_visible()
    assert page.get_by_role("button", name="Copy").count() == 0


def test_from_page_to_page_through_the_whole_guide(visitor):
    page = visitor.open("/docs")
    seen = [page.url]
    while (following := page.locator("a[rel=next]")).count():
        following.click()
        page.wait_for_url(lambda url: url not in seen)
        seen.append(page.url)
    assert sorted(url.removeprefix(visitor.address) for url in seen) == sorted(PAGES)


def test_a_heading_is_reached_by_its_address(visitor):
    page = visitor.open("/docs/access#rate-limits")
    assert 0 <= page.locator("#rate-limits").bounding_box()["y"] < DESK["height"] / 2


def test_a_command_that_is_copied_is_for_this_service(visitor):
    page = visitor.open("/docs/getting-started", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"curl -s {visitor.address}/v1/rulings -H 'Content-Type: application/json' -d '\n")
    assert copied.rstrip().endswith("}}}'")


def test_the_first_key_leads_past_the_navigation(visitor):
    page = visitor.open("/docs/errors")
    page.keyboard.press("Tab")
    assert page.get_by_text("Skip to the content").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'content'")


def test_on_paper_there_is_only_the_text(visitor):
    page = visitor.open("/docs/errors")
    page.emulate_media(media="print")
    assert page.locator("article").is_visible()
    assert not [nav for nav in page.get_by_role("navigation").all() if nav.is_visible()]
