"""The reference in a browser: every operation is there, and what is tried out is sent to the service and answered."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.test_readme import COMMAND
from tests.web.browsing import DESK, PHONE

QUESTION = COMMAND[3]
RULING = "#operations-Rulings-adjudicateHand"


def reference(visitor, path="/docs/reference", **settings):
    """Return the reference, once it shows operations."""
    page = visitor.open(path, **settings)
    page.locator(".opblock").first.wait_for()
    return page


def execute(operation):
    """Send what the form of an operation holds, and return what the service has answered."""
    operation.get_by_role("button", name="Execute").click()
    return json.loads(operation.locator(".live-responses-table .highlight-code code").first.inner_text())


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_operation_is_shown_and_fits(visitor, size):
    page = reference(visitor, size=size)
    paths = page.request.get(f"{visitor.address}/openapi.json").json()["paths"]
    wanted = {(method.upper(), path) for path, item in paths.items() for method in item}
    # Swagger UI puts an invisible space before each slash, where a path may be broken.
    shown = {
        (each.locator(".opblock-summary-method").inner_text(), each.locator("[data-path]").get_attribute("data-path"))
        for each in page.locator(".opblock").all()
    }
    assert shown == wanted
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(f"{RULING} .opblock-summary-control").click()
    page.locator(RULING).get_by_role("button", name="Execute").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_what_is_ours_on_the_page_keeps_nobody_out(visitor, colours):
    page = reference(visitor, color_scheme=colours)
    found = Axe().run(page, context={"exclude": [["#operations"]]})
    assert not found.violations_count, found.generate_report()


def test_the_hand_of_the_readme_is_judged(visitor):
    page = reference(visitor, "/docs/reference#/Rulings/adjudicateHand")
    operation = page.locator(RULING)
    operation.locator("textarea.body-param__text").fill(QUESTION)
    answer = execute(operation)
    says = [citation["says"] for citation in answer["ruling"]["citations"]]
    assert "Ben knocked and ties for the lowest hand with Ana, so Ben is safe and Ana loses 1 life." in says
    kept = page.request.get(f"{visitor.address}/v1/replays/{answer['replay']}")
    assert kept.status == 200


def test_the_examples_are_requests_that_can_be_sent_as_they_are(visitor):
    page = reference(visitor, "/docs/reference#/Disputes/settleDispute")
    operation = page.locator("[id^=operations-][id$=-settleDispute]")
    answer = execute(operation)
    assert answer["decisive"]


def test_schemas_of_unions_are_shown_with_each_of_their_parts(visitor):
    page = reference(visitor, "/docs/reference#/Rulings/adjudicateHand")
    operation = page.locator(RULING)
    operation.get_by_role("tab", name="Schema").first.click()
    shown = operation.locator(".model-box, .json-schema-2020-12").first
    shown.get_by_text("hand", exact=True).first.wait_for()


def test_with_a_key_a_locked_service_answers(visitor_of_a_locked_service, key):
    page = reference(visitor_of_a_locked_service, "/docs/reference#/Rulings/adjudicateHand")
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_role("textbox").first.fill(key)
    page.locator(".auth-btn-wrapper").get_by_role("button", name="Apply credentials").click()
    page.locator(".auth-btn-wrapper").get_by_role("button", name="Close").click()
    answer = execute(page.locator(RULING))
    assert answer["ruling"]["outcome"] == "settled"
    page.reload()
    page.locator(".opblock").first.wait_for()
    assert page.evaluate("Object.values(localStorage).concat(Object.values(sessionStorage)).join()") == ""


def test_without_scripts_the_reference_says_what_it_needs(visitor):
    page = visitor.open("/docs/reference", java_script_enabled=False)
    assert page.get_by_text("Without JavaScript there are none").is_visible()
