"""Hands in the text notation as the bodies of requests."""

import msgspec
import pytest

from api.examples import NOTATED, TIED_KNOCKER
from api.media import FORMATS, NOTATION
from api.notation import notated
from engine.presets import PRESETS
from schemas.changes import given as answers_given
from schemas.hand import Hand
from schemas.notation import Notated, NotatedRules, write
from tests.api.stories import LOG
from tests.corpus import hands

TEXT = {"content-type": "text/vnd.thirty-one"}
AS_TEXT = {"accept": "text/vnd.thirty-one"}
HOUSE = {"preset": "pagat", "changes": {"knocker_tie": "double"}}
TAKE_TEXT = ["/v1/rulings", "/v1/comparisons", "/v1/disputes"]


def asked(client, text, path="/v1/rulings?store=false", **headers):
    content = text if isinstance(text, bytes) else text.encode()
    return client.post(path, content=content, headers={**TEXT, **headers})


def refused(response, status, slug):
    problem = response.json()
    assert (response.status_code, problem["type"]) == (status, f"/problems/{slug}"), problem
    return problem


@pytest.mark.parametrize("pair", hands(), ids=str)
def test_the_conformance_cases_are_judged_alike(client, pair):
    hand, choice = pair.question()
    changes = {} if choice.changes is msgspec.UNSET else answers_given(choice.changes)
    text = write(Notated(hand, (NotatedRules(choice.preset, changes),)))
    plain = client.post("/v1/rulings?store=false", json={"rules": pair.expected["rules"], "hand": pair.case.hand})
    response = asked(client, text)
    assert response.status_code == 200, response.text
    assert response.json() == plain.json()


def test_a_text_is_kept_as_the_same_replay(client):
    plain = client.post("/v1/rulings", json={"rules": HOUSE, "hand": LOG})
    response = asked(client, NOTATED, "/v1/rulings")
    assert response.status_code == 200
    assert response.headers["location"] == plain.headers["location"]
    assert response.json() == plain.json()
    new = asked(client, NOTATED.replace("(3)", "(9)"), "/v1/rulings")
    assert new.status_code == 201


def test_without_rules_it_is_the_standard_game(client):
    _, text = NOTATED.split("\n", 1)
    rules = asked(client, text).json()["ruling"]["rules"]
    assert rules == msgspec.to_builtins(PRESETS[0].rules)


@pytest.mark.parametrize("content_type", ["text/vnd.thirty-one; charset=utf-8", "Text/VND.Thirty-One"])
def test_the_media_type_with_a_charset_or_in_capitals(client, content_type):
    response = asked(client, NOTATED.replace("-4d", "\u20134\u2666\ufe0f"), **{"content-type": content_type})
    assert response.status_code == 200


def test_a_text_may_be_answered_in_messagepack(client):
    packed = asked(client, NOTATED, accept="application/x-msgpack")
    assert msgspec.msgpack.decode(packed.content) == asked(client, NOTATED).json()


def test_an_answer_to_a_text_is_no_text(client):
    refused(asked(client, NOTATED, **AS_TEXT), 406, "not-acceptable")


def test_the_rule_sets_of_a_comparison_are_its_tags(client):
    _, hand = NOTATED.split("\n", 1)
    tags = "[rules casual]\n[rules]\n[rules quick-knock lives=4]\n"
    rules = [{"preset": "casual"}, {}, {"preset": "quick-knock", "changes": {"lives": 4}}]
    plain = client.post("/v1/comparisons", json={"hand": TIED_KNOCKER, "rules": rules})
    assert asked(client, tags + hand, "/v1/comparisons").json() == plain.json()


def test_a_comparison_without_tags_is_of_all_presets(client):
    _, hand = NOTATED.split("\n", 1)
    plain = client.post("/v1/comparisons", json={"hand": TIED_KNOCKER, "rules": "all-presets"})
    assert asked(client, hand, "/v1/comparisons").json() == plain.json()


def test_a_dispute(client):
    plain = client.post("/v1/disputes", json={"hand": TIED_KNOCKER, "rules": HOUSE})
    response = asked(client, NOTATED, "/v1/disputes")
    assert response.status_code == 200
    assert response.json() == plain.json()


@pytest.mark.parametrize(("path", "most"), [("/v1/rulings", 1), ("/v1/disputes", 1), ("/v1/comparisons", 64)])
def test_more_rule_sets_than_there_can_be(client, path, most):
    _, hand = NOTATED.split("\n", 1)
    problem = refused(asked(client, "[rules]\n" * (most + 1) + hand, path), 422, "invalid")
    assert problem["errors"][0]["pointer"] == "/rules"
    assert asked(client, "[rules]\n" * most + hand, path).status_code in {200, 201}


