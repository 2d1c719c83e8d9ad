"""Rule sheets and score sheets over HTTP: every format, every preset, and nothing that a title or a name can do."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO

import pytest
from markdown_it import MarkdownIt
from pypdf import PdfReader

from api.sheets import pdf, score
from api.sheets.typesetting import PdfUnavailableError
from engine.presets import PRESETS
from tests.api.test_problems import check
from tests.store.soaking import either

HTML, MARKDOWN, PDF = "text/html", "text/markdown", "application/pdf"
SUFFIXES = {".html": HTML, ".md": MARKDOWN, ".pdf": PDF}
CONTENT_TYPES = {
    HTML: "text/html; charset=utf-8",
    MARKDOWN: "text/markdown; charset=utf-8; variant=GFM",
    PDF: "application/pdf",
}
ADDRESSES = [
    *[f"/v1/presets/pagat/sheet{suffix}" for suffix in ("", *SUFFIXES)],
    "/v1/presets/pagat/score-sheet",
    "/v1/presets/pagat/score-sheet.pdf",
]
PRESET_IDS = [preset.id for preset in PRESETS]
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


@pytest.mark.parametrize("preset", PRESET_IDS)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_preset_has_a_sheet_in_every_format(client, preset, suffix):
    shown = client.get(f"/v1/presets/{preset}/sheet", headers={"accept": SUFFIXES[suffix]})
    named = client.get(f"/v1/presets/{preset}/sheet{suffix}")
    assert shown.status_code == named.status_code == 200
    assert shown.content == named.content
    assert shown.headers["content-type"] == named.headers["content-type"] == CONTENT_TYPES[SUFFIXES[suffix]]
    assert shown.headers["vary"] == "Accept"
    assert "vary" not in named.headers
    posted = write(client, SUFFIXES[suffix], rules={"preset": preset})
    assert posted.content == shown.content
    assert posted.headers["vary"] == "Accept"


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_sheet_has_one_page_or_two(client, preset):
    for paper, size in (("letter", (612, 792)), ("a4", (595, 842))):
        found = pages(client.get(f"/v1/presets/{preset}/sheet.pdf?paper={paper}"))
        assert len(found) in {1, 2}
        assert all((round(page.mediabox.width), round(page.mediabox.height)) == size for page in found)


@pytest.mark.parametrize("preset", PRESET_IDS)
@pytest.mark.parametrize("players", [2, 9])
def test_every_preset_has_a_score_sheet(client, preset, players):
    response = client.get(f"/v1/presets/{preset}/score-sheet?players={players}&paper=a4")
    assert response.headers["content-type"] == PDF
    assert response.content == client.get(f"/v1/presets/{preset}/score-sheet.pdf?players={players}&paper=a4").content
    assert len(pages(response)) == 1


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", HTML),
        ("text/*", HTML),
        ("", HTML),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML),
        ("text/markdown", MARKDOWN),
        ("text/html;q=0.4, text/markdown;q=0.5", MARKDOWN),
        ("text/html;q=0, */*", MARKDOWN),
        ("application/pdf, text/html;q=0.9", PDF),
    ],
)
def test_the_format_that_the_client_likes_best(client, accept, media_type):
    for response in (
        client.get("/v1/presets/pagat/sheet", headers={"accept": accept}),
        client.post("/v1/rule-sheets", json={"rules": {}}, headers={"accept": accept}),
    ):
        assert response.status_code == 200
        assert response.headers["content-type"] == CONTENT_TYPES[media_type]


@pytest.mark.parametrize("accept", ["application/json", "image/png", "text/html;q=0"])
def test_a_format_that_there_is_not(client, accept):
    headers = {"accept": accept}
    check(client.get("/v1/presets/pagat/sheet", headers=headers), 406, "not-acceptable")
    check(client.get("/v1/presets/pagat/score-sheet", headers=headers), 406, "not-acceptable")
    check(client.post("/v1/rule-sheets", json={"rules": {}}, headers=headers), 406, "not-acceptable")
    assert client.get("/v1/presets/pagat/sheet.md", headers=headers).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_unchanged_sheet_need_not_be_sent_again(client, address):
    first = client.get(address)
    again = client.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert client.get(address, headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_has_the_headers_of_get(client, address):
    got, head = client.get(address), client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "content-type", "content-length"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_there_is_not(client, address):
    check(client.get(address.replace("pagat", "scat")), 404, "not-found")
    check(client.post(address), 405, "method-not-allowed")
    for query in ("paper=a5", "paper=A4", "title=x", "paper=a4&paper=a4"):
        check(client.get(f"{address}?{query}"), 400, "bad-parameter")
    strange = (
        ("players=1", "players=17", "players=") if "score" in address else ("seed=-1", "seed=1.0", f"seed={2**53}")
    )
    for query in strange:
        check(client.get(f"{address}?{query}"), 400, "bad-parameter")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/rules"),
        ({"rules": None}, "/rules"),
        ({"rules": {"preset": "scat"}}, "/rules/preset"),
        ({"rules": {}, "title": ""}, "/title"),
        ({"rules": {}, "title": "x" * 101}, "/title"),
        ({"rules": {}, "title": None}, "/title"),
        ({"rules": {}, "names": [""]}, "/names/0"),
        ({"rules": {}, "names": ["x" * 65]}, "/names/0"),
        ({"rules": {}, "names": ["x"] * 17}, "/names"),
        ({"rules": {}, "seed": -1}, "/seed"),
        ({"rules": {}, "seed": 2**53}, "/seed"),
        ({"rules": {}, "seed": "1"}, "/seed"),
        ({"rules": {}, "paper": "A4"}, "/paper"),
        ({"rules": {}, "format": "html"}, "/format"),
    ],
)
def test_a_request_that_does_not_fit_the_schema(client, body, pointer):
    problem = check(client.post("/v1/rule-sheets", json=body), 422, "invalid")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_answers_that_do_not_go_together(client):
    changes = {"loss_beyond_lives": "county", "county": "none"}
    check(client.post("/v1/rule-sheets", json={"rules": {"changes": changes}}), 422, "incompatible-answers")


def test_the_most_that_a_request_may_have(client):
    body = {"title": "x" * 100, "names": ["x" * 64] * 16, "seed": 2**53 - 1, "paper": "a4"}
    for accept in CONTENT_TYPES:
        write(client, accept, **body)


@pytest.mark.parametrize("accept", CONTENT_TYPES)
@pytest.mark.parametrize("address", ["/v1/rule-sheets", "/v1/presets/pagat/sheet"])
def test_what_browsers_are_told(client, address, accept):
    headers = {"accept": accept}
    response = (
        client.get(address, headers=headers)
        if "presets" in address
        else client.post(address, json={"rules": {}}, headers=headers)
    )
    assert response.headers["x-content-type-options"] == "nosniff"
    if accept == HTML:
        style = b64encode(sha256(Page(response.text).style.encode()).digest()).decode()
        policy = response.headers["content-security-policy"].split("; ")
        assert policy[:2] == ["default-src 'none'", f"style-src 'sha256-{style}'"]
        assert "content-disposition" not in response.headers
    else:
        assert re.fullmatch(r'inline; filename="[a-z.-]+"', response.headers["content-disposition"])


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_page_stands_by_itself_and_can_be_read_by_all(client, preset):
    text = client.get(f"/v1/presets/{preset}/sheet.html").text
    page = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert page.tags.count("h1") == page.tags.count("main") == page.tags.count("title") == 1
    assert page.tags.count("caption") == page.tags.count("table") == 2
    assert page.tags.count("th") == sum((tag, name) == ("th", "scope") for tag, name, _ in page.attributes)
    assert not {"script", "link", "img", "iframe", "form", "object", "a"} & set(page.tags)
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in {"src", "href", "style"}]
    assert "url(" not in page.style
    assert "@import" not in page.style
    assert "break-inside: avoid" in page.style


def test_the_paper_of_a_page(client):
    assert "size: letter;" in client.get("/v1/presets/pagat/sheet.html").text
    assert "size: A4;" in client.get("/v1/presets/pagat/sheet.html?paper=a4").text
    assert "size: A4;" in write(client, HTML, paper="a4").text


def test_suits_are_red_and_black_where_there_is_colour(client):
    text = client.get("/v1/presets/pagat/sheet.html").text
    assert '<span class="red">A♥</span>' in text
    assert '<span class="black">Q♠</span>' in text


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


def test_names_are_those_of_the_players_in_the_examples(client):
    example = write(client, names=["Zoë", "Yusuf", "Xenia", "Will"]).text.partition("## Worked examples")[2]
    assert "Zoë" in example
    assert "Yusuf" in example


def test_house_rules_are_marked(client):
    changes = {"three_of_a_kind": "30.5", "knocker_tie": "double"}
    text = read(write(client, rules={"changes": changes}).text)
    assert text.startswith(
        "# Scat (31), the standard game, with house rules\n\nAs in Scat (31), the standard game, with 2"
    )
    assert "\n- Three cards of one rank are worth 30½. **(house rule)**\n" in text
    assert "| 5♠ 5♥ 5♦ | three of a kind | 30½ |" in text
    house = text.partition("## House rules of this table\n")[2].partition("\n## ")[0]
    assert house.count("The standard game: ") == 2
    assert "The standard game: Three cards of one rank have no value of their own." in house
    assert "House rules" not in client.get("/v1/presets/pagat/sheet.md").text


def test_without_a_typesetter_there_are_no_pdfs_but_all_else(client, monkeypatch):
    def refuse(*_, **__):
        raise PdfUnavailableError

    monkeypatch.setattr(pdf, "sheet_pdf", refuse)
    monkeypatch.setattr(score, "score_pdf", refuse)
    check(client.post("/v1/rule-sheets", json={"rules": {}}, headers={"accept": PDF}), 501, "pdf-unavailable")
    check(client.get("/v1/presets/pagat/sheet.pdf?seed=77"), 501, "pdf-unavailable")
    check(client.get("/v1/presets/pagat/score-sheet?players=7"), 501, "pdf-unavailable")
    write(client, HTML)
    write(client, MARKDOWN)


SAID_OF_THE_STANDARD_GAME = [
    r"2 to 9, each for themselves",
    r"and more can play",
    r"pack of 52 cards",
    r"no jokers",
    r"3 tokens for each player as lives, such as pennies or chips",
    r"Agree on the first dealer, or cut.*the lowest card deals",
    r"deal moves to the left",
    r"3 cards to each player, card by card, clockwise from the dealer's left",
    r"next card, the upcard, begins the discard pile, face up",
    r"what is left is the stock, face down",
    r"dealer's left has the first turn, and turns go round clockwise",
    r"top of the stock or of the discard pile, and discard one face up: 3 stay in hand",
    r"from the stock may go straight to the discard pile",
    r"taken from the discard pile may not be discarded in that turn",
    r"in one suit only, the one in which its cards add up to most",
    r"Number cards count what they show, kings, queens and jacks 10, and aces 11",
    r"suits do not mix",
    r"3 suits in hand just the highest card counts",
    r"most is 31: an ace with two cards that count 10, in one suit",
    r"Three cards of one rank have no value of their own",
    r"Instead of drawing, but never after it, a player may knock",
    r"ends the turn, and the knocker's cards do not change",
    r"others have one last turn each, then everybody shows",
    r"knock with any hand",
    r"knock on the very first turn",
    r"31 in the deal is shown before the first turn",
    r"made in a turn right after the discard",
    r"31 that is shown ends the hand there and then",
    r"31 costs each other player 1 life",
    r"31 shown after a knock still ends the hand",
    r"Another player's 31 costs the knocker no more than everyone else",
    r"several players show one together, none of them loses",
    r"must be shown at once; otherwise the unchanged hand counts 30",
    r"kept back is no help.*loses like the rest",
    r"alone has the lowest hand and did not knock loses 1 life",
    r"If the knocker is not among them, all who tie for the lowest hand lose 1 life",
    r"knocker who ties for lowest is safe, and the others in the tie lose 1 life each",
    r"knocker alone with the lowest hand loses 2 lives",
    r"life lost is a token put in the middle",
    r"agree beforehand who gets them in the end: no source says so",
    r"goes on with the discard pile until a player declines it; then all show",
    r"without a knocker nobody is spared in a tie",
    r"without lives is on the county: still in, and out with the next loss",
    r"must lose more lives than are left is out",
    r"would put out everyone still in costs nobody a life and is played again",
    r"on welfare, on your honor, floating",
    r"the last one in wins the game",
    r"with two players, the last discard of the other one is on top, and may be taken back",
    r"\| A player with 1 life left has to lose 2 \| That player \| the 1 left \(out\) \|",
    r"\| Knock; the knocker ties for lowest \| The others in the tie \(the knocker is safe\) \| 1 each \|",
    r"\| 31 of another player after a knock \| The knocker and every other player \| 1 each \|",
    r"\| Stock out; everyone ties for lowest, one loss from going out \| Nobody; the hand is played again \| none \|",
]


@pytest.mark.parametrize("said", SAID_OF_THE_STANDARD_GAME)
def test_the_sheet_of_the_standard_game_says_all_of_it(client, said):
    assert re.search(said, read(client.get("/v1/presets/pagat/sheet.md").text))
