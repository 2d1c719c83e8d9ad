"""Sheets as a client sees them: asked for, and taken apart."""

import re
from html.parser import HTMLParser
from io import BytesIO

from pypdf import PdfReader

HTML, MARKDOWN, PDF = "text/html", "text/markdown", "application/pdf"
CONTENT_TYPES = {
    HTML: "text/html; charset=utf-8",
    MARKDOWN: "text/markdown; charset=utf-8; variant=GFM",
    PDF: "application/pdf",
}


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.style = [], [], [], ""
        self.feed(text)
        self.said = " ".join("".join(self.text).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "style" and not self.style:
            self.style = data
        else:
            self.text.append(data)


def write(client, accept=MARKDOWN, **body):
    response = client.post("/v1/rule-sheets", json={"rules": {}, **body}, headers={"accept": accept})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == CONTENT_TYPES[accept]
    return response


def pages(response):
    return PdfReader(BytesIO(response.content)).pages


def read(text):
    """Return Markdown as it reads: without the backslashes that stand before punctuation."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
