"""The page of house rules: every option as a question, a link that carries the answers, and their rule sheet."""

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct

from api.desk.book import Book, book_of, shelves
from api.desk.forms import address
from api.desk.rendering import USES
from api.desk.routing import File, Page, Visit, desk_page
from api.desk.words import words
from api.media import PDF
from api.problems import UNAUTHENTICATED, Fault
from api.sheets import pdf
from api.sheets.answers import made
from api.sheets.content import build_sheet
from api.sheets.stories import stories_of
from api.sheets.typesetting import Paper
from schemas.options import Answer, Choice, Section
from schemas.rules import form_of

_SHEET = f"{USES['rules']}/sheet.pdf"


class Question(Struct, frozen=True):
    """An option as it is asked, with the answers of the rule book and of the table."""

    option: str
    question: str
    answers: tuple[Answer, ...]
    usual: Choice
    answer: Choice
    says: str

    @property
    def is_changed(self) -> bool:
        """Return whether the table differs from its rule book."""
        return self.answer != self.usual

    @property
    def is_number(self) -> bool:
        """Return whether the answer is one of many numbers."""
        return isinstance(self.usual, int)


class Part(Struct, frozen=True):
    """Questions that belong together, as on a rule sheet."""

    key: Section
    questions: tuple[Question, ...]


@desk_page(USES["rules"], "rules")
def show_house_rules(visit: Visit) -> Page:
    """Return the page."""
    book, say = book_of(visit.form), words()["rules"]
    count = len(book.changed)
    differences = (
        say["no_changes"] if not count else say["one_change" if count == 1 else "changes"].format(number=count)
    )
    return Page(
        "rules.html",
        {
            "book": book,
            "books": shelves(),
            "parts": list(_parts(book)),
            "summary": f"{book.preset.name}: {differences}",
            "here": address(USES["rules"], book.fields()),
            "settle": address(USES["settle"], book.fields()),
            "score": address(USES["score"], book.fields()) if form_of(book.rules.rules) == "stock" else "",
            "sheet": _SHEET,
        },
    )


@desk_page(_SHEET, "rules")
def show_sheet(visit: Visit) -> File:
    """Return the rule sheet of the rules that a form chooses, as a PDF; raise a 501 fault if there are no PDFs."""
    if visit.complaint:
        raise Fault(UNAUTHENTICATED, visit.complaint)
    choice = book_of(visit.form).choice
    paper: Paper = next((each for each in get_args(Paper) if each == visit.form.text("paper")), "letter")
    sheet = build_sheet(choice, None, stories_of(choice, 0))
    return File(made(lambda: pdf.sheet_pdf(sheet, paper)), PDF, "thirty-one-rules.pdf")


def _parts(book: Book) -> Iterator[Part]:
    """Yield the questions in the order of a rule sheet."""
    for section in get_args(Section):
        found = [
            Question(
                name,
                option.question,
                tuple(sorted(option.answers, key=_in_order)),
                getattr(book.preset.rules, name),
                book.answer(name),
                option.says(book.answer(name)),
            )
            for name, option in book.options.items()
            if option.section == section
        ]
        if found:
            yield Part(section, tuple(found))


def _in_order(answer: Answer) -> int:
    """Return where an answer stands: numbers in their order, words as declared."""
    return answer.answer if isinstance(answer.answer, int) else 0
