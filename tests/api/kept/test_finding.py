"""Replays are found again: listed, page by page, and by what they are."""

from datetime import UTC, datetime

import pytest

from tests.api.kept.keeping import KNOCK_IN_MID_TURN, hands, keep
from tests.api.problems import check
from tests.api.stories import LOG, SHOWDOWN, changed


def test_the_list_has_the_newest_first_and_pages_that_do_not_move(client):
    kept = [keep(client, hand).json()["replay"] for hand in hands(7)]
    url, seen = "/v1/replays?limit=2", []
    while url:
        page = client.get(url)
        seen += [brief["replay"] for brief in page.json()["replays"]]
        link = page.headers.get("link")
        assert (link is None) == (page.json()["next"] is None)
        url = link and link.removeprefix("<").removesuffix('>; rel="next"')
        assert len(client.get("/v1/replays").json()["replays"]) >= 7
        keep(client, changed(SHOWDOWN, "players", 0, "lives", to=20 + len(seen)))
    assert seen == kept[::-1]


def test_a_summary_says_what_a_replay_is(client):
    refused, settled = keep(client, KNOCK_IN_MID_TURN).json(), keep(client, SHOWDOWN, preset="casual").json()
    first, second = client.get("/v1/replays").json()["replays"]
    assert (first["replay"], second["replay"]) == (settled["replay"], refused["replay"])
    assert (first["outcome"], first["ended_by"], first["players"]) == ("settled", "knock", 2)
    assert (second["outcome"], second["ended_by"], second["players"]) == ("refused", None, 4)
    assert first["rule_set"] != second["rule_set"]
    assert datetime.fromisoformat(first["kept"]) == datetime.fromtimestamp(1_800_000_001, UTC)


@pytest.fixture
def mixed(client):
    """A client whose store has four replays, and their ids."""
    replays = {
        "tied": keep(client, LOG),
        "refused": keep(client, KNOCK_IN_MID_TURN),
        "casual": keep(client, SHOWDOWN, preset="casual"),
        "shown 31": keep(
            client,
            {
                "kind": "showdown",
                "players": [
                    {"lives": 3, "cards": ["As", "Ks", "Qs"]},
                    {"lives": 2, "cards": ["2h", "3h", "4h"]},
                    {"lives": 1, "cards": ["2c", "9c", "4d"]},
                ],
                "ended_by": {"type": "declare", "seats": [1]},
            },
        ),
    }
    return client, {name: answer.json()["replay"] for name, answer in replays.items()}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["shown 31", "casual", "refused", "tied"]),
        ("outcome=settled", ["shown 31", "casual", "tied"]),
        ("outcome=refused", ["refused"]),
        ("ended_by=thirty_one", ["shown 31"]),
        ("cites=lose.knocker-tie", ["casual", "tied"]),
        ("cites=turn.already-drawn", ["refused"]),
        ("players=2", ["casual"]),
        ("preset=casual", ["casual"]),
        ("preset=pagat", ["shown 31", "refused", "tied"]),
        ("preset=pagat&outcome=settled&players=4", ["tied"]),
        ("preset=casual&outcome=refused", []),
        ("players=16", []),
        ("since=2027-01-15T08:00:01Z", ["shown 31", "casual", "refused"]),
        ("since=2027-01-15T08:00:00.001Z&until=2027-01-15T09:00:03%2B01:00", ["casual", "refused"]),
        ("until=2027-01-15T08:00:00Z", []),
        ("since=2030-01-01T00:00:00Z", []),
        ("until=2030-01-01T00:00:00Z&cites=deal.passes", ["tied"]),
    ],
)
def test_filters(mixed, query, names):
    client, replays = mixed
    found = client.get(f"/v1/replays?{query}").json()["replays"]
    assert [brief["replay"] for brief in found] == [replays[name] for name in names]


def test_a_rule_set_is_found_by_its_id(mixed):
    client, replays = mixed
    rule_set = client.get(f"/v1/replays/{replays['casual']}").json()["rule_set"]
    for query in (f"rule_set={rule_set}", f"rule_set={rule_set}&preset=casual"):
        (found,) = client.get(f"/v1/replays?{query}").json()["replays"]
        assert found["replay"] == replays["casual"]
    check(client.get(f"/v1/replays?rule_set={rule_set}&preset=pagat"), 400, "bad-parameter")


@pytest.mark.parametrize(
    "query",
    [
        "preset=scat",
        "outcome=unfinished",
        "ended_by=",
        "cites=lose.nothing",
        "players=0",
        "players=two",
        "players=1e3",
        "players=3.0",
        "limit=%2B5",
        "limit=1.0",
        "limit=0",
        "limit=501",
        "limit=-1",
        "since=yesterday",
        "since=2027-01-15T08:00:01",
        "until=1",
        "rule_set=abc",
        "cursor=abc",
        "cursor=YmVmb3JlOjEK",
        "cursor=YmVmb3JlOjF",
        "cursor=YmVmb3JlOi0x",
        "cursor=%00",
        "cursor=" + "A" * 100,
        "page=2",
        "limit=2&limit=3",
    ],
)
def test_a_filter_that_is_not_understood_is_refused(client, query):
    problem = check(client.get(f"/v1/replays?{query}"), 400, "bad-parameter")
    assert problem["errors"][0]["parameter"] in query


def test_a_cursor_never_leads_to_a_replay_that_is_newer(client):
    kept = [keep(client, hand).json()["replay"] for hand in hands(4)]
    cursor = client.get("/v1/replays?limit=2").json()["next"]
    for replay in kept:
        client.delete(f"/v1/replays/{replay}")
    for hand in hands(6):
        keep(client, hand)
    assert client.get(f"/v1/replays?cursor={cursor}").json() == {"replays": [], "next": None}
