"""Replaying a hand at the desk, in a browser: stepping by keys and by buttons, links, and how it looks."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.test_readme import COMMAND
from tests.web.browsing import PHONE, SLOW
from tests.web.replays import HAND, NAMES, PAGE, REFUSED, SCRIPTS, SIZES, WIDOW, begins, happens, path


@SIZES
def test_keys_step_through_a_hand(visitor, size):
    page = visitor.open(path(HAND) + NAMES, size=size)
    happens(page, "Ana deals, and Ben plays first.")
    page.keyboard.press("ArrowRight")
    happens(page, "Ben draws 9♥ from the stock.")
    assert page.locator(".card.new").get_attribute("aria-label") == "9 of hearts"
    page.keyboard.press("ArrowRight")
    happens(page, "Ben discards 2♥: 10 + 9 = 19.")
    page.keyboard.press("ArrowLeft")
    happens(page, "Ben draws 9♥ from the stock.")
    page.keyboard.press("End")
    happens(page, "Ana discards 4♦: 11 + 8 = 19.")
    page.locator("#status", has_text="Ana loses 1 life and is on the county.").wait_for()
    page.keyboard.press("Home")
    happens(page, "Ana deals, and Ben plays first.")
    assert page.evaluate("scrollY") == 0


def test_keys_may_be_faster_than_the_answers(visitor):
    page = visitor.open(path(HAND))
    happens(page, "Seat 3 deals, and Seat 1 plays first.")
    page.evaluate(SLOW, 300)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    happens(page, "Seat 1 discards 2♥: 10 + 9 = 19.")
    page.locator("#cut").click()
    page.locator("#do-knock").wait_for()
    for _ in range(2):
        page.locator("#do-knock").click()
    begins(page, "Seat 2 knocks with")
    page.locator("#do-take_discard").wait_for()


def test_a_key_that_is_held_goes_no_further_than_until_it_is_let_go(visitor):
    page = visitor.open(path(HAND))
    happens(page, "Seat 3 deals, and Seat 1 plays first.")
    page.evaluate(SLOW, 300)
    for _ in range(20):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    happens(page, "Seat 1 draws 9♥ from the stock.")
    page.locator("#go-on").focus()
    for _ in range(20):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    happens(page, "Seat 1 discards 2♥: 10 + 9 = 19.")
    page.wait_for_timeout(700)
    happens(page, "Seat 1 discards 2♥: 10 + 9 = 19.")


def test_that_the_service_did_not_answer_is_said_beside_the_steps(visitor):
    visitor.expect("net::ERR_FAILED")
    page = visitor.open(path(HAND, at="11"))
    page.locator("#status", has_text="loses 1 life").wait_for()
    page.route("**/*", lambda route: route.abort())
    page.keyboard.press("ArrowLeft")
    happens(page, "The service did not answer. Try again.")
    assert "loses 1 life" in page.locator("#status").inner_text()


@SIZES
@SCRIPTS
def test_buttons_step_through_a_hand(visitor, size, scripts):
    page = visitor.open(path(HAND), size=size, java_script_enabled=scripts)
    page.get_by_role("button", name="On one step").click()
    happens(page, "Seat 1 draws 9♥ from the stock.")
    page.get_by_role("button", name="To the end").click()
    happens(page, "Seat 3 discards 4♦: 11 + 8 = 19.")
    page.locator("#turn-6").click()
    happens(page, "Seat 3 discards 6♣: 11 + 8 + 4 = 23.")
    page.get_by_role("button", name="Back one step").click()
    happens(page, "Seat 3 takes 4♦ from the discard pile.")
    page.get_by_role("button", name="To the deal").click()
    happens(page, "Seat 3 deals, and Seat 1 plays first.")


def test_arrow_keys_in_a_field_stay_in_the_field(visitor):
    page = visitor.open(path(HAND))
    happens(page, "Seat 3 deals, and Seat 1 plays first.")
    page.locator("#log").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.locator("#rules").focus()
    page.keyboard.press("Home")
    page.locator("#go-on").focus()
    page.keyboard.press("ArrowRight")
    happens(page, "Seat 1 draws 9♥ from the stock.")


def test_focus_stays_where_one_steps(visitor):
    page = visitor.open(path(HAND, at="9"))
    page.locator("#go-on").focus()
    for says in ("Seat 3 draws Q♠ from the stock.", "Seat 3 discards 4♦: 11 + 8 = 19."):
        page.keyboard.press("Enter")
        happens(page, says)
        assert page.evaluate("document.activeElement.id") == "go-on"


def test_the_pile_stays_open_from_step_to_step(visitor):
    page = visitor.open(path(HAND, at="4"))
    page.get_by_text("All 3 discards").click()
    page.locator("#pile").get_by_role("img", name="2 of hearts").wait_for()
    page.keyboard.press("ArrowRight")
    happens(page, "Seat 3 takes 4♦ from the discard pile.")
    assert page.locator("#pile").get_by_role("img", name="2 of hearts").is_visible()


def test_a_refusal_is_shown_at_its_event(visitor):
    page = visitor.open(path(REFUSED) + NAMES)
    happens(page, "Now Ben tries to draw 3♣ from the stock.")
    assert page.locator(".refusal li").all_inner_texts()
    assert page.locator(".turns .refused").inner_text() == "Now Ben tries to draw 3♣ from the stock."
    page.keyboard.press("ArrowLeft")
    page.locator(".refusal").wait_for(state="detached")
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("button", name="Draw the queen of spades").wait_for()


def test_a_link_opens_the_same_step_with_names_that_were_not_sent(visitor):
    page = visitor.open(PAGE)
    page.get_by_role("button", name="Show an example").click()
    happens(page, "Ana deals, and Ben plays first.")
    page.keyboard.press("ArrowRight")
    happens(page, "Ben draws 9♥ from the stock.")
    link = page.url
    asked = []
    other = visitor.open("/docs")
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    happens(other, "Ben draws 9♥ from the stock.")
    assert not [url for url in asked if "Cara" in url.partition("#")[0]]
    assert other.url == link
    other.reload()
    happens(other, "Ben draws 9♥ from the stock.")


def test_a_stored_replay_is_opened_by_its_id_and_by_its_link(visitor):
    page = visitor.open("/docs")
    answer = page.request.post(
        f"{visitor.address}/v1/rulings", data=COMMAND[3], headers={"Content-Type": "application/json"}
    ).json()
    page.goto(f"{visitor.address}{PAGE}?replay={answer['replay']}")
    happens(page, "Seat 4 deals, and Seat 1 plays first.")
    page.keyboard.press("ArrowRight")
    begins(page, "Seat 1 knocks")
    assert page.url == f"{visitor.address}{PAGE}?replay={answer['replay']}&at=1"
    page.get_by_role("button", name="Another hand").click()
    page.locator("#deal").wait_for()
    page.locator("#log").fill(f"{visitor.address}/v1/replays/{answer['replay']}")
    happens(page, "Seat 4 deals, and Seat 1 plays first.")
    page.locator("#rules").select_option("casual")
    page.keyboard.press("Tab")
    page.wait_for_url(lambda url: "rules=casual" in url)


def test_a_replay_that_is_not_there_is_said(visitor):
    visitor.expect("status of 404")
    page = visitor.open(PAGE)
    page.locator("#log").fill("0" * 64)
    page.get_by_text("There is no replay with this id.").wait_for()


SHOWN = {
    "beginning": PAGE,
    "deal": path(HAND) + NAMES,
    "mid-turn": path(HAND, at="3") + NAMES,
    "end": path(HAND, at="11") + NAMES,
    "moves": path("".join(HAND.splitlines(keepends=True)[:7])),
    "discards": path(HAND.partition("-6c")[0], at="5"),
    "swaps": path(WIDOW),
    "refused": path(REFUSED),
    "no deal": path(HAND.replace("Tc 8c 4d", "Ks 8c 4d")),
    "not understood": path(HAND.replace("4d", "4x")),
    "only the end": path("Ann(3): Ks 9s 2h\nBob(3): 7h 7d 5c\nEnd: knock Bob"),
}


@SIZES
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_the_page_fits_and_keeps_nobody_out(visitor, shown, size, colours):
    page = visitor.open(shown, size=size, color_scheme=colours)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


def test_nine_players_fit_a_phone(visitor):
    hands = ("Ks 9s 2h", "Tc 8c 4d", "Ad 8d 6c", "As 2s 3s", "4s 5s 6s", "7s 8s Ts", "Js Qs 2d", "3d 5d 6d", "7d 9d Td")
    players = "".join(f"Player number {seat}(9): {hand}\n" for seat, hand in enumerate(hands, start=1))
    page = visitor.open(path(f"[dealer 9]\n{players}Up: 5h\n+9h", at="1"), size=PHONE)
    happens(page, "Player number 1 draws 9♥ from the stock.")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_longest_name_fits_a_phone(visitor):
    name = "W" * 64
    hand = f"[dealer 2]\n{name}(3): As Ks Qs\n{name[:-1]}(3): 7h 7d 5c\nUp: 5h\n"
    page = visitor.open(path(hand), size=PHONE)
    page.get_by_role("button", name=f"{name} shows 31").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_on_paper_there_are_the_table_the_turns_and_the_ruling(visitor):
    page = visitor.open(path(HAND, at="11") + NAMES)
    page.locator("#status", has_text="Ana loses 1 life").wait_for()
    page.emulate_media(media="print")
    for part in (".held", ".turns", "#status"):
        assert page.locator(part).is_visible()
    for part in ("#log", "#acts", "#rules", "#cut"):
        assert not page.locator(part).is_visible()


def test_a_locked_service_asks_for_a_key_and_the_log_stays(visitor_of_a_locked_service, key):
    visitor = visitor_of_a_locked_service
    visitor.expect("status of 401")
    page = visitor.open(PAGE)
    page.locator("#log").fill(HAND)
    page.get_by_role("alert").wait_for()
    page.get_by_label("Key").fill(key)
    page.get_by_label("Key").press("Enter")
    happens(page, "Seat 3 deals, and Seat 1 plays first.")
    assert page.locator("#log").input_value() == HAND
    answer = page.request.post(
        f"{visitor.address}/v1/rulings",
        data=COMMAND[3],
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    ).json()
    page.goto(f"{visitor.address}{PAGE}?replay={answer['replay']}&at=1")
    begins(page, "Seat 1 knocks")
