"""`thirtyone judge`: hands from files, in detail if there is one, in lines if there are many."""

import json

import pytest

from tests.api.cli.commanding import BROKEN, FRIDAY, early, hand, illegal, lines, refused, run, said
from tests.corpus import hands

SETTLED = """\
Settled: Ben loses 2 lives and Ana loses 1 life.

Seat  Player  Cards      Counted    Value  Lives  Then
1     Ben     K♠ 9♠ 2♥   K♠ 9♠      19     3 → 1  in
2     Cara    10♣ 9♣ 8♣  10♣ 9♣ 8♣  27     3      in
3     Dan     10♥ 8♥ 7♥  10♥ 8♥ 7♥  25     3      in
4     Ana     A♦ 8♦ 6♣   A♦ 8♦      19     3 → 2  in

- Ben knocked, and everyone else has had a last turn. (end.knock)
- Ben knocked and ties for the lowest hand with Ana, so Ben loses 2 lives and
  Ana loses 1 life. (lose.knocker-tie, knocker_tie=double)
- Ben deals next. (deal.passes)

Rules: pagat with `knocker_tie: double`.
"""
REFUSED = """\
Refused at event 1: Cara tries to knock, which is not allowed.
standard input, line 10:
  Cara: knock; 2: +9c -4d
        ^^^^^

Seat  Player  Cards      Counted  Value
1     Ben     K♠ 9♠ 2♥   K♠ 9♠    19
2     Cara    4♦ 10♣ 8♣  10♣ 8♣   18
3     Dan     3♠ 10♥ 8♥  10♥ 8♥   18
4     Ana     A♦ 8♦ 6♣   A♦ 8♦    19

- Cara cannot knock: Ben has already knocked. (knock.second)

Rules: pagat with `knocker_tie: double`.
"""
UNFINISHED = """\
Unfinished: it is Ana's turn.
Possible now: draw from the stock, take the top discard.

Seat  Player  Cards      Counted    Value
1     Ben     K♠ 9♠ 2♥   K♠ 9♠      19
2     Cara    10♣ 9♣ 8♣  10♣ 9♣ 8♣  27
3     Dan     10♥ 8♥ 7♥  10♥ 8♥ 7♥  25
4     Ana     A♦ 8♦ 6♣   A♦ 8♦      19

Rules: pagat.
"""


def test_a_settled_hand():
    assert said("judge", "-", data=FRIDAY) == SETTLED


def test_a_refused_hand_ends_with_status_1_and_is_pointed_at():
    text = FRIDAY.replace("+9c -4d; +7h -3s        {Dan took his time}\n+2c -2c\n", "Cara: knock; 2: +9c -4d\n")
    assert said("judge", "-", data=text, status=1) == REFUSED


def test_an_unfinished_hand_is_no_failure():
    assert said("judge", "-", data=json.dumps(early())) == UNFINISHED


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_a_refused_event_is_shown_however_the_json_is_laid_out(indent):
    shown = said("judge", "-", data=json.dumps({"hand": illegal()}, indent=indent), status=1).splitlines()
    assert '"type": "knock", "seat": 2' in shown[2]
    begin, end = shown[3].index("^"), len(shown[3])
    assert json.loads(shown[2][begin:end]) == {"type": "knock", "seat": 2}


def test_a_record_that_cannot_stand_has_no_event_to_point_at():
    shown = said("judge", "-", data=json.dumps(hand(dealer=9)), status=1)
    assert shown.startswith("Refused: the record as it stands cannot be.\n\nSeat")
    assert "(log.dealer)" in shown


def test_a_hand_without_names_has_no_column_for_them():
    players = [{"lives": 3, "cards": ["Ks", "9s", "2h"]}, {"lives": 0, "cards": ["Ad", "8d", "6c"]}]
    record = {"kind": "showdown", "players": players, "ended_by": {"type": "knock", "seat": 1}}
    shown = said("judge", "-", data=json.dumps(record))
    assert "Seat  Cards     Counted  Value  Lives  Then\n" in shown
    assert "2     A♦ 8♦ 6♣  A♦ 8♦    19     0 → 0  out\n" in shown
    assert "1     K♠ 9♠ 2♥  K♠ 9♠    19     3      wins the game\n" in shown


