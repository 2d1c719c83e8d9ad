"""The command line, `thirtyone`: one module a command, imported only when it is called for.

To add a command, write a module that defines `command`, and name it in COMMANDS.
"""

import os
import signal
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from api.cli.saying import fail
from api.cli.standard import fail_of_output, open_what_is_closed
from engine import VERSION

COMMANDS = {
    "judge": ("api.cli.judge", "Judge hands: who loses what, and which rule says so."),
    "value": ("api.cli.value", "Tell what hands are worth, each by itself."),
    "compare": ("api.cli.compare", "Compare rule sets on a hand: which agree, and on what the others part."),
    "dispute": ("api.cli.dispute", "Find out what a hand hinges on."),
    "examples": ("api.cli.examples", "Show worked examples: whole hands, judged and told."),
    "sheet": ("api.cli.sheet", "Write the rule sheet of a game, to read or to print."),
    "serve": ("api.cli.serve", "Serve until told to stop."),
    "config": ("api.cli.config", "Show every setting, its value, and where it comes from."),
    "keys": ("api.cli.keys", "Make the keys that the service lets in."),
    "export": ("api.cli.export", "Write stored replays into an archive."),
    "import": ("api.cli.import_", "Keep the replays of an archive."),
    "verify": ("api.cli.verify", "Judge every stored replay once more, on all cores."),
    "completion": ("api.cli.completion", "Print what makes a shell complete the words of a command."),
}
"""The module of each command, and what it does, so that no module is imported only to be listed."""

PROGRAM = "thirtyone"
BROKEN_OFF = 130
"""The status of a command that was interrupted; it is what shells say of a program that an interrupt ends."""
COMPLETES = "_THIRTYONE_COMPLETE"
"""The variable in which a shell asks what completes a word."""
SHELLS = ("bash", "zsh", "fish")
"""The shells that it is made for, each with a module."""


class _Commands(click.Group):
    """A group that finds its commands in COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """Return the names of the commands, as the help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own signature
        """Return a command, if there is one of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = import_module(module).command
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Load a command and do it; say so if that is broken off."""
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # the launcher's, until somebody can say so
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("Broken off.", BROKEN_OFF)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's own signature
        """Write what commands there are."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Return the commands that begin so, or the options."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=says) for name, (_, says) in COMMANDS.items() if name.startswith(incomplete)]


@click.group(cls=_Commands)
@click.version_option(VERSION, message="%(prog)s %(version)s")
def group() -> None:
    """The referee for the card game Thirty-One."""


def main() -> None:
    """Do what the command line says."""
    open_what_is_closed()
    if COMPLETES in os.environ:
        for shell in SHELLS:
            import_module(f"api.cli.{shell}")  # which click finds by its name
    try:
        group(prog_name=PROGRAM, complete_var=COMPLETES)
    except OSError as error:
        fail_of_output(error)
        raise
