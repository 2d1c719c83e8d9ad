"""Markdown shows a name as it was typed, whatever the name is, and leaves ordinary text as it is."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from engine.examples.markdown import as_markdown
from schemas.examples import Passage
from tests.strategies import examples

ORDINARY = [
    "O'Neil",
    "Anne-Marie",
    "J. R.",
    "Zoë & Tom",
    "Иван",
    "Ben knocks with K♠ 9♠ 2♥, which is 19.",
    "Ben: 7♠ 7♥ 7♦. Three of a kind counts 30½.",
    "Ana draws Q♦ from the stock and discards 3♣: 10 + 8 = 18.",
    "Joker 1 (of 2), 50% of them!",
]
STRANGE = [
    "<script>alert(1)</script>",
    "**x**",
    "_x_",
    "~~x~~",
    "~x~",
    "`x`",
    "[a](http://b)",
    "![a](b)",
    "[a]: b",
    "# x",
    "- x",
    "+ x",
    "* x",
    "1. x",
    "1) x",
    "> x",
    "---",
    "===",
    "|",
    "| a |\n| - |",
    "&lt;",
    "&#35;",
    "\\",
    "\\*",
    "    x",
    "\tx",
    "a\nb",
    "a\r\n\r\n# b",
    "a\u2028b\x85c",
    "\x00x",
    "<http://x.y>",
    "<!-- x",
    "```",
]
ADDRESSES = [
    "http://x.y",
    "https://example.com/a?b=c",
    "HTTP://EXAMPLE.COM",
    "ftp://x.y",
    "//example.com",
    "www.x.y",
    "(www.example.com)",
    "www.",
    "WWW.x",
    "example.com",
    "a.b@example.com",
    "mailto:a@b.c",
    "http://a@b:80",
]
SENTENCES = ["{}", "{} deals.", "{}: K♠ 9♠ 2♥.", "Now {} tries to knock.", "({})"]

_render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render


def shown(markdown):
    """Return the text of a Markdown document, and the names of the elements that it becomes."""
    page = _render(markdown)
    text = html.unescape(re.sub("<[^>]*>", "", page)).replace("\u2060", "")
    return _words(text), set(re.findall("<([^ />]+)", page))


def _words(text):
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text).split()


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text):
    assert as_markdown([Passage(text, (text, text))]) == f"{text}\n\n- {text}\n- {text}\n"


@pytest.mark.parametrize("name", ORDINARY + STRANGE + ADDRESSES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_name_is_shown_as_typed(sentence, name):
    text = sentence.format(name)
    assert shown(as_markdown([Passage(text, (text,)), Passage(text)])) == (_words(text) * 3, {"p", "ul", "li"})


@examples(3)
@given(st.text(st.one_of(st.sampled_from("ab1.:/@\\`*_[]<>~|&#+-=!()'\" \t\n;w"), st.characters(codec="utf-8"))))
def test_any_text_is_shown_as_typed(text):
    words, elements = shown(as_markdown([Passage("x", (text,)), Passage(text)]))
    assert words == ["x", *_words(text) * 2]
    assert elements <= {"p", "ul", "li"}


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_address_is_left_that_would_become_a_link(sentence, name):
    """What GitHub and linkify-it look for is nowhere in the Markdown: every address is cut by backslashes."""
    markdown = as_markdown([Passage(sentence.format(name))])
    assert not re.search(r":/|(?<!\\)//|www\.|\w\.\w|\w@|@\w|mailto:", markdown, re.IGNORECASE)


def test_passages_are_set_apart_by_blank_lines():
    assert as_markdown([Passage("a"), Passage("b", ("c", "d")), Passage("e")]) == "a\n\nb\n\n- c\n- d\n\ne\n"


def test_nothing_is_nothing():
    assert as_markdown([]) == ""
    assert as_markdown([Passage(" ", ("\n",))]) == ""