def test_the_widow_form_tells_of_the_pot():
    events = [{"type": "knock", "seat": 1}]
    deal = {"hands": [["Ks", "9s", "2h"], ["Ad", "8d", "6c"]], "widow": ["3c", "4c", "5c"]}
    record = {"kind": "log", "players": [{"lives": 3}, {"lives": 3}], "dealer": 2, "deal": deal, "events": events}
    shown = said("judge", "-", "--rules", "bicycle", data=json.dumps(record))
    assert "Seat  Cards     Counted  Value  Then\n" in shown
    assert "takes the pot\n" in shown


def test_what_was_not_judged_and_what_could_still_be_claimed_is_noted():
    late = hand(events=[*hand()["events"], {"type": "knock", "seat": 2}])
    assert "1 event after the end of the hand was not judged." in said("judge", "-", data=json.dumps(late))
    dealt = {"hands": [["As", "Ks", "Qs"], ["Ad", "8d", "6c"]], "upcard": "5h"}
    events = [
        {"type": "knock", "seat": 2},
        {"type": "draw_stock", "seat": 1, "card": "Js"},
        {"type": "discard", "seat": 1, "card": "Qs"},
    ]
    players = [{"lives": 3, "name": "Ann"}, {"lives": 3}]
    claim = {"kind": "log", "players": players, "dealer": 1, "deal": dealt, "events": events}
    assert "Ann may still show a 31 at once, and that would change the ruling." in said(
        "judge", "-", data=json.dumps(claim)
    )


def test_many_hands_are_a_line_each_and_a_sum():
    bad = hand(dealer="x")
    shown = run("judge", "-", data=lines(hand(), {"hand": early()}, illegal(), bad), status=2)
    assert shown.stdout.splitlines() == [
        "standard input:1: settled: Ana loses 1 life.",
        "standard input:2: unfinished: It is Ana's turn: draw from the stock, take the t…",
        "standard input:3: refused: event 1: Cara cannot knock: Ben has already knocked.…",
        "4 hands: 1 settled, 1 unfinished, 1 refused, 1 not understood.",
    ]
    assert shown.stderr.startswith("thirtyone: standard input, line 4, column 157: Expected `int`, got `str`.\n")


@pytest.mark.parametrize(
    ("values", "status"),
    [([hand(), hand()], 0), ([hand(), early()], 0), ([illegal(), hand()], 1), ([{"hand": 1}, illegal(), hand()], 2)],
)
def test_the_status_is_that_of_the_worst_hand(values, status):
    for arguments in (["judge", "-"], ["judge", "--json", "-"]):
        run(*arguments, data=lines(*values), status=status)


def test_one_hand_is_a_line_too_if_that_is_asked_for():
    assert said("judge", "--lines", "-", data=FRIDAY) == (
        "standard input: settled: Ben loses 2 lives and Ana loses 1 life.\n1 hand: 1 settled.\n"
    )
    answer = json.loads(run("judge", "--lines", "--json", "-", data=FRIDAY).stdout)
    assert list(answer) == ["engine", "replay", "ruling"]


def test_files_are_judged_in_their_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    batch = {"hands": [hand(), illegal()], "rules": {"preset": "casual"}}
    (tmp_path / "a.31").write_text(FRIDAY, encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(batch, indent=1), encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps([{"hand": hand()}, hand()], indent=1), encoding="utf-8")
    assert said("judge", "b.json", "a.31", "c.json", status=1).splitlines() == [
        "b.json#/hands/0: settled: Ben loses 1 life and Ana loses 1 life.",
        "b.json#/hands/1: refused: event 1: Cara cannot knock: Ben has already knocked.…",
        "a.31: settled: Ben loses 2 lives and Ana loses 1 life.",
        "c.json#/0: settled: Ana loses 1 life.",
        "c.json#/1: settled: Ana loses 1 life.",
        "5 hands: 4 settled, 1 refused.",
    ]


