"""The pages at /docs: what they say comes from `docs/`, what they are sent with, and that they hang together."""

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from litestar.testing import TestClient

from api.access import Access
from api.app import create_app
from api.gate import Gate
from api.keys import ApiKey, digest_of, new_key
from api.pages.guide import chapters, pages
from api.resources import Resources
from replays.store import Store
from tests.html import Page

ROOT = Path(__file__).parents[2]
GUIDE = [page.address for page in pages().values()]
PAGES = [*GUIDE, "/docs/reference"]
STYLES = ROOT / "api" / "pages" / "files" / "page.css"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    resources = Resources(Store(tmp_path_factory.mktemp("pages") / "replays.sqlite"))
    with TestClient(create_app(resources), raise_server_exceptions=False) as client:
        yield client


def test_every_page_of_the_documentation_is_in_the_guide_once():
    served = [page.name for chapter in chapters() for page in chapter.pages]
    assert sorted([*served, "README"]) == sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


def test_a_page_that_belongs_nowhere_is_a_page_all_the_same(monkeypatch, tmp_path):
    (tmp_path / "README.md").write_text("# Start\n")
    (tmp_path / "bidding.md").write_text("# Bidding\n\nNobody bids.\n")
    monkeypatch.setattr("api.pages.guide.FOLDER", tmp_path)
    monkeypatch.setattr("api.pages.guide.pages", pages.__wrapped__)
    (more,) = [chapter for chapter in chapters.__wrapped__() if chapter.pages]
    assert [page.title for page in more.pages] == ["Bidding"]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_well_formed_and_has_one_heading_above_the_others(client, address):
    response = client.get(address)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.text.startswith("<!DOCTYPE html>")
    page = Page(response.text)
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("title")) == 1
    assert page.all("a")[0] == {"class": "skip", "href": "#content"}
    assert all("alt" in attributes for attributes in page.all("img"))
    ids = page.values("id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("address", GUIDE)
def test_no_level_of_headings_is_left_out(client, address):
    article = re.search(r"<article>(.*)</article>", client.get(address).text, re.DOTALL)[1]
    levels = [int(level) for level in re.findall(r"<h(\d)", article)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("address", PAGES)
def test_a_browser_may_use_nothing_but_the_service_s_own_files(client, address):
    response = client.get(address)
    policy = dict(part.split(" ", 1) for part in response.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy.get("connect-src") == ("'self'" if address == "/docs/reference" else None)
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers
    page = Page(response.text)
    assert not page.all("style")
    assert not [name for name in page.values("style") if name]
    assert all("src" in attributes for attributes in page.all("script"))
    for source in [*page.values("src"), *[attributes["href"] for attributes in page.all("link")]]:
        asked = client.get(source)
        assert asked.status_code == 200
        assert asked.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("address", PAGES)
def test_every_link_within_the_service_leads_to_what_is_there(client, address):
    for attributes in Page(client.get(address).text).all("a"):
        target = urlsplit(attributes["href"])
        assert target.scheme in {"", "https"}, attributes
        if not target.scheme:
            found = client.get(target.path or address)
            assert found.status_code == 200, attributes
            assert not target.fragment or target.fragment in Page(found.text).values("id"), attributes


@pytest.mark.parametrize("address", PAGES)
def test_who_has_a_page_already_is_not_sent_it_again(client, address):
    response = client.get(address)
    etag = response.headers["etag"]
    assert not etag.startswith("W/")
    assert {"Accept", "Accept-Encoding"} <= set(response.headers["vary"].split(", "))
    again = client.get(address, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    head = client.head(address)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", etag)


def test_a_page_is_had_as_the_markdown_that_it_is_made_from(client):
    response = client.get("/docs/errors", headers={"accept": "text/markdown"})
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text == (ROOT / "docs" / "errors.md").read_text()
    assert client.get("/docs/errors", headers={"accept": "image/png"}).status_code == 406


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/docs/nowhere", 404),
        ("/docs/README", 404),
        ("/docs/..%2FREADME", 404),
        ("/docs/errors.md", 404),
        ("/docs/files/page.css", 404),
        ("/docs/files/..%2Fpage.css", 404),
        ("/docs/errors?page=2", 400),
    ],
)
def test_what_is_no_page_is_a_problem(client, address, status):
    response = client.get(address)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_other_methods_are_refused(client):
    response = client.post("/docs/errors")
    assert response.status_code == 405
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_pages_ask_for_no_key(tmp_path):
    key = ApiKey("reader", frozenset({"read"}), digest_of(new_key().encode()))
    resources = Resources(Store(tmp_path / "replays.sqlite"), Gate(Access((key,))))
    with TestClient(create_app(resources)) as client:
        assert client.get("/v1/presets").status_code == 401
        assert {client.get(address).status_code for address in PAGES} == {200}


def test_headings_are_links_to_themselves(client):
    text = client.get("/docs/access").text
    assert '<h2 id="rate-limits"><a href="#rate-limits">Rate limits</a></h2>' in text


def test_code_is_shown_as_it_is_written(client):
    text = client.get("/docs/getting-started").text
    assert '<div class="code sh"><pre><code class="language-sh">curl -s http://127.0.0.1:8031/v1/rulings' in text
    assert "&quot;kind&quot;: &quot;showdown&quot;" in text


def test_a_long_name_may_go_on_in_the_next_line(client):
    text = client.get("/docs/checklist").text
    assert (
        "<code>tests/<wbr>api/<wbr>test_<wbr>document.py::<wbr>test_<wbr>the_<wbr>document_<wbr>is_<wbr>valid</code>"
        in text
    )
    assert "<code>make test-clients</code>" in text
    assert (
        "<code>AuthenticatedClient(&quot;http://127.0.0.1:8031&quot;, key)</code>" in client.get("/docs/clients").text
    )


def test_a_start_does_not_wait_for_what_only_pages_need():
    program = "import sys, api.app; print('markdown_it' in sys.modules, 'offapi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own Python
    assert done.stdout.split() == ["False", "False"]


def test_an_installation_has_the_files_of_the_pages():
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {
        path
        for package, patterns in setup["package-data"].items()
        for pattern in patterns
        for path in (ROOT / package).glob(pattern)
    }
    read = [*(ROOT / "docs").glob("*.md"), *(ROOT / "api" / "pages").glob("*/*.*")]
    assert {path for path in read if path.suffix not in {".py", ".pyc"}} <= packed
    assert "docs" in setup["packages"]["find"]["include"]


def test_the_document_refers_only_to_what_the_script_of_the_reference_can_follow():
    document = (ROOT / "openapi" / "openapi.json").read_text()
    references = set(re.findall(r'"\$ref": ?"([^"]*)"', document))
    assert references
    assert all(re.fullmatch(r"#/components/\w+/[\w-]+", reference) for reference in references)
    assert msgspec.json.decode(document)["openapi"].startswith("3.1")


COLOURS = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in STYLES.read_text().split("@media")[:2]]


@pytest.mark.parametrize("colours", COLOURS, ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "tint"])
@pytest.mark.parametrize("ink", ["ink", "faint", "link"])
def test_text_stands_out_from_its_ground(colours, ground, ink):
    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("colours", COLOURS, ids=["light", "dark"])
def test_the_page_shown_stands_out_in_the_list(colours):
    assert contrast(colours["link"], colours["here"]) >= 4.5


def contrast(one, other):
    """Return the contrast ratio of two colours, as WCAG 2 defines it."""
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def luminance(colour):
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
