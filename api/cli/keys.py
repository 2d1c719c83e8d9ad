"""`thirtyone keys`: make keys."""

import re
import secrets

import click

from api.keys import NAMES, ApiKey, Scope, digest_of, is_name, new_key, read_scopes


def _name(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str:
    """Return the name given, or one that no other key is likely to have."""
    if text is None:
        return f"key-{secrets.token_hex(4)}"
    if not is_name(text):
        raise click.BadParameter(f"A name is {NAMES}.")
    return text


def _scopes(_context: click.Context, _parameter: click.Parameter, text: str) -> frozenset[Scope]:
    """Return the scopes given, between commas, or between plus signs as in an entry."""
    try:
        return read_scopes(re.split("[,+]", text))
    except ValueError as error:
        raise click.BadParameter(f"{error}, with commas between them.".capitalize()) from None


@click.group
def command() -> None:
    """Make the keys that the service lets in."""


@command.command
@click.option("--name", callback=_name, help="Whose key it is; by default a name made up.")
@click.option("--scopes", callback=_scopes, default="read,write", show_default=True, help="Of read, write, delete.")
def new(name: str, scopes: frozenset[Scope]) -> None:
    """Make a key.

    Prints the key on the first line and its entry for THIRTYONE_API_KEYS on the second; nothing else goes to standard
    output.
    """
    key = new_key()
    click.echo(key)
    click.echo(ApiKey(name, scopes, digest_of(key.encode())).entry())
    click.echo(
        "\nThe first line is the key: give it to whoever is to use it. It is shown this once and kept nowhere.\n"
        "The second line is its entry, which is no secret: add it to THIRTYONE_API_KEYS and start the service anew.",
        err=True,
    )