def test_programs_get_what_the_service_answers(client):
    for record in (hand(), early(), illegal()):
        body = {"hand": record, "rules": {"preset": "casual"}}
        answer = client.post("/v1/rulings?store=false", json=body)
        status = 1 if record == illegal() else 0
        assert run("judge", "--json", "-", data=json.dumps(body), status=status).stdout == answer.text + "\n"


def test_programs_get_the_lines_that_the_service_answers(client):
    """So is every conformance case, under each of its rule sets; what is not understood differs in the id alone."""
    asked = [{"hand": pair.case.hand, "rules": pair.expected["rules"]} for pair in hands()]
    asked += [{"hand": hand(dealer="x")}, {"hand": hand(), "rules": {"preset": "x"}}, {}, {"hand": hand(), "x": 1}]
    content = lines(*asked)
    headers = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson"}
    answers = client.post("/v1/rulings/batch?store=false", content=content, headers=headers).text.splitlines()
    output = run("judge", "--json", "-", data=content, status=2).stdout.splitlines()
    assert output[:-4] == answers[:-4]
    for one, other in zip(output[-4:], answers[-4:], strict=True):
        own, service = json.loads(one)["problem"], json.loads(other)["problem"]
        assert own["type"] == service["type"] == "/problems/invalid"
        assert own["errors"] == service["errors"]


def test_text_is_answered_with_the_places_that_the_service_names(client):
    answer = client.post("/v1/rulings", content=BROKEN, headers={"Content-Type": "text/vnd.thirty-one"}).json()
    own = json.loads(run("judge", "--lines", "--json", "-", data=BROKEN, status=2).stdout)["problem"]
    places = [[each[key] for key in ("line", "column", "length")] for each in own["errors"]]
    assert places == [[each[key] for key in ("line", "column", "length")] for each in answer["errors"]]


def test_several_rule_sets_are_for_comparing():
    text = FRIDAY.replace("[rules", "[rules casual]\n[rules")
    assert "`thirtyone compare` takes them all" in refused("judge", "-", data=text)
    assert "Rules: pub." in said("judge", "-", "--rules", "pub", data=text)


@pytest.mark.parametrize("name", ["\x1b[31mRed", "two\nlines", "\u202etfel", "\x9b31m", "tab\tbed"])
def test_names_cannot_steer_a_terminal(name):
    record = hand()
    record["players"][3]["name"] = name
    shown = said("judge", "-", data=json.dumps(record))
    assert " loses 1 life." in shown


def test_long_names_are_folded_and_not_lost():
    record = hand()
    for player, letter in zip(record["players"], "abcd", strict=True):
        player["name"] = letter * 64
    assert "d" * 64 in "".join(said("judge", "-", data=json.dumps(record)).split())


def test_a_hand_of_the_other_form_is_refused_with_the_form_that_is_played():
    shown = said("judge", "-", "--rules", "bicycle", data=FRIDAY, status=1)
    assert "(log.form, form=widow)" in " ".join(shown.split())


def test_no_hand_at_all_is_none():
    assert said("judge", "-", data="[]") == "0 hands.\n"
    assert said("judge", "-", "--json", data='{"hands": []}') == ""


def test_standard_input_is_read_only_once():
    assert "Standard input can be read only once." in refused("judge", "-", "-", data=FRIDAY)


def test_a_file_without_a_name_is_none():
    assert refused("judge", "") == "thirtyone: The name of a file is empty.\n"


def test_what_is_said_of_a_file_steers_no_terminal():
    assert refused("judge", "a\x1b[31m\nb") == "thirtyone: a [31m b cannot be read: No such file or directory.\n"
