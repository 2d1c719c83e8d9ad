"""Replays as hands in the text notation."""

import pytest
from hypothesis import given

from api.choice import rules_of
from api.media import FORMATS, NOTATION
from api.notation import notated, only_choice, text_of
from engine.presets import PRESETS, resolve
from replays.canonical import canonical_hand, question_of
from tests import strategies
from tests.api.stories import LOG, SHOWDOWN

AS_TEXT = {"accept": "text/vnd.thirty-one"}
HOUSE = {"preset": "pagat", "changes": {"knocker_tie": "double"}}


def sent_back(client, text):
    """Return the answer to a text that was given, as a hand to judge."""
    return client.post("/v1/rulings", content=text.encode(), headers={"content-type": "text/vnd.thirty-one"})


def kept(client, **body):
    return client.post("/v1/rulings", json=body).headers["location"]


def test_a_replay_as_text(client):
    response = client.get(kept(client, hand=LOG, rules=HOUSE), headers=AS_TEXT)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/vnd.thirty-one; charset=utf-8"
    assert response.headers["vary"] == "Accept, Accept-Encoding"
    assert response.headers["cache-control"] == "no-cache"
    assert response.text.startswith("[rules pagat knocker_tie=double]\n[dealer Seat 4]\nSeat 1(3): Ks 9s 2h\n")
    assert response.text.endswith("\nSeat 1: knock\nSeat 2: +9c -4d\nSeat 3: +7h -3s\nSeat 4: +2c -2c\n")


def test_a_replay_as_text_has_an_etag_of_its_own(client):
    path = kept(client, hand=LOG)
    text, plain = client.get(path, headers=AS_TEXT), client.get(path)
    etag = text.headers["etag"]
    assert etag != plain.headers["etag"]
    assert not etag.startswith("W/")
    again = client.get(path, headers={**AS_TEXT, "if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"if-none-match": etag}).status_code == 200
    head = client.head(path, headers=AS_TEXT)
    assert (head.headers["etag"], head.headers["content-length"]) == (etag, str(len(text.content)))


ACCEPTED = {
    "": "application/json",
    "*/*": "application/json",
    "text/html, */*;q=0.8": "application/json",
    "text/*": "text/vnd.thirty-one; charset=utf-8",
    "application/json;q=0.5, text/vnd.thirty-one": "text/vnd.thirty-one; charset=utf-8",
    "text/vnd.thirty-one;q=0, */*": "application/json",
    "application/x-msgpack": "application/x-msgpack",
}


@pytest.mark.parametrize("accept", ACCEPTED)
def test_a_replay_is_text_for_those_who_ask_for_it(client, accept):
    response = client.get(kept(client, hand=SHOWDOWN), headers={"accept": accept})
    assert response.headers["content-type"] == ACCEPTED[accept]


def test_what_a_replay_can_be_is_listed(client):
    path = kept(client, hand=SHOWDOWN)
    response = client.get(path, headers={"accept": "text/html"})
    assert response.status_code == 406
    assert ", ".join([*FORMATS, NOTATION.media_type]) in response.json()["detail"]
    assert client.get("/v1/presets", headers=AS_TEXT).status_code == 406
    assert client.get("/v1/replays/" + "0" * 64, headers=AS_TEXT).status_code == 404


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_text_that_was_given_is_the_same_replay_when_it_is_sent_back(client, preset):
    path = kept(client, hand=SHOWDOWN, rules={"preset": preset.id})
    response = sent_back(client, client.get(path, headers=AS_TEXT).text)
    assert (response.status_code, response.headers["location"]) == (200, path)


@given(strategies.questions())
def test_the_text_of_any_question_is_that_question(question):
    canonical, rules = canonical_hand(question.hand), resolve(question.choice).rules
    said = notated(text_of(canonical, rules).decode())
    assert said.hand == canonical
    assert question_of(said.hand, rules_of(only_choice(said)).rules) == question_of(canonical, rules)


def test_the_document_tells_of_it(client):
    operation = client.get("/openapi.json").json()["paths"]["/v1/replays/{replay}"]["get"]
    replay = operation["parameters"][0]["example"]
    assert sent_back(client, operation["x-notation"]["answers"]["example"]).json()["replay"] == replay
