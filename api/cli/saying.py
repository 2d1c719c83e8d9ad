"""How commands speak to people: in sentences on standard error, which leaves standard output to what was asked for."""

from typing import NoReturn

import click


def warn(sentence: str) -> None:
    """Say a sentence and go on."""
    click.echo(f"thirtyone: {sentence}", err=True)


def fail(sentence: str) -> NoReturn:
    """Say a sentence and exit with status 1."""
    warn(sentence)
    raise SystemExit(1)
