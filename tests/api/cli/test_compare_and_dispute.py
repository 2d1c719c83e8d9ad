"""`thirtyone compare` and `thirtyone dispute`: one hand under many rules, and what it hinges on."""

import json

import pytest

from tests.api.cli.commanding import FRIDAY, early, hand, illegal, lines, refused, run, said

HAND = json.dumps({"hand": hand()})
COMPARED = """\
What comes of it             Rules                         Because of
Ana loses 1 life.            pagat, wikipedia, pub,
                             family, cadillac
Cara loses 1 life and Dan    large-group                   first_knock=ends_hand
loses 1 life.
Ben loses 1 life and Ana     casual, blitz, wild-jokers,   knocker_tie=shares
loses 1 life.                redemption, ride-the-bus,
                             four-lives-online
Ben loses 2 lives and Ana    quick-knock                   knocker_tie=double
loses 1 life.

- With `first_knock: ends_hand` rather than `free`, Cara loses 1 life, Dan loses
  1 life and Ana loses nothing instead of 1 life.
- With `knocker_tie: shares` rather than `safe`, Ben loses 1 life.
- With `knocker_tie: double` rather than `safe`, Ben loses 2 lives.

bicycle and widow are of another form of the game.
"""
DISPUTED = """\
By pagat, Ana loses 1 life.

It would be otherwise:
- Under `minimum_knock: 20`, and so up to 31, the record is refused: Ben has 19
  and needs 20 to knock.
- Under `first_knock: after_first_round`, the record is refused: Ben may not
  knock: not every player has had a turn.
- Under `first_knock: ends_hand`, Cara loses 1 life, Dan loses 1 life and Ana
  loses nothing instead of 1 life.
- Under `knocker_tie: shares`, Ben loses 1 life.
- Under `knocker_tie: double`, Ben loses 2 lives.
- Under `knocker_tie: only_one`, Ben loses 1 life and Ana loses nothing instead
  of 1 life.
- Under `knocker_tie: only_two`, Ben loses 2 lives and Ana loses nothing instead
  of 1 life.

Claim: Ben loses 1 life and Ana loses 1 life.
Under `knocker_tie: shares`, Ben loses 1 life. It is what `casual`, `blitz`,
`wild-jokers`, `redemption`, `ride-the-bus` and `four-lives-online` would say.

Claim: Ana loses 1 life.
That is what these rules say.
"""


def compared(*arguments, data=HAND):
    return json.loads(run("compare", "-", "--json", *arguments, data=data).stdout)


def presets(comparison):
    return [each["preset"] for each in comparison["rule_sets"]]


def test_all_presets_are_compared_where_none_is_named():
    assert said("compare", "-", data=HAND) == COMPARED


def test_the_comparison_is_that_of_the_service(client):
    body = {"hand": hand(), "rules": "all-presets"}
    answer = client.post("/v1/comparisons", json=body).text
    for data in (HAND, json.dumps(body), json.dumps(hand())):
        assert run("compare", "-", "--json", data=data).stdout == answer + "\n"
    rules = [{"preset": "casual"}, {"preset": "pagat", "changes": {"knocker_tie": "double"}}]
    answer = client.post("/v1/comparisons", json={"hand": hand(), "rules": rules}).text
    asked = ("--rules", "casual", "--rules", "pagat knocker_tie=double")
    assert run("compare", "-", "--json", *asked, data=HAND).stdout == answer + "\n"
    assert run("compare", "-", "--json", data=json.dumps({"hand": hand(), "rules": rules})).stdout == answer + "\n"
    twice = {"hand": hand(), "rules": [*rules, *rules]}
    answer = client.post("/v1/comparisons", json=twice).text
    assert run("compare", "-", "--json", data=json.dumps(twice)).stdout == answer + "\n"


def test_rule_sets_of_the_file_are_compared():
    text = FRIDAY.replace("[rules", "[rules casual]\n[rules")
    assert presets(compared(data=text)) == ["casual", "pagat"]
    one = compared(data=FRIDAY)
    assert one["rule_sets"][0] == {"preset": "pagat", "changes": {"knocker_tie": "double"}}
    assert presets(one)[1:3] == ["pagat", "wikipedia"]
    assert one["left_out"] == ["bicycle", "widow"]


def test_the_first_rule_set_can_be_compared_with_all():
    found = compared("--rules", "casual", "--rules", "All-Presets")
    assert presets(found)[:3] == ["casual", "pagat", "wikipedia"]
    assert presets(found).count("casual") == 1


def test_a_house_rule_is_played_under_all():
    found = compared("--rules", "casual", "--rules", "pub", "--set", "minimum_knock=20")
    assert [each["changes"] for each in found["rule_sets"]] == [{"minimum_knock": 20}] * 2
    assert {each["outcome"] for each in found["rulings"]} == {"refused"}


def test_a_house_rule_has_to_go_with_those_that_are_compared_alone():
    house = ["--set", "knock_after_stock=allowed"]
    found = compared("--rules", "pagat", "--rules", "family", *house)
    assert presets(found) == ["pagat", "family"]
    for asked in ([], ["--rules", "pagat", "--rules", "all-presets"]):
        says = refused("compare", "-", *asked, *house, data=HAND)
        assert says.startswith(
            "thirtyone: Under wikipedia, `knock_after_stock: allowed` needs `stock_exhausted` to be "
        )
        assert says.endswith("  --set knock_after_stock=allowed\n        ^^^^^^^^^^^^^^^^^^^^^^^^^\n")


