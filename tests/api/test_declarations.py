"""The declarations are served as the engine declares them, with ETags that let clients keep them."""

import msgspec
import pytest

from engine.presets import PRESETS
from engine.rulebook import RULEBOOK
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, options_of

GETS = [
    "/v1/options",
    "/v1/options/knocker_tie",
    "/v1/presets",
    "/v1/presets/pagat",
    "/v1/rulebook",
    "/v1/rulebook/lose.knocker-tie",
    "/health/live",
    "/problems/invalid",
    "/openapi.json",
]


def test_every_option_is_listed_with_its_question_answers_and_sources(client):
    answer = client.get("/v1/options").json()
    by_form = {(option["name"], form): option for option in answer["options"] for form in option["forms"]}
    codes = {source["code"] for source in answer["sources"]}
    for form, options in (("stock", STOCK_OPTIONS), ("widow", WIDOW_OPTIONS)):
        for name, option in options.items():
            view = by_form[name, form]
            assert view["question"] == option.question
            assert [each["answer"] for each in view["answers"]] == [each.answer for each in option.answers]
            assert all(each["says"] and set(each["sources"]) <= codes for each in view["answers"])
    assert by_form["form", "stock"]["answers"][0]["answer"] == "stock"


@pytest.mark.parametrize("form", ["stock", "widow"])
def test_an_option_is_shown_as_the_form_has_it(client, form):
    options = STOCK_OPTIONS if form == "stock" else WIDOW_OPTIONS
    for name, option in options.items():
        view = client.get(f"/v1/options/{name}", params={"form": form}).json()
        assert (view["name"], view["question"]) == (name, option.question)
        assert view["standard"] == option.answers[0].answer
    assert client.get("/v1/options/first_knock").json()["standard"] == "free"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_is_shown_whole(client, preset):
    view = client.get(f"/v1/presets/{preset.id}").json()
    assert view["id"] == preset.id
    assert view["rules"] == msgspec.to_builtins(preset.rules)
    options = options_of(preset.rules)
    assert {answer["option"]: answer["answer"] for answer in view["answers"]} == {
        name: getattr(preset.rules, name) for name in options
    }
    assert all(answer["says"] for answer in view["answers"])
    assert set(view["our_reading"]) == preset.silent
    assert set(view["stated"]) | set(view["our_reading"]) == set(options)
    assert {answer["option"] for answer in view["answers"] if not answer["stated"]} == preset.silent
    assert view["players"]["fewest"] <= view["players"]["most"]
    assert view["sources"]
    assert view["summary"]
    listed = client.get("/v1/presets").json()["presets"]
    assert any(brief.items() <= view.items() for brief in listed)


def test_the_rulebook_has_every_rule_that_can_be_cited(client):
    rules = client.get("/v1/rulebook").json()["rules"]
    assert [rule["rule"] for rule in rules] == [rule.id for rule in RULEBOOK]
    for rule in rules:
        assert client.get(f"/v1/rulebook/{rule['rule']}").json() == rule


@pytest.mark.parametrize("path", GETS)
def test_an_unchanged_answer_need_not_be_sent_again(client, path):
    first = client.get(path)
    assert first.status_code == 200
    etag = first.headers["etag"]
    assert etag.startswith('"')
    for held in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        again = client.get(path, headers={"if-none-match": held})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
    assert client.get(path, headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", GETS)
def test_head_has_the_headers_of_get(client, path):
    got, head = client.get(path), client.head(path)
    assert head.status_code == 200
    for name in ("etag", "content-type", "content-length", "vary"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize("path", [path for path in GETS if path != "/openapi.json"])
def test_messagepack_has_an_etag_of_its_own(client, path):
    packed = client.get(path, headers={"accept": "application/x-msgpack"})
    plain = client.get(path)
    assert msgspec.msgpack.decode(packed.content) == plain.json()
    assert packed.headers["etag"] != plain.headers["etag"]
