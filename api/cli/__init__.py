"""The command line, `thirtyone`: one module a command, imported only when it is called for.

To add a command, write a module that defines `command`, and name it in COMMANDS.
"""

from importlib import import_module

import click

COMMANDS = {
    "judge": "api.cli.judge",
    "value": "api.cli.value",
    "compare": "api.cli.compare",
    "dispute": "api.cli.dispute",
    "examples": "api.cli.examples",
    "sheet": "api.cli.sheet",
    "serve": "api.cli.serve",
    "config": "api.cli.config",
    "keys": "api.cli.keys",
    "export": "api.cli.export",
    "import": "api.cli.import_",
    "verify": "api.cli.verify",
}
"""The module of each command."""


class _Commands(click.Group):
    """A group that finds its commands in COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """Return the names of the commands, as the help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own signature
        """Return a command, if there is one of this name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command


@click.group(cls=_Commands)
def group() -> None:
    """The referee for the card game Thirty-One."""


def main() -> None:
    """Do what the command line says."""
    group(prog_name="thirtyone")