def test_there_are_as_many_claims_as_the_service_takes():
    claims = ["--claim=0 0 0 -1"] * 16
    assert len(json.loads(run("dispute", "-", "--json", *claims, data=HAND).stdout)["claims"]) == 16
    assert "There are 16 claims at the most, not 17." in refused("dispute", "-", *claims, claims[0], data=HAND)


def test_what_follows_otherwise_is_said_of_each():
    shown = said("compare", "-", "--rules", "pagat", "--rules", "pagat minimum_knock=25", data=json.dumps(illegal()))
    assert "The record is refused: Cara cannot knock: Ben     pagat\n" in shown
    assert "The record is refused: Ben has 19 and needs 25    pagat with `minimum_knock: 25`\n" in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--rules", "pagta"], "Did you mean `pagat`?"),
        (["--rules", "pagat lives=3", "--set", "lives=4"], "`lives` is answered twice."),
        ([f"--rules=pagat minimum_knock={number}" for number in range(32)] * 2, ""),
    ],
    ids=str,
)
def test_rule_sets_that_are_none_are_refused(arguments, says):
    if says:
        assert says in refused("compare", "-", *arguments, data=HAND)
    else:  # the same ones twice are not too many
        assert len(compared(*arguments)["rule_sets"]) == 32


def test_there_is_a_bound_to_what_is_compared():
    sets = [f"--rules=pagat minimum_knock={n} jokers={jokers}" for n in range(32) for jokers in (0, 1, 2)]
    assert "64 rule sets are compared at the most, not 96." in refused("compare", "-", *sets, data=HAND)


@pytest.mark.parametrize("command", ["compare", "dispute"])
def test_it_is_about_one_hand(command):
    assert "There is more than one hand in it" in refused(command, "-", data=lines(hand(), hand()))
    assert "There is no hand in it." in refused(command, "-", data="[]")
    assert "Ks 4x" in refused(command, "-", data="Ann(3): As Ks 4x")
    assert "No such file" in refused(command, "nowhere")


def test_a_dispute():
    claims = ("--claim", "Ben=-1, ana=-1", "--claim", "0 0 0 -1")
    assert said("dispute", "-", *claims, data=HAND) == DISPUTED


def test_nothing_may_hinge_on_anything():
    record = hand(players=[{"lives": 3}] * 4, dealer=9)
    assert "No single other answer changes that." in said("dispute", "-", data=json.dumps(record))


def test_a_search_that_was_ended_says_so(monkeypatch):
    monkeypatch.setattr("api.cli.dispute.MOST_WORK", 40)
    assert "Not everything was tried" in said("dispute", "-", "--claim", "0 -9 0 0", data=HAND)


def test_the_dispute_is_that_of_the_service(client):
    claims = [{"changes": [-1, 0, 0, -1]}, {"changes": [0, 0, -2, 0]}]
    body = {"hand": hand(), "rules": {"preset": "casual"}, "claims": claims}
    answer = client.post("/v1/disputes", json=body).text
    assert run("dispute", "-", "--json", data=json.dumps(body)).stdout == answer + "\n"
    asked = ("--rules", "casual", "--claim=-1 0 0 -1", "--claim", "Seat 3=\u22122")
    assert run("dispute", "-", "--json", *asked, data=HAND).stdout == answer + "\n"


@pytest.mark.parametrize(
    ("claim", "says", "carets"),
    [
        ("Bem=-1", "There is no player `Bem`. Did you mean `Ben`?", "^^^"),
        ("Ben=-1, 5=-1", "There is no player `5`. There are: Ben, Cara, Dan, Ana.", "        ^"),
        ("Ben=-1, Cara", "This is not understood; it could be `Ana=-1, Ben=-2`", "       ^^^^^"),
        ("Ben=lots", "This is not understood", "^^^^^^^^"),
        (",", "This is not understood; it could be `Ana=-1, Ben=-2`, or everyone's change, `0 -1 0`.", "^"),
        (
            "Ben=-1, -1",
            "This is not understood; it could be `Ana=-1, Ben=-2`, or everyone's change, `0 -1 0`.",
            "       ^^^",
        ),
        ("Ben=-1, Seat 1=-2", "`Seat 1` is there twice.", "        ^^^^^^"),
        ("0 0 0", "A claim has a change for each of the 4 players, but this one has 3.", "^^^^^"),
        ("0 0 0 2", "A change is a number of lives from -99 to 1; a loss has a minus sign.", "^^^^^^^"),
        (" ", "This is not understood", "^"),
    ],
)
def test_claims_that_are_not_understood_are_pointed_at(claim, says, carets):
    first, line, under = refused("dispute", "-", "--claim", claim, data=HAND).splitlines()
    assert first.startswith(f"thirtyone: {says}")
    assert line.rstrip() == f"  --claim {claim}".rstrip()
    assert under == f"          {carets}"


def test_two_players_of_one_name_are_named_by_their_seats():
    record = hand()
    record["players"][1]["name"] = "ben"
    assert "There are several players called `Ben`. A seat says which: `Seat 1=-1`." in refused(
        "dispute", "-", "--claim", "Ben=-1", data=json.dumps(record)
    )


def test_a_claim_of_the_file_about_others_is_pointed_at():
    body = {"hand": early(), "claims": [{"changes": [0, 0, 0, 0]}, {"changes": [0, 0]}]}
    errors = refused("dispute", "-", data=json.dumps(body, indent=1))
    assert "A claim has a change for each of the 4 players, but this one has 2." in errors
    assert "claims" not in errors.splitlines()[1]
