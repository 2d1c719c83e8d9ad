"""How commands speak to people: in sentences on standard error, which leaves standard output to what was asked for."""

from typing import NoReturn

import click


def warn(sentence: str) -> None:
    """Say a sentence and go on."""
    click.echo(f"thirtyone: {sentence}", err=True)


def fail(sentence: str, status: int = 1) -> NoReturn:
    """Say a sentence and exit with a status."""
    warn(sentence)
    raise SystemExit(status)
