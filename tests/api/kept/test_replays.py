"""Rulings are kept as replays: stored once, shown, judged once more, deleted."""

import hashlib

import msgspec
import pytest

from engine import VERSION
from replays.answers import Answer
from replays.canonical import Question
from replays.records import Record
from tests.api.kept.keeping import KNOCK_IN_MID_TURN, keep
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed


def canonical(value):
    return msgspec.json.encode(value, order="sorted")


def test_a_new_ruling_is_created_and_a_known_one_is_not(client):
    first, again = keep(client, LOG), keep(client, LOG)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    replay = first.json()["replay"]
    assert first.headers["location"] == again.headers["location"] == f"/v1/replays/{replay}"
    assert client.get(first.headers["location"]).json()["replay"] == replay


def test_names_spelling_and_format_make_no_other_replay(client):
    nameless = {**LOG, "players": [{"lives": player["lives"]} for player in LOG["players"]]}
    spelled = changed(nameless, "deal", "hands", 0, to=["2♥", "k♠", "9S"])
    packed = client.post(
        "/v1/rulings",
        content=msgspec.msgpack.encode({"hand": spelled, "rules": {"preset": "pagat", "changes": {"lives": 3}}}),
        headers={"content-type": "application/x-msgpack", "accept": "application/x-msgpack"},
    )
    assert packed.status_code == 201
    known = keep(client, LOG)
    assert known.status_code == 200
    assert known.json()["replay"] == msgspec.msgpack.decode(packed.content)["replay"]
    assert "Ben" in known.text
    assert "Ben" not in client.get(known.headers["location"]).text


def test_a_refused_ruling_is_kept_and_an_unfinished_one_is_not(client):
    refused = keep(client, KNOCK_IN_MID_TURN)
    assert refused.status_code == 201
    assert refused.json()["ruling"]["outcome"] == "refused"
    unfinished = keep(client, changed(LOG, "events", to=[]))
    assert unfinished.status_code == 200
    assert unfinished.json()["replay"] is None
    assert "location" not in unfinished.headers
    unstored = client.post("/v1/rulings?store=false", json={"hand": SHOWDOWN})
    assert unstored.status_code == 200
    assert unstored.json()["replay"] is None
    assert len(client.get("/v1/replays").json()["replays"]) == 1


def test_a_replay_is_shown_with_ids_that_anyone_can_check(client):
    answer = keep(client, LOG).json()
    shown = client.get(f"/v1/replays/{answer['replay']}").json()
    question = shown["question"]
    assert hashlib.sha256(canonical(question)).hexdigest() == answer["replay"]
    assert hashlib.sha256(canonical(question["rules"])).hexdigest() == shown["rule_set"]
    assert question["rules"] == answer["ruling"]["rules"]
    assert shown["kept"].endswith("Z")
    (stored,) = shown["answers"]
    assert stored["engine"] == VERSION
    assert hashlib.sha256(canonical(stored["ruling"])).hexdigest() == stored["digest"]
    assert stored["ruling"]["seats"] == answer["ruling"]["seats"]
    assert all("stated" not in citation for citation in stored["ruling"]["citations"])
    assert stored["ruling"]["citations"][1]["says"].startswith("Seat 1 knocked and ties")


def test_a_replay_has_a_strong_etag_in_each_format(client):
    path = keep(client, LOG).headers["location"]
    plain, packed = client.get(path), client.get(path, headers={"accept": "application/x-msgpack"})
    assert msgspec.msgpack.decode(packed.content) == plain.json() | {
        "kept": msgspec.msgpack.decode(packed.content)["kept"]
    }
    assert plain.headers["etag"].startswith('"')
    assert plain.headers["etag"] != packed.headers["etag"]
    for held in (plain.headers["etag"], "*"):
        again = client.get(path, headers={"if-none-match": held})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == plain.headers["etag"]
    head = client.head(path)
    assert (head.status_code, head.headers["etag"]) == (200, plain.headers["etag"])


@pytest.mark.parametrize("replay", ["0" * 64, "f" * 63, "F" * 64, "x", "0" * 65])
def test_what_is_no_replay_is_not_found(client, replay):
    check(client.get(f"/v1/replays/{replay}"), 404, "not-found")
    check(client.delete(f"/v1/replays/{replay}"), 404, "not-found")
    check(client.post(f"/v1/replays/{replay}/reruns", json={}), 404, "not-found")


def test_a_batch_is_kept_too(client):
    body = {"hands": [LOG, 5, KNOCK_IN_MID_TURN, changed(LOG, "events", to=[]), LOG]}
    first, bad, refused, unfinished, twice = client.post("/v1/rulings/batch", json=body).json()["answers"]
    assert first["replay"] == twice["replay"] == keep(client, LOG).json()["replay"]
    assert "problem" in bad
    assert refused["replay"] is not None
    assert unfinished["replay"] is None
    assert len(client.get("/v1/replays").json()["replays"]) == 2
    unstored = client.post("/v1/rulings/batch?store=false", json={"hands": [SHOWDOWN]}).json()["answers"]
    assert unstored[0]["replay"] is None
    assert len(client.get("/v1/replays").json()["replays"]) == 2


def test_a_rerun_gives_the_same_bytes(client):
    path = keep(client, LOG).headers["location"]
    again = client.post(f"{path}/reruns", json={}).json()
    assert (again["result"], again["drift"], again["engine"]) == ("same", None, VERSION)
    assert canonical(again["ruling"]) == canonical(again["stored"]["ruling"])


