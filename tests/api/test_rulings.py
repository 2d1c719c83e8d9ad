"""A hand in, a ruling out: in JSON and MessagePack, alone and in a batch, with names and without."""

import msgspec
import pytest

from engine import VERSION
from tests.api.stories import LOG, SHOWDOWN, changed

MESSAGEPACK = ["application/x-msgpack", "application/vnd.msgpack", "application/msgpack"]


def ruling_of(client, body, query=""):
    response = client.post(f"/v1/rulings{query}", json=body)
    assert response.status_code in (200, 201), response.text
    return response.json()["ruling"]


def test_the_worked_example(client):
    answer = client.post("/v1/rulings?store=false", json={"hand": LOG}).json()
    assert answer["replay"] is None
    assert answer["engine"] == VERSION
    ruling = answer["ruling"]
    assert [seat["value"] for seat in ruling["seats"]] == [19, 27, 25, 19]
    assert [seat["change"] for seat in ruling["seats"]] == [0, 0, 0, -1]
    assert ruling["citations"][1]["says"] == (
        "Ben knocked and ties for the lowest hand with Ana, so Ben is safe and Ana loses 1 life."
    )


@pytest.mark.parametrize(
    ("preset", "change"),
    [("pagat", [0, 0, 0, -1]), ("casual", [-1, 0, 0, -1]), ("quick-knock", [-2, 0, 0, -1])],
)
def test_rule_sets_matter(client, preset, change):
    ruling = ruling_of(client, {"rules": {"preset": preset}, "hand": LOG})
    assert [seat["change"] for seat in ruling["seats"]] == change


def test_without_rules_the_standard_game_is_played(client):
    assert ruling_of(client, {"hand": LOG}) == ruling_of(client, {"rules": {}, "hand": LOG})
    assert ruling_of(client, {"hand": LOG}) == ruling_of(client, {"rules": {"preset": "pagat"}, "hand": LOG})


def test_a_ruling_names_the_complete_rules(client):
    rules = ruling_of(client, {"rules": {"changes": {"lives": 5}}, "hand": LOG})["rules"]
    assert rules["form"] == "stock"
    assert rules["lives"] == 5
    assert len(rules) == 22


def test_names_are_in_sentences_and_nowhere_else(client):
    named = ruling_of(client, {"hand": LOG})
    said = " ".join(citation.pop("says") for citation in named["citations"])
    assert "Ben" in said
    assert "Ana" in said
    assert not any(name in repr(named) for name in ("Ben", "Cara", "Dan", "Ana"))
    nameless = {**LOG, "players": [{"lives": 3}] * 4}
    assert "Seat 1 knocked and ties" in client.post("/v1/rulings", json={"hand": nameless}).text


def test_a_reading_of_a_silence_is_marked(client):
    everyone_out = {
        "kind": "showdown",
        "players": [{"lives": 1, "cards": ["Ks", "9s", "2h"]}, {"lives": 1, "cards": ["Kd", "9d", "2c"]}],
        "ended_by": {"type": "knock", "seat": 1},
    }

    def stated(rules):
        citations = ruling_of(client, {"rules": rules, "hand": everyone_out})["citations"]
        return {citation["option"]: citation["stated"] for citation in citations}

    casual = stated({"preset": "casual"})
    assert casual["everyone_out"] is False
    assert casual["knocker_tie"] is True
    changed_rules = stated({"preset": "casual", "changes": {"everyone_out": "shared_win"}})
    assert changed_rules["everyone_out"] is True


def test_a_refusal_lists_every_broken_rule(client):
    hand = changed(LOG, "events", to=[{"type": "knock", "seat": 1}, {"type": "knock", "seat": 3}])
    ruling = ruling_of(client, {"hand": hand})
    assert (ruling["outcome"], ruling["kind"], ruling["at"]) == ("refused", "impossible", 1)
    assert {"turn.out-of-turn", "knock.second"} <= {broken["rule"] for broken in ruling["broken"]}
    assert [seat["value"] for seat in ruling["seats"]] == [19, 18, 18, 19]


def test_an_unfinished_hand_says_what_may_happen(client):
    ruling = ruling_of(client, {"hand": changed(LOG, "events", to=[])})
    assert (ruling["outcome"], ruling["to_act"]) == ("unfinished", 1)
    assert sorted(ruling["may"]) == ["draw_stock", "knock", "take_discard"]


@pytest.mark.parametrize("media_type", MESSAGEPACK)
def test_messagepack_both_ways(client, media_type):
    response = client.post(
        "/v1/rulings",
        content=msgspec.msgpack.encode({"hand": LOG}),
        headers={"content-type": media_type, "accept": media_type},
    )
    assert response.status_code in (200, 201)
    assert response.headers["content-type"] == media_type
    assert response.headers["vary"] == "Accept, Accept-Encoding"
    assert msgspec.msgpack.decode(response.content) == client.post("/v1/rulings", json={"hand": LOG}).json()


