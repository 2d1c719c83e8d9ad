"""What the README says besides its code blocks, which `tests/documents` runs, is so."""

import re
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.problems import PROBLEM_TYPES
from api.resources import Resources
from replays.store import Store

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
COMMAND = re.search(
    r"```sh\ncurl -s http://127\.0\.0\.1:8031(\S+) -H 'Content-Type: (\S+)' -d '\n(.*?)'\n```", README, re.DOTALL
)
TABLES = re.findall(r"^\| `(?P<preset>[a-z-]+)` \| (?P<lost>[\d, ]+) \| (?P<says>.+) \|$", README, re.MULTILINE)
ROUTES = re.findall(r"`(GET|POST|DELETE) (/[^`?]*)[^`]*`(?:, `(/[^`]*)`)?(?:, `(/[^`]*)`)?", README)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    resources = Resources(Store(tmp_path_factory.mktemp("store") / "replays.sqlite"))
    with TestClient(create_app(resources)) as client:
        yield client


@pytest.mark.parametrize(("preset", "lost", "says"), TABLES)
def test_the_same_hand_at_other_tables(client, preset, lost, says):
    path, _, body = COMMAND.groups()
    question = msgspec.json.decode(body)
    ruling = client.post(path, json={**question, "rules": {"preset": preset}}).json()["ruling"]
    assert [-seat["change"] for seat in ruling["seats"]] == [int(number) for number in lost.split(",")]
    assert says in [citation["says"] for citation in ruling["citations"]]


def test_three_tables_are_shown():
    assert [preset for preset, _, _ in TABLES] == ["pagat", "casual", "quick-knock"]


def test_every_address_in_the_readme_is_a_route(client):
    beside = {"/openapi.json", "/.well-known/api-catalog", "/docs", "/docs/{page}", "/docs/reference"}
    served = set(client.get("/openapi.json").json()["paths"]) | beside
    named = {re.sub(r"{.*}", "{}", path) for _, *paths in ROUTES for path in paths if path}
    assert named == {re.sub(r"{.*}", "{}", path) for path in served}


@pytest.mark.parametrize("page", ["README.md", *[f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]])
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
        if not target.startswith("http://127.0.0.1:8031/"):
            assert ((ROOT / page).parent / target).exists(), target


def test_every_preset_is_named(client):
    served = {preset["id"] for preset in client.get("/v1/presets").json()["presets"]}
    assert served <= set(re.findall(r"`([a-z-]+)`", README))


def test_the_showdown_record_in_the_documentation_is_judged_as_it_says(client):
    shown, *_ = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "rulings.md").read_text(), re.DOTALL)
    ruling = client.post("/v1/rulings", json=msgspec.json.decode(shown)).json()["ruling"]
    assert [seat["change"] for seat in ruling["seats"]] == [-1, 0]


def test_the_page_about_errors_has_every_kind_of_problem():
    page = (ROOT / "docs" / "errors.md").read_text()
    listed = [(slug, int(status)) for slug, status in re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", page, re.MULTILINE)]
    assert sorted(listed) == sorted((kind.slug, kind.status) for kind in PROBLEM_TYPES)
    assert [status for _, status in listed] == sorted(status for _, status in listed)
