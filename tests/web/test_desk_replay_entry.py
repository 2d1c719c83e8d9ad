"""Putting a hand in at the desk, in a browser: by taps and by typing, with and without the script."""

import pytest

from tests.web.browsing import PHONE
from tests.web.replays import HAND, PAGE, SCRIPTS, SIZES, WIDOW, begins, happens, path


def for_two(visitor, **settings):
    """Open the page, with a table for two."""
    page = visitor.open(PAGE, **settings)
    for seats in (4, 3):
        page.locator("#fewer").click()
        page.locator(f"#n{seats}").wait_for(state="detached")
    return page


@SIZES
@SCRIPTS
def test_a_hand_is_put_in_by_taps(visitor, size, scripts):
    page = for_two(visitor, size=size, java_script_enabled=scripts)
    for field, value in {"n1": "Ann", "n2": "Bob", "h1": "ks 9s 2h", "h2": "7h 7d 5c", "up": "5h"}.items():
        page.locator(f"#{field}").fill(value)
    page.locator("#deal").click()
    happens(page, "Bob deals, and Ann plays first.")
    page.get_by_role("button", name="Take the discard").click()
    happens(page, "Ann takes 5♥ from the discard pile.")
    assert page.get_by_role("button", name="Discard the 5 of hearts").is_disabled()
    page.get_by_role("button", name="Discard the 2 of hearts").click()
    begins(page, "Ann discards 2♥")
    page.get_by_role("button", name="Knock").click()
    begins(page, "Bob knocks with")
    page.get_by_role("button", name="Draw the ace of spades").click()
    happens(page, "Ann draws A♠ from the stock.")
    page.get_by_role("button", name="Discard the 5 of hearts").click()
    page.locator("#status", has_text="Bob loses 2 lives.").wait_for()
    page.get_by_role("button", name="Take back the last event").click()
    happens(page, "Ann draws A♠ from the stock.")


@SIZES
@SCRIPTS
def test_a_hand_is_dealt_by_taps(visitor, size, scripts):
    page = for_two(visitor, size=size, java_script_enabled=scripts)
    pack = page.get_by_role("group", name="The pack")
    for card, told in (
        ("king of spades", "Tap a card to give it to Seat 1."),
        ("9 of spades", "Tap a card to give it to Seat 1."),
        ("2 of hearts", "Tap a card to give it to Seat 2."),
        ("7 of hearts", "Tap a card to give it to Seat 2."),
        ("7 of diamonds", "Tap a card to give it to Seat 2."),
        ("5 of clubs", "Tap the upcard."),
        ("5 of hearts", "All is dealt."),
    ):
        pack.get_by_role("button", name=card, exact=True).click()
        pack.get_by_text(told).wait_for()
    page.get_by_role("button", name="Put the 5 of hearts back into the pack").click()
    pack.get_by_role("button", name="6 of hearts", exact=True).click()
    pack.get_by_text("All is dealt.").wait_for()
    page.locator("#deal").click()
    happens(page, "Seat 2 deals, and Seat 1 plays first.")
    assert "Up: 6h" in page.locator("#log").input_value()


def test_cards_are_exchanged_with_the_widow(visitor):
    page = visitor.open(path(WIDOW), size=PHONE)
    page.locator(".swap").nth(2).get_by_role("button").first.click()
    begins(page, "Ann gives the widow 2♥ and takes 10♥")
    assert page.locator("#log").input_value().rstrip().endswith("Ann: swap 2h for Th")


@SIZES
def test_a_log_is_typed_and_read_while_it_is_typed(visitor, size):
    page = visitor.open(PAGE, size=size)
    page.locator("#log").press_sequentially("[dealer 2]\nAnn(3): Ks 9s 4x\nBob(3): 7h 7d 5c\nUp: 5h\n", delay=2)
    happens(page, "One place of the log is not understood.")
    assert page.locator(".places li").inner_text() == "Line 2, column 15: 4x is not a card. For example: Ks."
    typed = page.locator("#log").input_value()
    page.locator("#log").fill(typed.replace("4x", "4d"))
    happens(page, "Bob deals, and Ann plays first.")
    page.locator("#log").press("Control+End")
    page.locator("#log").press_sequentially("+Qs -4d")
    page.get_by_role("button", name="Ann draws Q♠").wait_for()
    assert page.evaluate("document.activeElement.id") == "log"
    assert page.locator("#log").input_value().endswith("Up: 5h\n+Qs -4d")


def test_a_long_log_does_not_move_while_it_is_typed_in(visitor):
    page = visitor.open(PAGE)
    page.locator("#log").fill("# nothing\n" * 200 + HAND)
    happens(page, "Seat 3 deals, and Seat 1 plays first.")
    page.locator("#log").press("Control+End")
    page.locator("#log").press_sequentially("Seat 1: +3c")
    page.get_by_text("Events after that, which are not judged: 1.").wait_for()
    assert page.evaluate("document.getElementById('log').scrollTop") > 0
    page.locator("#log").press("Control+z")
    page.get_by_text("Events after that").wait_for(state="detached")
    assert page.locator("#log").input_value().endswith(HAND)


@pytest.mark.parametrize("path_to", [PAGE, "/desk/score", "/"])
def test_a_character_that_takes_several_keys_is_composed_in_peace(visitor, path_to):
    page = visitor.open(path_to)
    page.locator("#n1").focus()
    keyboard = page.context.new_cdp_session(page)
    for number, part in enumerate(("n", "\N{HIRAGANA LETTER NI}", "\N{HIRAGANA LETTER NI}h"), start=1):
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            keyboard.send("Input.imeSetComposition", {"text": part, "selectionStart": number, "selectionEnd": number})
        page.wait_for_load_state("networkidle")
    keyboard.send("Input.insertText", {"text": "\N{CJK UNIFIED IDEOGRAPH-65E5}"})
    assert page.locator("#n1").input_value() == "\N{CJK UNIFIED IDEOGRAPH-65E5}"