def test_json_in_messagepack_out_and_the_other_way_round(client):
    out = client.post("/v1/rulings", json={"hand": LOG}, headers={"accept": MESSAGEPACK[0]})
    assert msgspec.msgpack.decode(out.content)["ruling"]["outcome"] == "settled"
    back = client.post(
        "/v1/rulings",
        content=msgspec.msgpack.encode({"hand": LOG}),
        headers={"content-type": f"{MESSAGEPACK[0]}; v=1"},
    )
    assert back.json()["ruling"]["outcome"] == "settled"


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/html, application/json;q=0.1", "application/json"),
        ("application/json;q=0.2, application/x-msgpack", "application/x-msgpack"),
    ],
)
def test_the_answer_is_in_the_format_liked_best(client, accept, media_type):
    response = client.post("/v1/rulings", json={"hand": LOG}, headers={"accept": accept})
    assert response.headers["content-type"] == media_type


def test_a_batch_answers_in_order_and_one_bad_hand_spoils_nothing(client):
    unknown_card = changed(SHOWDOWN, "players", 1, "cards", 0, to="11d")
    response = client.post(
        "/v1/rulings/batch", json={"rules": {"preset": "casual"}, "hands": [LOG, unknown_card, 5, SHOWDOWN]}
    )
    assert response.status_code == 200
    first, second, third, fourth = response.json()["answers"]
    alone = client.post("/v1/rulings", json={"rules": {"preset": "casual"}, "hand": LOG}).json()
    assert first == alone
    assert second["problem"]["status"] == third["problem"]["status"] == 422
    assert second["problem"]["errors"][0]["pointer"] == "/hands/1/players/1/cards/0"
    assert third["problem"]["errors"][0]["pointer"] == "/hands/2"
    assert second["problem"]["request_id"] == response.headers["x-request-id"]
    assert fourth["ruling"]["outcome"] == "settled"


def test_a_batch_in_messagepack(client):
    response = client.post(
        "/v1/rulings/batch",
        content=msgspec.msgpack.encode({"hands": [LOG, 5]}),
        headers={"content-type": MESSAGEPACK[0], "accept": MESSAGEPACK[0]},
    )
    settled, refused = msgspec.msgpack.decode(response.content)["answers"]
    assert settled["ruling"]["outcome"] == "settled"
    assert refused["problem"]["status"] == 422


def test_a_batch_of_a_thousand_hands_and_no_more(client):
    full = client.post("/v1/rulings/batch", json={"hands": [SHOWDOWN] * 1000})
    assert len(full.json()["answers"]) == 1000
    assert client.post("/v1/rulings/batch", json={"hands": [SHOWDOWN] * 1001}).status_code == 422
    assert client.post("/v1/rulings/batch", json={"hands": []}).json() == {"answers": []}


def test_valuations_say_what_counts_and_why(client):
    body = {
        "rules": {"changes": {"three_of_a_kind": "30.5"}},
        "hands": [["Jd", "8d", "As"], ["7s", "7h", "7c"], ["Jd", "8d", "As"]],
    }
    answer = client.post("/v1/valuations", json=body).json()
    suit, triple, again = answer["valuations"]
    assert (suit["value"], suit["counted"], suit["counts_as"]) == (18, ["Jd", "8d"], "suit")
    assert (triple["value"], triple["counts_as"]) == (30.5, "three_of_a_kind")
    assert suit == again
    assert suit["citations"][0]["says"] == "The best total in one suit is 18: J♦ 8♦."
    assert triple["citations"][0]["option"] == "three_of_a_kind"
    assert answer["rules"]["three_of_a_kind"] == "30.5"


def test_a_hand_without_joker_rules_has_no_joker(client):
    body = {"hands": [["Ks", "Qs", "X1"]]}
    refused = client.post("/v1/valuations", json=body)
    assert refused.status_code == 422
    assert refused.json()["errors"] == [
        {"detail": "Joker 1 cannot come from a pack with 0 jokers.", "pointer": "/hands/0"}
    ]
    one = client.post("/v1/valuations", json={"hands": [["Ks", "X2"]], "rules": {"changes": {"jokers": 1}}})
    assert one.status_code == 422
    joker = client.post("/v1/valuations", json={**body, "rules": {"preset": "wild-jokers"}})
    assert joker.json()["valuations"][0]["value"] == 31


@pytest.mark.parametrize("path", ["/v1/rulings/batch", "/v1/games"])
@pytest.mark.parametrize("items", [1001, 1_000_000])
def test_an_array_that_is_too_long_is_given_up_at_once(client, path, items):
    rest = "" if path == "/v1/rulings/batch" else ',"players":[{},{}],"dealer":1'
    body = f'{{"hands":[{",".join("1" * items)}]{rest}}}'
    response = client.post(path, content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error == {"detail": "Expected `array` of at most length 1000.", "pointer": "/hands"}
