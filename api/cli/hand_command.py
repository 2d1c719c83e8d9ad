"""What the commands for hands and rules have in common: the statuses with which they end."""

import sys
from typing import Any

import click

from api.cli.saying import fail

REFUSED = 1
"""A hand is refused."""
BROKEN_OFF = 130
"""The command was interrupted; it is what shells say of a program that an interrupt ends."""


class HandCommand(click.Command):
    """A command that says so, and by its status, if it is broken off."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Do what is asked, and have all of it put out while it can still be said that nobody reads it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("Broken off.", BROKEN_OFF)
        finally:
            sys.stdout.flush()
