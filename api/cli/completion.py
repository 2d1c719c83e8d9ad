"""`thirtyone completion`: what a shell has to read so that it completes the words of this command line."""

from typing import Literal

import click
from click.shell_completion import get_completion_class

from api.cli import COMPLETES, PROGRAM
from api.cli.bash import Bash

Shell = Literal["bash", "zsh", "fish"]


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: Shell) -> None:
    r"""Print what makes a shell complete the words of a command.

    \b
    For Bash, in ~/.bashrc:  eval "$(thirtyone completion bash)"
    For zsh, in ~/.zshrc:    eval "$(thirtyone completion zsh)"
    For fish:                thirtyone completion fish | source
    """
    kind = Bash if shell == "bash" else get_completion_class(shell)
    click.echo(kind(context.find_root().command, {}, PROGRAM, COMPLETES).source())