@pytest.mark.parametrize("path", TAKE_TEXT)
def test_every_place_that_is_not_understood_is_told(client, path):
    text = NOTATED.replace("pagat", "scat").replace("9s", "9x").replace("Dan: ", "Don: ")
    problem = refused(asked(client, text, path), 422, "invalid")
    first, second, third = problem["errors"]
    assert first == {
        "detail": "Line 1, column 8: there is no preset `scat`. For example: `[rules pagat knocker_tie=shares]`.",
        "line": 1,
        "column": 8,
        "length": 4,
    }
    places = [(error["line"], error["column"], error["length"]) for error in (second, third)]
    assert places == [(3, 12, 2), (10, 1, 3)]
    assert all("pointer" not in error for error in problem["errors"])
    assert problem["detail"] == first["detail"] + " And 2 more: see `errors`."


def test_rule_answers_that_do_not_go_together_point_into_the_record(client):
    text = NOTATED.replace("knocker_tie=double", "county=none loss_beyond_lives=county")
    problem = refused(asked(client, text), 422, "incompatible-answers")
    assert {error["pointer"] for error in problem["errors"]} == {
        "/rules/changes/county",
        "/rules/changes/loss_beyond_lives",
    }


@pytest.mark.parametrize("path", TAKE_TEXT)
def test_bytes_that_are_no_text(client, path):
    assert refused(asked(client, b"", path), 400, "not-decodable")["detail"] == "The body is empty."
    refused(asked(client, NOTATED.encode("utf-16"), path), 400, "not-decodable")
    refused(asked(client, "Zo\u00eb".encode("latin-1"), path), 400, "not-decodable")


@pytest.mark.parametrize("path", TAKE_TEXT)
def test_a_text_that_says_nothing(client, path):
    refused(asked(client, " \n# nothing\n", path), 422, "invalid")


def test_a_text_of_more_than_a_megabyte(client):
    refused(asked(client, NOTATED + "\n" * 1_000_000), 413, "too-large")
    room = 1_000_000 - len(NOTATED)
    assert asked(client, NOTATED + "\n" * room).status_code == 200


def test_what_is_taken_and_what_is_not(client):
    for path in TAKE_TEXT:
        other = client.post(path, content=b"x", headers={"content-type": "text/csv"})
        assert other.headers["accept"].split(", ") == [*FORMATS, NOTATION.media_type]
        assert NOTATION.media_type in refused(other, 415, "unsupported-media-type")["detail"]
    for path in ("/v1/rulings/batch", "/v1/valuations", "/v1/games", "/v1/cuts", "/v1/examples", "/v1/rule-sheets"):
        response = asked(client, NOTATED, path)
        refused(response, 415, "unsupported-media-type")
        assert NOTATION.media_type not in response.headers["accept"]


IS_UTF_8 = [
    "charset=utf-8",
    'Charset="UTF-8"',
    "charset = US-ASCII ; x=y",
    'title="a; charset=latin-1";charset="utf\\-8"',
    "charset",
]
IS_NOT = {
    "charset=latin-1": "latin-1",
    'CHARSET="ISO-8859-1"': "iso-8859-1",
    "charset=utf-8; charset=utf-16": "utf-16",
    'title="a; charset=utf-8"; charset=latin-1': "latin-1",
    "charset=": "",
    'charset="utf-8': '"utf-8',
}


@pytest.mark.parametrize("parameter", IS_UTF_8)
def test_a_text_may_be_called_utf_8(client, parameter):
    assert asked(client, NOTATED, **{"content-type": f"{NOTATION.media_type};{parameter}"}).status_code == 200


@pytest.mark.parametrize("path", TAKE_TEXT)
@pytest.mark.parametrize(("parameter", "charset"), IS_NOT.items())
def test_a_text_may_be_called_nothing_else(client, path, parameter, charset):
    response = asked(client, NOTATED, path, **{"content-type": f"{NOTATION.media_type};{parameter}"})
    detail = refused(response, 415, "unsupported-media-type")["detail"]
    assert detail == f"A text in the notation cannot be in `{charset}`; it must be in UTF-8."
    assert NOTATION.media_type in response.headers["accept"]


def test_nothing_of_a_text_is_written_to_the_log(client, capsys):
    asked(client, NOTATED.replace("Ben", "Zachariah"))
    asked(client, NOTATED.replace("Ben", "Zachariah").replace("9s", "9x"))
    assert "Zachariah" not in (said := capsys.readouterr().out)
    assert len([line for line in said.splitlines() if "/v1/rulings" in line]) == 2


def test_the_document_tells_of_it(client):
    paths = client.get("/openapi.json").json()["paths"]
    told = {
        path: item[method]["x-notation"]
        for path, item in paths.items()
        for method in item
        if "x-notation" in item[method]
    }
    assert told.keys() - {"/v1/replays/{replay}"} == set(TAKE_TEXT)
    for path in TAKE_TEXT:
        assert asked(client, told[path]["takes"]["example"], path).status_code in {200, 201}
        assert "text/vnd.thirty-one" in paths[path]["post"]["requestBody"]["description"]


def test_the_example_is_the_hand_that_the_others_have():
    assert notated(NOTATED).hand == msgspec.convert(TIED_KNOCKER, Hand)
