"""`thirtyone sheet`: the rule sheet of any rules, to read and to print."""

import sys
from pathlib import Path
from typing import Any, get_args

import click

from api.cli.archives import STANDARD, ArchiveFileError, new_archive
from api.cli.choosing import Asked, rules_option
from api.cli.hand_command import HandCommand
from api.cli.saying import fail
from api.cli.seating import names_option, seed_option
from api.sheets.content import build_sheet
from api.sheets.pdf import sheet_pdf
from api.sheets.sheet import Sheet
from api.sheets.stories import stories_of
from api.sheets.typesetting import Paper, PdfUnavailableError
from api.sheets.writing import html, markdown

_FORMATS = ("md", "html", "pdf")
_LONGEST_TITLE = 100


def _title(_context: click.Context, _parameter: click.Parameter, title: str | None) -> str | None:
    """Return the heading given; as long as the service takes."""
    if title is not None and not 1 <= len(title) <= _LONGEST_TITLE:
        raise click.BadParameter(f"A title has 1 to {_LONGEST_TITLE} characters.")
    return title


@click.command(cls=HandCommand)
@click.option(
    "--format", "written_as", type=click.Choice(_FORMATS), help="By default as the name of the file ends, or else md."
)
@click.option(
    "--output",
    default=STANDARD,
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Where to write it, over what is there; by default standard output.",
)
@click.option("--title", callback=_title, help="The heading; by default the name of the preset.")
@click.option("--paper", type=click.Choice(get_args(Paper)), default="letter", show_default=True, help="To print on.")
@names_option
@seed_option
@rules_option
def command(asked: Asked, written_as: str | None, output: str, title: str | None, **given: Any) -> None:  # noqa: ANN401 - as click gives them
    """Write the rule sheet of a game, to read or to print.

    It has the rules in sentences, what hands are worth, who loses what in every ending, and worked examples.
    """
    written_as = written_as or _ending(output) or "md"
    if written_as == "pdf" and output == STANDARD and sys.stdout.isatty():
        raise click.UsageError("A PDF is nothing for a terminal: --output names a file for it.")
    choice = asked.over().choice
    sheet = build_sheet(choice, title, stories_of(choice, given["seed"], given["names"]))
    try:
        content = _written(sheet, written_as, given["paper"])
        with new_archive(output) as file:
            file.write(content)
    except (PdfUnavailableError, ArchiveFileError) as error:
        fail(str(error))


def _ending(name: str) -> str | None:
    """Return the format that a file's name ends in, if it is one of them."""
    ending = Path(name).suffix.lower().removeprefix(".")
    return ending if ending in _FORMATS else None


def _written(sheet: Sheet, written_as: str, paper: Paper) -> bytes:
    """Return a sheet in one of the formats; raise PdfUnavailableError without a typesetter."""
    match written_as:
        case "md":
            return markdown(sheet)
        case "html":
            return html(sheet, paper)
        case _:
            return sheet_pdf(sheet, paper)
