"""Cards as pictures, and cards within a text."""

from xml.etree import ElementTree as ET

import pytest

from api.sheets.cards import Part, card_svg, colour_of, parts
from schemas.cards import Card

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg):
    return ET.fromstring(svg)  # noqa: S314 - a picture of our own


def shapes(svg):
    return tuple(path.get("d") for path in drawn(svg).iter(f"{SVG}path"))


def test_every_card_has_a_picture_of_its_own_even_without_colours():
    assert len({shapes(card_svg(card)) for card in Card}) == len(Card) == 54


@pytest.mark.parametrize("card", Card)
def test_a_picture_is_named_and_needs_no_font(card):
    root = drawn(card_svg(card))
    assert root.get("aria-label") == card.sign
    assert root.get("role") == "img"
    assert list(root.iter(f"{SVG}text")) == []


@pytest.mark.parametrize("card", Card)
def test_a_faded_card_is_the_same_card_and_lighter(card):
    assert shapes(card_svg(card, faded=True)) == shapes(card_svg(card))
    assert "opacity" in card_svg(card, faded=True)
    assert "opacity" not in card_svg(card)


@pytest.mark.parametrize("card", [card for card in Card if not card.is_joker])
def test_a_card_in_a_text_has_the_colour_of_its_picture(card):
    assert list(parts(f"Ben shows {card.sign}.")) == [
        Part("Ben shows "),
        Part(card.sign, colour_of(card)),
        Part("."),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("nothing", [("nothing", None)]),
        ("10♥", [("10♥", "red")]),
        ("K♠9♦", [("K♠", "black"), ("9♦", "red")]),
        ("110♥", [("110", None), ("♥", "red")]),
        ("OK♣", [("OK", None), ("♣", "black")]),
        ("only ♠ and ♦", [("only ", None), ("♠", "black"), (" and ", None), ("♦", "red")]),
        ("1♥ <b>", [("1", None), ("♥", "red"), (" <b>", None)]),
    ],
)
def test_the_parts_of_a_text(text, found):
    assert [(part.says, part.colour) for part in parts(text)] == found
    assert "".join(part.says for part in parts(text)) == text
