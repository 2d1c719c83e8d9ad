"""How commands speak to people: in sentences on standard error, which leaves standard output to what was asked for."""

import os
import re
from typing import NoReturn

import click

_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What steers a terminal, ends a line, turns other text around, or is no character."""


def printable(text: str) -> str:
    """Return a text as it may be shown, character for character: a space for each that is not shown."""
    return _UNSHOWN.sub(" ", text)


def warn(sentence: str) -> None:
    """Say a sentence and go on."""
    put(f"thirtyone: {printable(sentence)}")


def put(line: str) -> None:
    """Put a line on standard error. Where that cannot be done, the status has to say it all."""
    try:
        click.echo(line, err=True)
    except OSError:
        # Python itself would try once more at its end, and change the status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def fail(sentence: str, status: int = 1) -> NoReturn:
    """Say a sentence and exit with a status."""
    warn(sentence)
    raise SystemExit(status)
