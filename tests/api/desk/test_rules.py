"""House rules at the desk, without scripts: every option is asked, and link and sheet carry the answers."""

import pytest
from hypothesis import given

from engine.presets import PRESETS, resolve
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, options_of
from tests.api.desk.browsing import Visitor
from tests.api.sheets import pages
from tests.strategies import examples, rule_choices

PAGE = "/desk/rules"


@pytest.fixture
def visitor(client):
    return Visitor(client, PAGE)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_option_of_a_book_is_asked_and_answered_as_the_book_has_it(client, preset):
    page = Visitor(client, f"{PAGE}?rules={preset.id}")
    sent = dict(page.fields())
    options = options_of(preset.rules)
    assert {name.removeprefix("o.") for name in sent if name.startswith("o.")} == set(options)
    for name, option in options.items():
        assert sent[f"o.{name}"] == str(getattr(preset.rules, name))
        assert option.question in page.says("questions")
    assert page.says("status") == f"{preset.name}: no house rules"


def test_an_answer_is_marked_counted_and_carried(client, visitor):
    visitor.put(**{"o.knocker_tie": "shares", "o.minimum_knock": "8"}).press()
    assert visitor.says("status").endswith(": 2 house rules")
    assert visitor.says("questions").count("house rule") == 2
    link = visitor.page.one("a", id="link").attributes["href"]
    again = Visitor(client, link)
    assert again.says("questions") == visitor.says("questions")
    for use, part in (("Settle a hand by these rules", "book"), ("Keep score by these rules", "beside")):
        (way,) = [each for each in visitor.page.every("a") if each.text == use]
        desk = Visitor(client, way.attributes["href"])
        assert STOCK_OPTIONS["knocker_tie"].says("shares") in desk.says(part)


def test_there_is_no_score_to_keep_in_a_game_for_a_pot(visitor):
    visitor.put(rules="bicycle").press()
    assert "Keep score by these rules" not in visitor.says("ways")


def test_answers_that_do_not_go_together_are_complained_of_and_one_is_dropped(visitor):
    visitor.put(**{"o.county": "none", "o.loss_beyond_lives": "county"}).press()
    assert "loss_beyond_lives" in visitor.says("book")
    assert visitor.says("status").endswith(": 1 house rule")


def test_another_book_begins_with_its_own_answers(visitor):
    visitor.put(**{"o.knocker_tie": "shares"}).press()
    visitor.put(rules="bicycle").press()
    assert visitor.says("status").endswith(": no house rules")
    assert {name for name in dict(visitor.fields()) if name.startswith("o.")} == {f"o.{name}" for name in WIDOW_OPTIONS}


@pytest.mark.parametrize(("paper", "width"), [("a4", 595), ("letter", 612)])
def test_the_sheet_is_of_these_rules(client, paper, width):
    response = client.post(f"{PAGE}/sheet.pdf", data={"rules": "pagat", "o.minimum_knock": "8", "paper": paper})
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["content-disposition"].startswith("inline")
    printed = pages(response)
    assert STOCK_OPTIONS["minimum_knock"].says(8) in " ".join(" ".join(each.extract_text() for each in printed).split())
    assert {int(each.mediabox.width) for each in printed} == {width}


@examples(1)
@given(rule_choices())
def test_the_link_of_any_rules_leads_back_to_them(client, choice):
    rules = resolve(choice).rules
    query = {"rules": choice.preset} | {f"o.{name}": str(getattr(rules, name)) for name in options_of(rules)}
    page = Visitor(client, PAGE)
    page.show(client.get(PAGE, params=query))
    again = Visitor(client, page.page.one("a", id="link").attributes["href"])
    sent = dict(again.fields())
    assert {name: sent[f"o.{name}"] for name in options_of(rules)} == {
        name: str(getattr(rules, name)) for name in options_of(rules)
    }
