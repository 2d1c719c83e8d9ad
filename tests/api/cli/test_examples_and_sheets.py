"""`thirtyone examples` and `thirtyone sheet`: what is made of rules alone."""

import json
import re

import pytest

from api.sheets.typesetting import PdfUnavailableError
from engine.examples.catalogue import SCENARIOS
from tests.api.cli.commanding import refused, run, said

TOLD = """\
The knocker ties for the lowest hand

Cara deals. Ana plays first. The upcard is 4♣.
- Ana has 3 lives and is dealt J♠ 10♠ 10♣: 10 + 10 = 20. The 10♣ is of another
  suit and adds nothing.
- Ben has 3 lives and is dealt J♦ 7♦ 3♦: 10 + 7 + 3 = 20.
- Cara has 3 lives and is dealt 2♥ A♦ K♦: 11 + 10 = 21.

The play:
- Ana knocks with J♠ 10♠ 10♣, which is 20.
"""


def test_a_scenario_is_told():
    assert said("examples", "--scenario", "Knocker-Ties", "--rules", "casual").startswith(TOLD)
    named = said("examples", "--scenario", "knocker-ties", "--name", "Zoë", "--name", "张伟", "--players", "4")
    assert "Zoë knocks with" in named
    assert "张伟" in named
    assert "Seat 4" in named


def test_another_seed_makes_another_hand():
    one, other = (said("examples", "--scenario", "knocker-ties", "--seed", seed) for seed in (1, 2))
    assert one != other


def test_every_scenario_is_told_that_can_occur():
    told = said("examples", "--rules", "bicycle").splitlines()
    can = [each.title for each in SCENARIOS if each.form == "widow"]
    assert set(can) & set(told)
    assert any(line.startswith("knocker-ties: ") for line in told)


def test_the_scenarios_are_listed():
    listed = said("examples", "--list")
    assert re.search(r"^knocker-ties +The knocker ties for the lowest hand$", listed, re.MULTILINE)
    assert "widow-best-hand" not in listed
    assert "widow-best-hand" in said("examples", "--list", "--rules", "bicycle")


def test_what_distinguishes_two_rule_sets_is_told():
    shown = said("examples", "--distinguish", "pagat", "pagat knocker_tie=double", "--name", "Ann")
    assert shown.startswith("Of 1 option on which they differ, 1 decided a hand: ")
    assert "\nWho loses when the knocker ties for the lowest hand?\n\n" in shown
    assert shown.endswith("\nWith `knocker_tie: double` rather than `safe`, Ann loses 2 lives.\n")


def test_an_option_of_which_there_is_no_hand_is_named():
    assert "`form`: The two rule sets are of different forms" in said("examples", "--distinguish", "pagat", "bicycle")


def test_programs_get_what_the_service_answers(client):
    body = {
        "rules": {"preset": "casual"},
        "scenario": "knocker-ties",
        "names": ["Ben", "\u202eX"],
        "seed": 3,
        "players": 4,
    }
    asked = ("--rules", "casual", "--scenario", "knocker-ties", "--name", "Ben", "--name", "\u202eX", "--seed", "3")
    answer = client.post("/v1/examples", json=body).text
    assert run("examples", "--json", *asked, "--players", "4").stdout == answer + "\n"
    assert run("examples", "--json", "--rules", "blitz").stdout == (
        client.post("/v1/examples", json={"rules": {"preset": "blitz"}}).text + "\n"
    )
    body = {"distinguish": [{"preset": "bicycle"}, {"preset": "widow"}], "seed": 1}
    answer = client.post("/v1/examples", json=body).text
    assert run("examples", "--json", "--distinguish", "bicycle", "widow", "--seed", "1").stdout == answer + "\n"
    assert run("examples", "--json", "--list").stdout == client.get("/v1/scenarios").text + "\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--scenario", "knocker-tes"], "Did you mean `knocker-ties`"),
        (["--scenario", "xyzzy"], "--list shows all."),
        (["--list", "--scenario", "knocker-ties"], "--list goes only with --rules, --set and --json."),
        (["--list", "--name", "Ana"], "--list goes only with --rules, --set and --json."),
        (["--distinguish", "pagat", "pub", "--rules", "pagat"], "--distinguish names the rules"),
        (["--distinguish", "pagat", "pub", "--players", "3"], "--distinguish names the rules"),
        (["--distinguish", "pagat", "pbu"], "Did you mean `pub`?"),
        (["--name", ""], "A name has 1 to 64 characters."),
        (["--name", "x" * 65], "A name has 1 to 64 characters."),
        (["--name=x"] * 17, "There are 16 names at the most."),
        (["--seed", "-1"], "--seed"),
        (["--players", "17"], "--players"),
    ],
    ids=str,
)
def test_what_there_are_no_examples_of_is_said(arguments, says):
    assert says in refused("examples", *arguments)


@pytest.mark.parametrize("ending", ["md", "html", "pdf"])
def test_a_sheet_is_that_of_the_service(client, tmp_path, ending):
    kinds = {"md": "text/markdown", "html": "text/html", "pdf": "application/pdf"}
    file = tmp_path / f"sheet.{ending}"
    asked = ["--rules", "casual", "--set", "jokers=1", "--title", "Fri <b>", "--name", "Zoë", "--paper", "a4"]
    assert run("sheet", "--output", file, *asked).stdout == ""
    rules = {"preset": "casual", "changes": {"jokers": 1}}
    body = {"rules": rules, "title": "Fri <b>", "names": ["Zoë"], "paper": "a4"}
    answer = client.post("/v1/rule-sheets", json=body, headers={"Accept": kinds[ending]})
    assert file.read_bytes() == answer.content
    assert run("sheet", "--format", ending, *asked).stdout_bytes == answer.content


def test_a_sheet_is_markdown_where_nothing_says_otherwise(tmp_path):
    assert run("sheet").stdout.startswith("# Scat (31), the standard game\n")
    run("sheet", "--output", tmp_path / "sheet.txt")
    assert (tmp_path / "sheet.txt").read_text(encoding="utf-8") == run("sheet").stdout


def test_a_format_that_is_named_counts_more_than_the_name_of_the_file(tmp_path):
    run("sheet", "--output", tmp_path / "sheet.pdf", "--format", "html")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--title", ""], "A title has 1 to 100 characters."),
        (["--title", "x" * 101], "A title has 1 to 100 characters."),
        (["--format", "doc"], "--format"),
        (["--rules", "bicycle lives=3"], "`lives` is not an option of the widow form"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(arguments, says):
    assert says in refused("sheet", *arguments)


def test_what_cannot_be_written_is_said(tmp_path, monkeypatch):
    assert "is a directory." in run("sheet", "--output", tmp_path, status=1).stderr
    assert "cannot be written: No such file" in run("sheet", "--output", tmp_path / "a" / "b", status=1).stderr

    def missing(*_):
        raise PdfUnavailableError

    monkeypatch.setattr("api.cli.sheet.sheet_pdf", missing)
    assert "(typst)" in run("sheet", "--output", tmp_path / "x.pdf", status=1).stderr
    assert not list(tmp_path.iterdir())


def test_the_list_for_programs_is_whole():
    assert len(json.loads(run("examples", "--json", "--list").stdout)["scenarios"]) == len(SCENARIOS)
