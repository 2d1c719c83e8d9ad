"""`thirtyone judge`: hands from files, judged."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice

import click
import msgspec

from api.cli.archives import STANDARD
from api.cli.choosing import Asked, rules_option
from api.cli.hand_command import REFUSED, HandCommand
from api.cli.pointing import NOT_UNDERSTOOD, NotUnderstoodError, tell_troubles
from api.cli.printing import Page
from api.cli.progress import Progress
from api.cli.questions import Question
from api.cli.reading import Item, read
from api.cli.telling import OUTCOMES, in_a_line, tell
from api.ruling_views import RulingAnswer
from engine import VERSION
from engine.adjudicate import adjudicate
from engine.wording import counted
from schemas.ruling import Outcome, Ruling, outcome_of


@click.command(cls=HandCommand)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@rules_option
@click.option("--lines", is_flag=True, help="Show each hand in one line, at once, even if there is only one.")
@click.option("--json", "as_json", is_flag=True, help="Print what the service would answer; of many hands as lines.")
def command(files: tuple[str, ...], asked: Asked, *, lines: bool, as_json: bool) -> None:
    """Judge hands: who loses what, and which rule says so.

    A FILE has a hand in the text notation, or JSON: a record, a request or a batch as for the service, or many of
    these, each on a line of its own. `-` is standard input, and a name that ends in .gz or .zst is decompressed.
    Nothing is kept.

    The status is 0 if every hand is settled, or could go on; 1 if one is refused; 2 if one is not understood.
    """
    if files.count(STANDARD) > 1:
        raise click.UsageError("Standard input can be read only once.")
    progress = Progress(files)
    items = read(files, progress.read)
    begun = list(islice(items, 0 if lines else 2))
    if len(begun) == 1:
        raise SystemExit(_only(begun[0], asked, as_json=as_json))
    with progress.shown("Judging"):
        status = (_as_json if as_json else _in_lines)(chain(begun, items), asked, progress)
    raise SystemExit(status)


def _only(item: Item, asked: Asked, *, as_json: bool) -> int:
    """Judge the only hand, show all that there is to say of it, and return the status."""
    if isinstance(item.asked, NotUnderstoodError):
        raise item.asked
    ruling = _judged(item.asked, asked)
    if as_json:
        click.echo(msgspec.json.encode(RulingAnswer(None, VERSION, ruling)))
    else:
        tell(Page(), item.asked, ruling, item.asked.chosen(asked).choice)
    return _status(outcome_of(ruling))


def _in_lines(items: Iterable[Item], asked: Asked, progress: Progress) -> int:
    """Judge hands, show each in a line and then how many there were, and return the status."""
    page, found, status = Page(), Counter[str](), 0
    for item in items:
        try:
            ruling = _judged(_understood(item), asked)
        except NotUnderstoodError as error:
            progress.make_room()
            tell_troubles(error.troubles)
            found["not understood"] += 1
            status = NOT_UNDERSTOOD
            continue
        outcome = outcome_of(ruling)
        status = max(status, _status(outcome))
        found[outcome] += 1
        page.row(item.name, (outcome, OUTCOMES[outcome]), in_a_line(_understood(item).hand, ruling))
    each = ", ".join(f"{number:,} {what}" for what, number in found.items())
    page.say(f"{counted(found.total(), 'hand')}{': ' if each else ''}{each}.")
    return status


def _as_json(items: Iterable[Item], asked: Asked, progress: Progress) -> int:
    """Judge hands, answer each by a line as the service does, and return the status."""
    from api.cli.answering import answer_line, problem_line  # noqa: PLC0415 - it loads the service's own modules

    status = 0
    for item in items:
        try:
            ruling = _judged(_understood(item), asked)
        except NotUnderstoodError as error:
            progress.make_room()
            tell_troubles(error.troubles)
            status = NOT_UNDERSTOOD
            click.echo(problem_line(error), nl=False)
            continue
        status = max(status, _status(outcome_of(ruling)))
        click.echo(answer_line(ruling), nl=False)
    return status


def _understood(item: Item) -> Question:
    """Return what is asked; raise NotUnderstoodError if it is not understood."""
    if isinstance(item.asked, NotUnderstoodError):
        raise item.asked
    return item.asked


def _judged(question: Question, asked: Asked) -> Ruling:
    """Return the ruling; raise NotUnderstoodError for rules that do not go together."""
    rules = question.chosen(asked).rules
    return adjudicate(question.hand, rules.rules, rules.silent)


def _status(outcome: Outcome) -> int:
    return REFUSED if outcome == "refused" else 0
