"""`thirtyone verify`: judge every stored replay once more, and say what has changed."""

import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from api.cli.database import database_option, opened
from api.cli.processes import cores, on_signal, processes, undisturbed
from api.cli.saying import fail
from engine import VERSION
from replays.verifying import Answers, Found, nothing_found, verify_file, verify_rows

TOGETHER = 500
"""Rows that a process takes at a time."""

Rows = tuple[int, int]
"""The first and the last of a range."""


@click.command
@database_option
def command(database: Path) -> None:
    """Judge every stored replay once more, on all cores.

    The answer of now is compared, byte for byte, with the stored one of this version, or else of the newest. Every
    replay that is not the same is named on standard output. The status is 1 if there is one, or if the file is damaged.
    """
    try:
        # A request to end is taken as an interrupt, so that no process is left behind.
        with on_signal(signal.SIGTERM, signal.default_int_handler), opened(database) as store:
            last = store.last_row()
            ranges = [(first, min(first + TOGETHER - 1, last)) for first in range(1, last + 1, TOGETHER)]
            with closing(_each_found(database, ranges)) as each:
                found = _add_up(ranges, each)
    except BrokenProcessPool:
        fail("One of the processes that verified was ended from outside.")
    for line in _summary(found):
        click.echo(line)
    if found.report:
        raise SystemExit(1)


def _each_found(database: Path, ranges: Sequence[Rows]) -> Generator[Found, None, None]:
    """Yield what is found in each range, and in the file as a whole, by as many processes as there are cores."""
    verify = partial(verify_rows, database)
    if len(ranges) <= 1:
        yield from map(verify, ranges)
        yield verify_file(database)
        return
    with processes(min(cores(), len(ranges) + 1)) as pool:
        with undisturbed():
            file = pool.submit(verify_file, database)
            each = pool.map(verify, ranges)
        yield from each
        yield file.result()


def _add_up(ranges: Sequence[Rows], each: Iterator[Found]) -> Found:
    """Return all that is found as one, and report it meanwhile."""
    total = nothing_found()
    last = ranges[-1][1] if ranges else 0
    on_terminal = sys.stderr.isatty()
    with click.progressbar(length=last, label="Verifying", file=sys.stderr, hidden=not on_terminal) as progress:
        for place, found in enumerate(each):
            if found.report and on_terminal:
                click.echo("\r\033[K", err=True, nl=False)  # the bar makes room, and comes again below
            for sentence in found.report:
                click.echo(sentence)
            total.verdicts.update(found.verdicts)
            total.compared.update(found.compared)
            total.others.update(found.others)
            total.report.extend(found.report[:1])
            if place < len(ranges):
                first, last = ranges[place]
                progress.update(last + 1 - first)
    return total


def _summary(found: Found) -> Iterator[str]:
    verdicts = found.verdicts
    yield (
        f"Replays judged once more by engine {VERSION}: {verdicts.total():,}. Same: {verdicts['same']:,}; drifted: "
        f"{verdicts['drifted']:,}; damaged: {verdicts['damaged']:,}; cannot be judged: {verdicts['unreadable']:,}."
    )
    yield from _answers("Answers of", found.compared)
    yield from _answers("Beside newer ones, answers of", found.others)


def _answers(which: str, answers: Answers) -> Iterator[str]:
    for engine in sorted({engine for engine, _ in answers}):
        same, wording, decision = [answers[engine, kind] for kind in ("same", "wording", "decision")]
        yield f"{which} {engine}: same: {same:,}; drifted in wording: {wording:,}; in decision: {decision:,}."
