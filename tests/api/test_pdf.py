"""Rule sheets and score sheets as PDFs: on so many pages, of this size, with these words, and the same every time."""

import hashlib
import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from api.sheets.pdf import sheet_pdf
from api.sheets.score import score_pdf
from api.sheets.sheet import Section, Sentence
from engine.presets import STANDARD
from schemas.examples import Passage
from schemas.rules import StockRules, WidowRules
from tests.making.sheets import sheet
from tests.store.soaking import either

ROOT = Path(__file__).parents[2]
POINTS = {"letter": (612, 792), "a4": (595.276, 841.89)}
PAPERS = tuple(POINTS)
HOSTILE = [
    "<script>alert(1)</script>",
    '#eval("1") #include "x"',
    "$x$ *b* _e_ `r` @ref <label> = - + / ~ [c] {d}",
    "\\ \\u{41} \\n \"quotes\" 'single'",
    "W" * 64,
    "a\u0301" * 32,
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u202e\u05e9\u05dc\u05d5\u05dd\u202c \u0639\u0631\u0628\u0649",
    "\u7530\u4e2d\u3055\u3093",
    "\x00\x1b\n\r\t\u2028\ue000\ud800",
    " ",
]


def read(pdf):
    return PdfReader(io.BytesIO(pdf))


def words(pdf):
    return " ".join(" ".join(page.extract_text() for page in read(pdf).pages).split())


def size(pdf):
    """Return the one size that all pages have, in points."""
    (found,) = {tuple(round(float(side), 2) for side in page.mediabox[2:]) for page in read(pdf).pages}
    return found


def says_to_be_accessible(pdf):
    return b"pdfuaid:part" in read(pdf).trailer["/Root"]["/Metadata"].get_object().get_data()


def is_tagged(pdf):
    return read(pdf).trailer["/Root"]["/MarkInfo"]["/Marked"] and "/StructTreeRoot" in read(pdf).trailer["/Root"]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_is_on_its_paper_and_can_be_read_aloud(paper):
    pdf = sheet_pdf(sheet("pagat"), paper)
    assert size(pdf) == pytest.approx(POINTS[paper], abs=0.1)
    assert says_to_be_accessible(pdf)
    assert is_tagged(pdf)


def test_all_of_a_sheet_is_on_it():
    made = sheet("four-lives-online")
    text = words(sheet_pdf(made, "letter")).replace(" ", "")
    tables = [cell for table in (made.values, made.losses) for row in table.rows for cell in row]
    told = [passage.says for story in made.examples for passage in story.passages]
    listed = [item for story in made.examples for passage in story.passages for item in passage.items]
    sentences = [sentence.says for section in made.sections for sentence in section.sentences]
    house_rules = [says for rule in made.house_rules for says in (rule.question, rule.says, rule.standard)]
    facts = [says for fact in made.facts for says in (fact.label, fact.says)]
    everything = [made.title, made.summary, *facts, *sentences, *tables, *told, *listed, *house_rules, *made.sources]
    assert [says for says in everything if says.replace(" ", "") not in text] == []
    assert "1of2" in text
    assert "2of2" in text


def test_only_a_sheet_with_house_rules_and_readings_explains_their_signs():
    plain = replace(sheet("bicycle"), sections=(Section("The game", (Sentence("It is a game."),)),))
    assert "◆" not in words(sheet_pdf(plain, "a4"))
    assert "†" not in words(sheet_pdf(plain, "a4"))
    marked = Section("The game", (Sentence("It is.", house=True), Sentence("Is it?", reading=True)))
    text = words(sheet_pdf(replace(plain, sections=(marked,)), "a4"))
    assert text.count("◆") == text.count("†") == 2


def test_a_short_sheet_has_one_page_and_a_long_one_is_not_cut_off():
    made = sheet(examples=1)
    assert len(read(sheet_pdf(replace(made, sections=made.sections[:2]), "letter")).pages) == 1
    sections = tuple(replace(section, heading=f"Part {part}") for part in range(12) for section in made.sections)
    long = sheet_pdf(replace(made, sections=sections), "letter")
    assert len(read(long).pages) > 2
    assert "Part 11" in words(long)


def test_a_sheet_without_anything_in_it_can_be_set():
    nothing = replace(
        sheet(examples=0),
        facts=(),
        sections=(),
        house_rules=(),
        sources=(),
        values=replace(sheet().values, rows=()),
        losses=replace(sheet().losses, rows=()),
    )
    assert len(read(sheet_pdf(nothing, "letter")).pages) == 1


