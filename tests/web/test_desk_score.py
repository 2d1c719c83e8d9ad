"""Keeping score at the desk, in a browser: by taps and keys, across a reload, with and without the script, on paper."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.browsing import DESK, PHONE, SLOW

PAGE = "/desk/score"
SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])


def says(page, sentence):
    page.locator("#status", has_text=re.compile(f"^{re.escape(sentence)}")).wait_for()


def begin(page, *names):
    """Begin a game of three."""
    page.locator("#fewer").click()
    page.locator("#n4").wait_for(state="detached")
    for seat, name in enumerate(names, start=1):
        page.locator(f"#n{seat}").fill(name)
    page.locator("#start").click()
    says(page, "Hand 1.")


def lose(page, name, cost):
    """Tap a player, and wait until it is noted."""
    player = page.locator(".player", has_text=name)
    player.get_by_role("button", name=name).click()
    player.locator(".cost", has_text=str(cost)).wait_for()


def go_on(page, number):
    page.locator("#next").click()
    says(page, f"Hand {number}.")


@SIZES
@SCRIPTS
def test_a_game_is_kept_by_taps(visitor, size, scripts):
    page = visitor.open(PAGE, size=size, java_script_enabled=scripts)
    begin(page, "Ann", "Bob", "Cleo")
    lose(page, "Bob", 1)
    lose(page, "Bob", 2)
    says(page, "Bob loses 2 lives.")
    go_on(page, 2)
    lose(page, "Ann", 1)
    lose(page, "Bob", 1)
    lose(page, "Bob", 2)
    says(page, "Ann loses 1 life and Bob loses 2 lives and is out.")
    go_on(page, 3)
    assert page.locator(".player.out").inner_text().split() == ["Bob", "○○○", "out"]
    page.locator("#undo").click()
    says(page, "Ann loses 1 life and Bob loses 2 lives and is out.")


@SIZES
def test_the_score_outlasts_a_reload_and_a_new_visit(visitor, size):
    page = visitor.open(PAGE, size=size)
    begin(page, "Ann", "Bö & Co", "Cleo")
    lose(page, "Bö & Co", 1)
    go_on(page, 2)
    lose(page, "Cleo", 1)
    page.reload()
    says(page, "Cleo loses 1 life.")
    page.goto(visitor.address + "/docs")
    page.goto(visitor.address + PAGE)
    says(page, "Cleo loses 1 life.")
    assert "Bö & Co" in page.locator(".sheet thead").inner_text()
    assert page.url == visitor.address + PAGE


def test_a_new_game_forgets_the_last_one(visitor):
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    page.get_by_text("Another game").click()
    page.get_by_role("button", name="Other players").click()
    page.locator("#start").wait_for()
    page.reload()
    page.locator("#start").wait_for()
    assert page.locator("#n1").input_value() == ""


def test_what_was_kept_and_cannot_be_read_is_forgotten(visitor):
    page = visitor.open(PAGE)
    page.evaluate("localStorage.setItem('thirtyone.score', '[9]')")
    page.reload()
    says(page, "What this browser had kept of a game cannot be read")
    page.reload()
    page.locator("#start").wait_for()
    assert page.locator("#status").inner_text() == ""


def test_nothing_that_can_be_tapped_moves(visitor):
    page = visitor.open(PAGE, size=PHONE)
    begin(page, "Ann", "Bob", "Cleo")
    before = [each.bounding_box() for each in page.locator(".tap").all()]
    lose(page, "Ann", 1)
    lose(page, "Ann", 2)
    lose(page, "Cleo", 1)
    assert [each.bounding_box() for each in page.locator(".tap").all()] == before
    assert min(box["height"] for box in before) >= 44


@SIZES
def test_no_tap_is_lost_that_comes_before_the_answer_to_the_last(visitor, size):
    page = visitor.open(PAGE, size=size)
    begin(page, "Ann", "Bob", "Cleo")
    page.evaluate(SLOW, 300)
    for button in ("lost-2", "lost-1", "lost-2", "next", "lost-3", "next"):
        page.locator(f"#{button}").click()
    says(page, "Hand 3.")
    rows = [row.inner_text().split() for row in page.locator(".sheet tbody tr").all()]
    assert [[each.replace("\N{MINUS SIGN}", "-") for each in row] for row in rows[1:]] == [
        ["1", "2", "-1", "1", "-2", "3"],
        ["2", "2", "1", "2", "-1"],
    ]


def test_what_is_put_in_while_a_tap_waits_for_its_answer_undoes_neither(visitor):
    page = visitor.open(PAGE)
    page.evaluate(SLOW, 300)
    page.locator("#more").click()
    page.locator("#n1").fill("Ann")
    page.locator("#n5").wait_for()
    page.locator("#start").click()
    page.locator("#start").click()
    says(page, "Hand 1.")
    assert page.locator(".tap").first.inner_text().startswith("Ann")
    assert page.locator(".sheet tbody tr").count() == 1


def test_what_cannot_be_is_not_left_in_its_field(visitor):
    page = visitor.open(PAGE)
    for put_in, taken in (("x", "3"), ("99", "10")):
        page.locator("#lives").fill(put_in)
        page.locator("#n1").focus()
        expect(page.locator("#lives")).to_have_value(taken)


def test_taps_end_where_there_is_no_answer(visitor):
    visitor.expect("status of 502")
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    page.evaluate(SLOW, 300)
    page.route(visitor.address + PAGE, lambda route: route.fulfill(status=502, content_type="text/html", body="<p>Bad"))
    for button in ("lost-2", "next", "next"):
        page.locator(f"#{button}").click()
    says(page, "The service did not answer.")
    page.unroute(visitor.address + PAGE)
    page.locator("#lost-1").click()
    says(page, "Ann loses 1 life.")


BLOCKED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"


@pytest.mark.parametrize("storage", [BLOCKED, FULL], ids=["blocked", "full"])
def test_where_nothing_can_be_kept_the_score_is_kept_all_the_same_and_the_page_says_so(visitor, storage):
    page = visitor.open(PAGE)
    assert not page.get_by_role("alert").is_visible()
    page.add_init_script(storage)
    page.reload()
    begin(page, "Ann", "Bob", "Cleo")
    lose(page, "Bob", 1)
    go_on(page, 2)
    assert page.get_by_role("alert").inner_text().startswith("This browser keeps nothing")


def test_two_pages_keep_one_score(visitor):
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    other = page.context.new_page()
    other.goto(visitor.address + PAGE)
    says(other, "Hand 1.")
    lose(other, "Bob", 1)
    go_on(other, 2)
    says(page, "Hand 2.")
    lose(page, "Cleo", 1)
    says(other, "Cleo loses 1 life.")
    assert other.locator(".sheet tbody tr").count() == 2


def test_a_page_that_one_comes_back_to_goes_on_with_what_was_kept_since(visitor):
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    page.evaluate("""() => {
        const newer = localStorage.getItem('thirtyone.score').replace('[[0,0,0],[]]', '[[0,1,0],[]]');
        localStorage.setItem('thirtyone.score', newer);
        dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    }""")
    says(page, "Bob loses 1 life.")


@pytest.mark.parametrize("brings", ["start=1", "game=[9]", 'game=[1,"pagat",{},["Eve","Bob"],3,2,[],[[1,0]]]'])
def test_no_address_does_away_with_the_score_that_is_kept(visitor, brings):
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    lose(page, "Bob", 1)
    page.goto(f"{visitor.address}{PAGE}?{brings}")
    says(page, "Bob loses 1 life.")
    assert page.locator(".tap").first.inner_text().startswith("Ann")
    page.reload()
    says(page, "Bob loses 1 life.")


def test_by_keys_alone(visitor):
    page = visitor.open(PAGE)
    page.locator("#n1").focus()
    page.keyboard.type("Ann")
    page.locator("#start").focus()
    page.keyboard.press("Enter")
    says(page, "Hand 1.")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "lost-1"
    page.keyboard.press("Space")
    says(page, "Ann loses 1 life.")
    assert page.evaluate("document.activeElement.id") == "lost-1"
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    says(page, "Hand 2.")
    assert page.evaluate("document.activeElement.id") == "next"


def test_a_hand_is_settled_by_its_cards_among_those_left(visitor):
    page = visitor.open(PAGE)
    begin(page, "Ann", "Bob", "Cleo")
    lose(page, "Ann", 1)
    lose(page, "Ann", 2)
    go_on(page, 2)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("link", name="Settle this hand by its cards").click()
    page.locator("#n1").wait_for()
    expect(page.locator("#n1")).to_have_value("Ann")
    assert page.locator("#l1").input_value() == "1"
    assert not [url for url in asked if "Ann" in url.partition("#")[0]]


def over(visitor, **settings):
    page = visitor.open(PAGE, **settings)
    page.locator("#lives").fill("1")
    page.locator("#rules").select_option("casual")
    begin(page, "Ann", "Bob with a long name", "Cleo")
    lose(page, "Ann", 1)
    lose(page, "Cleo", 1)
    page.locator("#next").click()
    says(page, "Ann loses 1 life and is out, Cleo loses 1 life and is out and Bob with a long name wins the game.")
    return page


def test_on_paper_there_is_the_sheet(visitor):
    page = over(visitor)
    page.emulate_media(media="print")
    assert page.locator(".sheet table").is_visible()
    assert page.locator("#status").is_visible()
    assert not page.locator(".tap").first.is_visible()
    assert not page.locator("#undo").is_visible()
    assert not page.get_by_role("button", name="Print").is_visible()
    assert page.locator("#status").bounding_box()["y"] < page.locator(".sheet").bounding_box()["y"]


@SIZES
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_fits_and_keeps_nobody_out(visitor, size, colours):
    page = visitor.open(PAGE, size=size, color_scheme=colours)
    passes(page)
    page.locator("#lives").fill("2")
    begin(page, "Ann", "Bob of a name as long as any may be here", "Cleo")
    lose(page, "Bob", 1)
    lose(page, "Bob", 2)
    lose(page, "Ann", 1)
    passes(page)
    go_on(page, 2)
    lose(page, "Bob", 1)
    go_on(page, 3)
    lose(page, "Ann", 1)
    lose(page, "Ann", 2)
    page.locator("#next").click()
    says(page, "Ann loses 2 lives and is out and Cleo wins the game.")
    passes(page)


def passes(page):
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


def test_nine_players_fit_a_phone(visitor):
    page = visitor.open(PAGE, size=PHONE)
    for seats in range(5, 10):
        page.locator("#more").click()
        page.locator(f"#n{seats}").wait_for()
    for seat in range(1, 10):
        page.locator(f"#n{seat}").fill(f"Player number {seat}")
    page.locator("#start").click()
    says(page, "Hand 1.")
    passes(page)


def test_a_locked_service_asks_for_a_key_and_the_score_stays(visitor_of_a_locked_service, key):
    visitor = visitor_of_a_locked_service
    visitor.expect("status of 401")
    page = visitor.open(PAGE)
    page.evaluate('localStorage.setItem(\'thirtyone.score\', \'[1,"pagat",{},["Ann","Bob"],3,2,[],[[1,0]]]\')')
    page.reload()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Key").fill(key)
    page.get_by_label("Key").press("Enter")
    says(page, "Ann loses 1 life.")
    page.reload()
    says(page, "Ann loses 1 life.")
