"""The conformance cases are sound, and the copy of them is a copy."""

from pathlib import Path

import pytest

from tests.corpus import CASES, EXAMPLES, Case, asked, chapters

ORIGINALS = Path(__file__).parents[2] / "shared" / "cases"
IDS_BEGIN_WITH = {"schema_errors": "schema"}

every_chapter = pytest.mark.parametrize("chapter", [*chapters(CASES), *chapters(EXAMPLES)])


def cases_of(chapter: str) -> list[Case]:
    return {**chapters(CASES), **chapters(EXAMPLES)}[chapter]


def test_the_copies_are_like_the_originals():
    """Beside the project, where the originals are; a clone has the copies only."""
    copies = {path.name: path.read_bytes() for path in CASES.iterdir()}
    originals = {path.name: path.read_bytes() for path in ORIGINALS.glob("*")}
    assert copies == {**copies, **originals}
    assert copies.keys() > {"README.md"}


def test_no_id_names_two_cases():
    ids = [case.id for folder in (CASES, EXAMPLES) for cases in chapters(folder).values() for case in cases]
    assert len(ids) > 250
    assert sorted(ids) == sorted(set(ids))


@every_chapter
def test_ids_begin_with_their_chapter(chapter):
    begin = IDS_BEGIN_WITH.get(chapter, chapter.replace("_", "-"))
    assert {case.id.partition(".")[0] for case in cases_of(chapter)} == {begin}


@every_chapter
def test_a_case_asks_one_thing_and_expects_an_answer(chapter):
    for case in cases_of(chapter):
        asks = [part for part in ("hand", "cards", "body") if getattr(case, part) is not None]
        assert len(asks) == 1, case.id
        assert case.status if asks == ["body"] else case.expect, case.id


@pytest.mark.parametrize("folder", [CASES, EXAMPLES], ids=lambda folder: folder.name)
def test_no_case_asks_twice_under_the_same_rules(folder):
    names = [str(pair) for pair in asked(folder)]
    assert sorted(names) == sorted(set(names))