def test_a_drift_is_shown_and_never_written_over(client, store):
    replay = keep(client, LOG).json()["replay"]
    path = f"/v1/replays/{replay}"
    shown = client.get(path).json()
    client.delete(path)
    ruling = shown["answers"][0]["ruling"]
    for change, drift in (({"knocker": 2}, "decision"), ({"citations": []}, "wording")):
        other = Answer(VERSION, canonical({**ruling, **change}))
        question = store_question(shown["question"])
        store.keep([Record(bytes.fromhex(replay), question, other, ())])
        for _ in range(2):
            again = client.post(f"{path}/reruns", json={}).json()
            assert (again["result"], again["drift"]) == ("drifted", drift)
            assert again["stored"]["ruling"] == {**ruling, **change}
            assert again["ruling"] == ruling
            assert keep(client, LOG).status_code == 200
        client.delete(path)


def test_an_answer_of_another_version_stands_beside_ours(client, store):
    replay = keep(client, LOG).json()["replay"]
    shown = client.get(f"/v1/replays/{replay}").json()
    older = Answer("0.0.9", canonical({**shown["answers"][0]["ruling"], "knocker": 3}))
    store.keep([Record(bytes.fromhex(replay), store_question(shown["question"]), older, ())])
    answers = client.get(f"/v1/replays/{replay}").json()["answers"]
    assert [answer["engine"] for answer in answers] == ["0.0.9", VERSION]
    assert client.post(f"/v1/replays/{replay}/reruns", json={}).json()["result"] == "same"


def store_question(question):
    return Question(canonical(question["hand"]), canonical(question["rules"]))


def test_a_rerun_under_other_rules(client):
    path = keep(client, LOG).headers["location"]
    rules = {"preset": "pagat", "changes": {"knocker_tie": "double"}}
    again = client.post(f"{path}/reruns", json={"rules": rules}).json()
    assert (again["result"], again["drift"], again["stored"]) == ("other_rules", None, None)
    nameless = {**LOG, "players": [{"lives": player["lives"]} for player in LOG["players"]]}
    assert (
        again["ruling"]
        == client.post("/v1/rulings?store=false", json={"hand": nameless, "rules": rules}).json()["ruling"]
    )
    assert len(client.get("/v1/replays").json()["replays"]) == 1
    check(client.post(f"{path}/reruns", json={"rules": {"preset": "scat"}}), 422, "invalid")
    check(client.post(f"{path}/reruns", json={"rule": {}}), 422, "invalid")
    check(
        client.post(f"{path}/reruns", content=b"{", headers={"content-type": "application/json"}), 400, "not-decodable"
    )


def test_a_deleted_replay_is_gone_and_can_be_kept_anew(client):
    path = keep(client, LOG).headers["location"]
    other = keep(client, LOG, preset="casual").headers["location"]
    deleted = client.delete(path)
    assert (deleted.status_code, deleted.content) == (204, b"")
    check(client.get(path), 404, "not-found")
    check(client.delete(path), 404, "not-found")
    assert client.get(other).status_code == 200
    assert keep(client, LOG).status_code == 201


@pytest.mark.parametrize(("method", "path"), [("PUT", ""), ("POST", ""), ("GET", "/reruns"), ("DELETE", "/reruns")])
def test_other_methods_are_not_allowed(client, method, path):
    location = keep(client, LOG).headers["location"]
    response = client.request(method, location + path)
    check(response, 405, "method-not-allowed")
    assert response.headers["allow"]


def test_nothing_personal_is_in_the_file(client, tmp_path, capfd):
    named = {**LOG, "players": [{**player, "name": f"Zaphod{place}"} for place, player in enumerate(LOG["players"])]}
    assert "Zaphod0" in keep(client, named).text
    client.post("/v1/rulings/batch", json={"hands": [named, changed(named, "dealer", to=3)]})
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert len(files) >= 2
    assert not any(b"Zaphod" in content for content in files)
    assert "Zaphod" not in "".join(capfd.readouterr())


def test_options_names_every_method(client):
    path = keep(client, LOG).headers["location"]
    for address, methods in ((path, {"GET", "HEAD", "DELETE", "OPTIONS"}), (f"{path}/reruns", {"POST", "OPTIONS"})):
        response = client.options(address)
        assert response.status_code == 204
        assert set(response.headers["allow"].split(", ")) == methods
        assert set(client.put(address).headers["allow"].split(", ")) == methods


def test_a_deletion_has_no_answer_that_could_be_unacceptable(client):
    path = keep(client, LOG).headers["location"]
    assert client.delete(path, headers={"accept": "text/html"}).status_code == 204


def test_a_format_that_is_refused_by_name_is_not_answered(client):
    for accept, media_type in (
        ("application/json;q=0, */*", "application/x-msgpack"),
        ("application/x-msgpack;q=0, application/*", "application/json"),
    ):
        response = client.get("/v1/replays", headers={"accept": accept})
        assert response.headers["content-type"] == media_type
    refused = client.get("/v1/replays", headers={"accept": "text/html"})
    check(refused, 406, "not-acceptable")
    assert refused.headers["vary"] == "Accept"


def test_answers_are_in_the_order_of_versions(client, store):
    replay = keep(client, LOG).json()["replay"]
    shown = client.get(f"/v1/replays/{replay}").json()
    question, ruling = store_question(shown["question"]), shown["answers"][0]["ruling"]
    for version in ("0.10.0", "0.0.9", "0.9.2"):
        store.keep([Record(bytes.fromhex(replay), question, Answer(version, canonical(ruling)), ())])
    answers = client.get(f"/v1/replays/{replay}").json()["answers"]
    assert [answer["engine"] for answer in answers] == ["0.0.9", VERSION, "0.9.2", "0.10.0"]
    assert client.get("/v1/replays").json()["replays"][0]["engine"] == "0.10.0"
