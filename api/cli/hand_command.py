"""What the commands for hands and rules have in common."""

import sys
from typing import Any

import click

REFUSED = 1
"""The status where a hand is refused."""


class HandCommand(click.Command):
    """A command whose output is put out while it can still be said that nobody reads it."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Do what is asked, and put all of it out."""
        try:
            return super().invoke(ctx)
        finally:
            sys.stdout.flush()
