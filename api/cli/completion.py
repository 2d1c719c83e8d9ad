"""`thirtyone completion`: what a shell has to read so that it completes the words of this command line."""

from typing import Literal

import click
from click.shell_completion import ShellComplete

from api.cli import COMPLETES, PROGRAM, SHELLS
from api.cli.bash import Bash
from api.cli.fish import Fish
from api.cli.zsh import Zsh

Shell = Literal["bash", "zsh", "fish"]
_KINDS: dict[Shell, type[ShellComplete]] = {"bash": Bash, "zsh": Zsh, "fish": Fish}


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: Shell) -> None:
    r"""Print what makes a shell complete the words of a command.

    \b
    For Bash, in ~/.bashrc:  eval "$(thirtyone completion bash)"
    For zsh, in ~/.zshrc:    eval "$(thirtyone completion zsh)"
    For fish:                thirtyone completion fish | source
    """
    click.echo(_KINDS[shell](context.find_root().command, {}, PROGRAM, COMPLETES).source())
