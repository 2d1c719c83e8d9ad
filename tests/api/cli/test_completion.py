"""What a shell completes, and that the help knows of every command without loading it."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from api.cli import COMMANDS, COMPLETES, group
from engine import VERSION
from engine.presets import PRESETS
from tests.api.cli.commanding import program, run, said
from tests.store.serving import ROOT

MAIN = "from api.cli import main; main()"


def completed(*words, asking="bash"):
    """Return what completes the last of some words, as a shell splits them."""
    line = {"COMP_WORDS": " ".join(["thirtyone", *words]), "COMP_CWORD": str(len(words))}
    done = program(MAIN, **{COMPLETES: f"{asking}_complete"}, **line)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ju"], ["plain,judge"]),
        (["judge", "--rules", "qu"], ["plain,quick-knock"]),
        (["judge", "--rules", "''"], [f"plain,{preset.id}" for preset in PRESETS]),
        (["compare", "-", "--rules", "al"], ["plain,all-presets"]),
        (["judge", "--set", "three"], ["plain,three_of_a_kind="]),
        (["judge", "--set", "three-of"], ["plain,three_of_a_kind="]),
        (["judge", "--set", "knocker_tie", "=", "s"], ["plain,safe", "plain,shares"]),
        (["judge", "--set", "three_of_a_kind", "="], ["plain,none", "plain,30", "plain,30.5"]),
        (["judge", "--set", "lives", "=", "3", "--set", "county", "=", "n"], ["plain,none"]),
        (["judge", "--set", "=", "county", "=", "n"], ["plain,none"]),
        (["sheet", "--format", "=", "h"], ["plain,html"]),
        (["sheet", "--format", "h"], ["plain,html"]),
        (["judge", "--set", "nothing", "=", "x"], []),
        (["examples", "--scenario", "knocker-ti"], ["plain,knocker-ties"]),
        (["judge", "x"], ["file,x"]),
        (["judge", "--js"], ["plain,--json"]),
        (["--ver"], ["plain,--version"]),
        (["completion", "z"], ["plain,zsh"]),
    ],
    ids=" ".join,
)
def test_bash_is_told_what_completes_a_word(words, expected):
    assert completed(*words) == expected


def test_other_shells_keep_words_whole():
    assert completed("judge", "--set", "county=n", asking="zsh")[:2] == ["plain", "county=none"]


def test_to_complete_a_command_no_command_is_loaded():
    code = (
        "import sys\n"
        "from api.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([name for name in sys.modules if name in ('litestar', 'api.cli.serve', 'rich')])\n"
    )
    asked = {COMPLETES: "bash_complete", "COMP_WORDS": "thirtyone s", "COMP_CWORD": "1"}
    assert program(code, **asked).stdout.splitlines() == ["plain,sheet", "plain,serve", "[]"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell(shell):
    script = run("completion", shell).stdout
    assert COMPLETES in script
    assert "_thirtyone_completion" in script


def test_the_script_makes_bash_complete(tmp_path):
    """Bash itself runs it, as it would after a tab, and says what it would put in."""
    (tmp_path / "thirtyone").write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -c "from api.cli import main; main()" "$@"\n'
    )
    (tmp_path / "thirtyone").chmod(0o755)
    script = (
        'eval "$(thirtyone completion bash)"\n'
        'compopt() { echo "$@"; }\n'
        "COMP_WORDS=(thirtyone judge --set three_of); COMP_CWORD=3\n"
        '_thirtyone_completion thirtyone; echo "${COMPREPLY[@]}"\n'
    )
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S603 - our own script
        ["bash", "--norc", "-c", script],  # noqa: S607 - the one that the machine has
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.splitlines(), done.stderr) == (["-o nospace", "three_of_a_kind="], "")


def test_the_list_of_commands_says_what_each_says_of_itself():
    for name, (_, says) in COMMANDS.items():
        command = group.get_command(None, name)
        assert command.help.partition("\n\n")[0].replace("\n", " ") == says, name
        assert says in " ".join(said("--help").split())


def test_every_command_shows_a_help_that_fits():
    for name in COMMANDS:
        assert CliRunner().invoke(group, [name, "--help"]).exit_code == 0
    for name in ("judge", "value", "compare", "dispute", "examples", "sheet", "completion"):
        assert f"Usage: thirtyone {name} " in said(name, "--help")


def test_the_version_is_that_of_the_engine():
    assert said("--version") == f"thirtyone {VERSION}\n"