def test_even_an_example_longer_than_a_page_is_shown():
    made = sheet(examples=1)
    endless = replace(made.examples[0], passages=(Passage("On and on. " * 1500 + "The end."),))
    assert "The end." in words(sheet_pdf(replace(made, examples=(endless,)), "letter"))


@pytest.mark.parametrize("hostile", either(HOSTILE[::2], soak=HOSTILE), ids=ascii)
def test_a_title_and_names_are_never_markup(hostile):
    rules_of_it = sheet_pdf(sheet(title=f"The {hostile}", names=(hostile, "Cara", "Dan", hostile)), "letter")
    scores = score_pdf(f"The {hostile}", STANDARD, 4, [hostile, "Cara", "", hostile], "a4")
    for pdf in (rules_of_it, scores):
        text = words(pdf).replace(" ", "").replace("\u200b", "")
        assert is_tagged(pdf)
        assert "Cara" in text
        if hostile.isascii() and hostile.isprintable():
            assert hostile.replace(" ", "") in text
    assert len(read(rules_of_it).pages) <= 2
    assert len(read(scores).pages) == 1


def test_without_a_title_or_a_name_there_is_a_pdf_too():
    assert len(read(score_pdf("", STANDARD, 2, ["", ""], "letter")).pages) == 1


def run(program, **environment):
    """Return what a program prints that runs in another process, from another directory."""
    done = subprocess.run(  # noqa: S603 - this Python, and a program written here
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        cwd="/",
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_the_same_sheet_is_the_same_bytes_in_any_process_and_thread():
    program = (
        "import hashlib; from api.sheets.pdf import sheet_pdf; from api.sheets.score import score_pdf; "
        "from engine.presets import STANDARD; from tests.making.sheets import sheet; "
        "print(hashlib.sha256(sheet_pdf(sheet(), 'a4') + score_pdf('A', STANDARD, 4, ['B'], 'letter')).hexdigest())"
    )

    def here(_):
        pdfs = sheet_pdf(sheet(), "a4") + score_pdf("A", STANDARD, 4, ["B"], "letter")
        return hashlib.sha256(pdfs).hexdigest()

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(here, range(8))) == {run(program, TZ="Asia/Tokyo", LANG="C", SOURCE_DATE_EPOCH="1")}


SCORED = [
    *(StockRules(lives=lives, county=county) for lives, county in product((1, 3, 5, 6, 10), ("all", "none"))),
    StockRules(lives=10, redemption="best_hand"),
    WidowRules(),
]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("players", either([1, 9], soak=range(1, 17)))
def test_a_score_sheet_is_one_page_with_room_for_twelve_hands(players, paper):
    width, height = POINTS[paper]
    names = [f"Somebody {seat}" for seat in range(players - 1)]
    # A quarter of the rules each time; all of them with four numbers of players in a row.
    for rules in SCORED[players % 4 :: 4]:
        pdf = score_pdf("Thursday", rules, players, names, paper)
        text = words(pdf)
        assert len(read(pdf).pages) == 1
        assert size(pdf) == pytest.approx((height, width), abs=0.1)
        assert says_to_be_accessible(pdf)
        assert " 12 " in text
        assert [name for name in names if name not in text] == []
        assert ("The county" in text) == (getattr(rules, "county", "none") == "all")
        assert ("won back" in text) == (getattr(rules, "redemption", "none") != "none")
        assert ("In the pot" in text) == isinstance(rules, WidowRules)


@pytest.mark.parametrize("players", [-1, 0, 17])
def test_no_score_sheet_for_a_number_of_players_that_no_hand_has(players):
    with pytest.raises(ValueError, match="1 to 16 players"):
        score_pdf("Thursday", STANDARD, players, [], "letter")


def test_names_without_a_seat_are_left_out():
    assert "Dan" not in words(score_pdf("Thursday", STANDARD, 2, ["Ben", "Cara", "Dan"], "letter"))


def test_without_the_typesetter_there_is_an_error_that_says_so():
    program = (
        "import sys; sys.modules['typst'] = None\n"
        "from api.sheets.pdf import PdfUnavailableError, sheet_pdf; from api.sheets.score import score_pdf\n"
        "from engine.presets import STANDARD; from tests.making.sheets import sheet\n"
        "for asked in (lambda: sheet_pdf(sheet(), 'a4'), lambda: score_pdf('A', STANDARD, 4, [], 'a4')):\n"
        "    try: asked()\n"
        "    except PdfUnavailableError as error: print(error)\n"
    )
    says = "PDFs need the typesetter: install this project with its extra `pdf` (typst)."
    assert run(program) == f"{says}\n{says}"
