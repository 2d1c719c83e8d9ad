"""`--rules` and `--set`: the rules that a command goes by, and how it says that there are none such."""

import json
import re

import pytest

from tests.api.cli.commanding import FRIDAY, hand, lines, refused, run, said

ASK = ("value", "7s 7h 7c")


def rules_of(*arguments):
    return json.loads(run(*ASK, "--json", *arguments).stdout)["rules"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rules", "casual", "--set", "three_of_a_kind=30.5", "--set", "jokers=2"],
        ["--rules", "casual three_of_a_kind=30.5 jokers=2"],
        ["--rules", "CASUAL  Three-of-a-Kind=30½", "--set", "jokers=2"],
    ],
    ids=repr,
)
def test_a_preset_and_changes_can_be_given_in_any_way(arguments):
    rules = rules_of(*arguments)
    assert (rules["knocker_tie"], rules["three_of_a_kind"], rules["jokers"]) == ("shares", "30.5", 2)


def test_dashes_are_as_good_as_underscores():
    assert rules_of("--set", "first-knock=ends-hand")["first_knock"] == "ends_hand"


@pytest.mark.parametrize(
    ("arguments", "says", "line", "carets"),
    [
        (["--rules", "pagta"], "There is no preset `pagta`. Did you mean `pagat`?", "--rules pagta", "^^^^^"),
        (
            ["--rules", "pagat knocker_tie=dubble"],
            "`knocker_tie` cannot be `dubble`. It is one of: safe, shares, double, only_one, only_two.",
            "--rules pagat knocker_tie=dubble",
            "^^^^^^",
        ),
        (
            ["--rules", "pagat casual"],
            "A rule set has one preset, and then answers: `option=answer`.",
            "--rules pagat casual",
            "^^^^^^",
        ),
        (
            ["--set", "tree_of_a_kind=30"],
            "There is no option `tree_of_a_kind`. Did you mean `three_of_a_kind`?",
            "--set tree_of_a_kind=30",
            "^^^^^^^^^^^^^^   ",
        ),
        (["--set", "lives=11"], "`lives` cannot be `11`. It is a number from 1 to 10.", "--set lives=11", "^^"),
        (["--set", "lives"], "It is `option=answer`, such as `lives=3`.", "--set lives", "^^^^^"),
        (
            ["--set", "jokers=1", "--set", "jokers=2"],
            "`jokers` is answered twice.",
            "--set jokers=2",
            "^^^^^^^^",
        ),
        (
            ["--set", "loss_beyond_lives=county", "--set", "county=none"],
            "`loss_beyond_lives: county` needs `county` to be `all`, but it is `none`.",
            "--set loss_beyond_lives=county",
            "^^^^^^^^^^^^^^^^^^^^^^^^",
        ),
        (
            ["--rules", "bicycle", "--set", "lives=4"],
            "`lives` is not an option of the widow form, which `bicycle` is played in.",
            "--set lives=4",
            "^^^^^^^",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_not_understood_is_pointed_at(arguments, says, line, carets):
    assert refused(*ASK, *arguments) == f"thirtyone: {says}\n  {line}\n  {carets.rjust(len(line)).rstrip()}\n"


def test_an_answer_that_is_missing_is_pointed_at_where_it_should_be():
    assert refused(*ASK, "--set", "lives=").endswith("  --set lives=\n              ^\n")


def test_what_is_like_nothing_gets_to_see_all_there_is():
    assert "There are: pagat, wikipedia, large-group, " in refused(*ASK, "--rules", "xyzzy")
    assert "There are: lives, county, " in refused(*ASK, "--set", "xyzzy=1")


def test_an_empty_rule_set_is_none():
    assert "The name of a preset is missing." in refused(*ASK, "--rules", " ")


def test_the_rules_of_a_file_hold_unless_a_preset_is_named(tmp_path):
    file = tmp_path / "friday.31"
    file.write_text(FRIDAY, encoding="utf-8")
    assert "Rules: pagat with `knocker_tie: double`." in said("judge", file)
    assert "Rules: casual." in said("judge", file, "--rules", "casual")
    assert "Rules: pagat with `minimum_knock: 17` and `knocker_tie: double`." in said(
        "judge", file, "--set", "minimum_knock=17"
    )
    assert "Rules: pagat with `knocker_tie: only_two`." in said("judge", file, "--set", "knocker_tie=only_two")


def test_rules_of_a_file_that_do_not_go_together_are_pointed_at():
    rules = {"preset": "bicycle", "changes": {"lives": 3}}
    says = "`lives` is not an option of the widow form, which `bicycle` is played in."
    result = run("judge", "-", data=lines(hand(), {"hand": hand(), "rules": rules}), status=2)
    assert re.search(
        rf"standard input, line 2, column \d+: {re.escape(says)}\n.*\"lives\": 3.*\n +\^{{7}}\n", result.stderr
    )
    assert result.stdout.startswith("standard input:1: settled: ")
    batch = {"rules": rules, "hands": [hand()]}
    assert re.search(
        r"line 5, column 4: .*\n *\"lives\": 3\n +\^{7}\n", refused("judge", "-", data=json.dumps(batch, indent=1))
    )
    text = "\ufeff" + FRIDAY.replace("pagat knocker-tie=double", "bicycle jokers=1 lives=3")
    pointed = (
        "  [rules bicycle jokers=1 lives=3]    # what we thought we were playing\n                          ^^^^^^^\n"
    )
    assert refused("judge", "-", data=text) == f"thirtyone: standard input, line 1, column 25: {says}\n{pointed}"
    assert refused("dispute", "-", data=text) == refused("compare", "-", data=text) == refused("judge", "-", data=text)


def test_of_several_rule_sets_the_one_that_does_not_go_together_is_pointed_at():
    text = "[rules casual]\n[rules: pub loss-beyond-lives=county]\n" + FRIDAY
    says = "`loss_beyond_lives: county` needs `county` to be `all`, but it is `none`."
    assert refused("compare", "-", data=text).splitlines() == [
        f"thirtyone: standard input, line 2, column 13: {says}",
        "  [rules: pub loss-beyond-lives=county]",
        "              ^^^^^^^^^^^^^^^^^^^^^^^^",
    ]
    sets = [{"preset": "casual"}, {"preset": "pub", "changes": {"loss_beyond_lives": "county"}}]
    asked = json.dumps({"rules": sets, "hand": hand()})
    where = asked.index('"loss_beyond_lives"') + 1
    assert f"line 1, column {where}: {says}" in refused("compare", "-", data=asked)
    assert "line 1, column 2: Several rule sets are named here" in refused("judge", "-", data=asked)
    assert "line 3, column 2: Several rule sets are named here" in refused("judge", "-", data=text)


def test_an_answer_that_does_not_go_with_the_preset_of_a_file_is_pointed_at():
    text = FRIDAY.replace("pagat knocker-tie=double", "pub")
    line = "--set loss_beyond_lives=county"
    says = "`loss_beyond_lives: county` needs `county` to be `all`, but it is `none`."
    assert refused("judge", "-", *line.split(), data=text).splitlines()[:2] == [f"thirtyone: {says}", f"  {line}"]


def test_answers_that_do_not_go_with_those_of_a_file_are_refused_with_it(tmp_path):
    file = tmp_path / "hand.json"
    rules = {"preset": "pagat", "changes": {"loss_beyond_lives": "county"}}
    file.write_text(json.dumps({"rules": rules, "hand": hand()}), encoding="utf-8")
    assert "`loss_beyond_lives: county` needs `county` to be `all`" in refused("judge", file, "--set", "county=none")
