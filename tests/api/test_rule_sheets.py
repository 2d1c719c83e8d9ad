"""Rule sheets and score sheets over HTTP: every preset, every format, and what is not to be had."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from api.sheets import pdf, score
from api.sheets.typesetting import PdfUnavailableError
from engine.presets import PRESETS
from tests.api.problems import check
from tests.api.sheets import CONTENT_TYPES, HTML, MARKDOWN, PDF, Page, pages, read, write

SUFFIXES = {".html": HTML, ".md": MARKDOWN, ".pdf": PDF}
ADDRESSES = [
    *[f"/v1/presets/pagat/sheet{suffix}" for suffix in ("", *SUFFIXES)],
    "/v1/presets/pagat/score-sheet",
    "/v1/presets/pagat/score-sheet.pdf",
]
PRESET_IDS = [preset.id for preset in PRESETS]


@pytest.mark.parametrize("preset", PRESET_IDS)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_preset_has_a_sheet_in_every_format(client, preset, suffix):
    shown = client.get(f"/v1/presets/{preset}/sheet", headers={"accept": SUFFIXES[suffix]})
    named = client.get(f"/v1/presets/{preset}/sheet{suffix}")
    assert shown.status_code == named.status_code == 200
    assert shown.content == named.content
    assert shown.headers["content-type"] == named.headers["content-type"] == CONTENT_TYPES[SUFFIXES[suffix]]
    assert shown.headers["vary"] == "Accept, Accept-Encoding"
    assert "accept" not in re.split("[, ]+", named.headers.get("vary", "").lower())
    posted = write(client, SUFFIXES[suffix], rules={"preset": preset})
    assert posted.content == shown.content
    assert posted.headers["vary"] == "Accept, Accept-Encoding"


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
