"""What strangers may call a sheet or its players: shown as it is, and harmless in every format."""

import re
from io import BytesIO

import pytest
from markdown_it import MarkdownIt
from pypdf import PdfReader

from tests.api.sheets import HTML, PDF, Page, pages, write
from tests.store.soaking import either

HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "an attribute": '"><img src=x onerror=alert(1)>',
    "an entity": "&lt;b&gt; &#60;",
    "Markdown": "# [a](http://b.c) *d* _e_ `f` ![g](h) | i",
    "an address": "http://evil.example www.evil.example",
    "HTML in Markdown": "<!-- --> <b>a</b> </h1>",
    "typst": '#text(red)[a] $1 + 1$ #read("/etc/passwd") @b <c> \\ *d* _e_ = f',
    "a template": "{{ 7 * 7 }} {% raw %} ${7*7}",
    "lines": "a\n# b\r\n- c\u2028d",
    "a list": "1. a",
    "an odd end": "a\\",
    "another direction": "\u202eabc\u202c",
    "a character of no font": "\U0001f0a1 \u4e00 \U0010fffd",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_title_and_a_name_are_harmless_in_html(client, text):
    plain = Page(write(client, HTML, title="title", names=["name"] * 4).text)
    page = Page(write(client, HTML, title=text, names=[text] * 4).text)
    colours = ("span", "class")
    assert [tag for tag in page.tags if tag != "span"] == [tag for tag in plain.tags if tag != "span"]
    kept = [each for each in page.attributes if each[:2] != colours]
    assert kept == [each for each in plain.attributes if each[:2] != colours]
    assert " ".join(re.sub("[\u202a-\u202e]", "", text).split()) in page.said


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_title_and_a_name_are_harmless_in_markdown(client, text):
    """The document is built of the same parts as with plain names, and what was typed is what is read."""
    plain = write(client, title="title", names=["name"] * 4).text
    hostile = write(client, title=text, names=[text] * 4).text
    shown = " ".join(re.sub("[\u202a-\u202e]", "", text).split())
    assert [token.type for token in tokens(hostile)] == [token.type for token in tokens(plain)]
    heading, *others = [token for token in tokens(hostile) if token.type == "inline"]
    assert said(heading) == shown
    assert {part.type for token in others for part in token.children} <= {"text", "text_special", "em", "strong"} | {
        f"{kind}_{side}" for kind in ("em", "strong") for side in ("open", "close")
    }
    assert any(shown in said(token) for token in others)


def tokens(text):
    """Return the parts of a Markdown document with GitHub's tables."""
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)


def said(token):
    """Return what a reader sees of a piece of Markdown."""
    return "".join(part.content for part in token.children).replace("\u2060", "")


@pytest.mark.parametrize("text", either([*HOSTILE.values()][::3], soak=HOSTILE.values()), ids=ascii)
def test_a_title_and_a_name_are_harmless_in_a_pdf(client, text):
    response = write(client, PDF, title=text, names=[text] * 4)
    shown = " ".join(re.sub("[\u202a-\u202e]", "", text).split())
    assert PdfReader(BytesIO(response.content)).metadata.title == shown
    assert len(pages(response)) in {1, 2, 3}


def test_a_title_without_anything_to_be_seen(client):
    assert write(client, title=" \n\u202e").text.startswith("# Scat (31), the standard game\n")
