"""`thirtyone value`: what hands are worth."""

import pytest

from tests.api.cli.commanding import program, refused, run, said


def test_a_hand_is_valued_and_the_rule_says_why():
    assert said("value", "Ks 9s 2h") == (
        "Cards     Counted  Value\n"
        "K♠ 9♠ 2♥  K♠ 9♠    19\n"
        "\n"
        "- The best total in one suit is 19: K♠ 9♠. (value.best-suit)\n"
    )


@pytest.mark.parametrize(
    "written",
    [["Ks 9s 2h"], ["KS,9s;2H"], ["Ks9s2h"], ["K♠9♠2♥"], ["K♠ 9♠\ufe0f 2♡"], ["Ks", "9s", "2h"], [" 2h  9s,Ks "]],
    ids=repr,
)
def test_cards_may_be_written_in_any_way(written):
    assert "K♠ 9♠ 2♥  K♠ 9♠    19\n" in said("value", *written)


def test_tens_and_jokers_may_stand_together():
    assert "10♥ 8♥ Joker 1" in said("value", "10H8hx1", "--set", "jokers=1")


def test_several_hands_are_several_rows():
    output = said("value", "Ks 9s 2h", "7s 7h 7c", "--rules", "pagat", "--set", "three_of_a_kind=30.5")
    assert [line.split("  ")[0] for line in output.splitlines()[:3]] == ["Cards", "K♠ 9♠ 2♥", "7♠ 7♥ 7♣"]
    assert "30½" in output
    assert "(value.three-of-a-kind, three_of_a_kind=30.5)" in " ".join(output.split())


def test_what_is_our_reading_is_marked():
    assert "(value.joker, jokers=2, our reading)" in " ".join(
        said("value", "As Ks X1", "--rules", "wild-jokers").split()
    )


def test_programs_get_what_the_service_answers(client):
    body = {"hands": [["Ks", "9s", "2h"], ["As"]], "rules": {"preset": "casual", "changes": {"three_of_a_kind": "30"}}}
    answer = client.post("/v1/valuations?partial=true", json=body)
    output = run("value", "--json", "--partial", "Ks 9s 2h", "As", "--rules", "casual", "--set", "three_of_a_kind=30")
    assert output.stdout == answer.text + "\n"


@pytest.mark.parametrize(
    ("hand", "says", "carets"),
    [
        ("Ks 9s 2x", "`2x` is not a card. A card is a rank and a suit, such as `Ks`.", "      ^^"),
        ("Ks9s 2h3", "`2h3` is not a card. A card is a rank and a suit, such as `Ks`.", "     ^^^"),
        ("Ks 9s", "A hand has three cards, not 2; --partial values fewer.", "^^^^^"),
        ("Ks 9s 2h 3h", "A hand has three cards, not 4.", "^^^^^^^^^^^"),
        ("Ks 9s 9s", "9♠ cannot be in two places.", "^^^^^^^^"),
        ("Ks 9s X1", "Joker 1 cannot come from a pack with 0 jokers.", "^^^^^^^^"),
    ],
)
def test_what_is_no_hand_is_pointed_at(hand, says, carets):
    assert refused("value", "As Ks Qs", hand) == f"thirtyone: {says}\n  {hand}\n  {carets}\n"


def test_cards_given_one_by_one_are_one_hand_however_many():
    assert "K♠ 9♠  K♠ 9♠    19\n" in said("value", "--partial", "Ks", "9s")
    for partial in ([], ["--partial"]):
        says = "thirtyone: A hand has three cards, not 4.\n  Ks 9s 2h 3h\n  ^^^^^^^^^^^\n"
        assert refused("value", *partial, "Ks", "9s", "2h", "3h") == says


def test_no_card_is_no_hand():
    for partial in ([], ["--partial"]):
        assert refused("value", *partial, " ") == "thirtyone: A hand has three cards, and here is none.\n"


def test_without_a_hand_it_is_told_how_it_is_used():
    assert refused("value").startswith("Usage: thirtyone value [OPTIONS] HAND...")


def test_it_loads_no_web_framework():
    code = (
        "import sys; sys.argv = ['thirtyone', 'value', 'Ks 9s 2h']\n"
        "from api.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)\n"
    )
    loaded = set(program(code).stderr.split())
    assert {"engine.valuation", "api.valuing"} <= loaded
    assert not {"litestar", "structlog", "uvicorn", "sqlite_utils", "jinja2", "zstandard"} & loaded
