"""What a shell completes, and that the help knows of every command without loading it."""

import os
import subprocess
import sys
from shutil import which

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
        (["judge", "--rules=cas"], ["plain,--rules=casual"]),
        (["judge", "--set=county=n"], ["plain,--set=county=none"]),
        (["export", "x"], ["file,x"]),
        (["import", "x"], ["file,x"]),
        (["export", "--outcome", "s"], ["plain,settled"]),
        (["export", "--preset", "Cas"], ["plain,casual"]),
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


@pytest.fixture
def on_the_path(tmp_path):
    """Return an environment in which shells find the program."""
    (tmp_path / "thirtyone").write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -c "from api.cli import main; main()" "$@"\n'
    )
    (tmp_path / "thirtyone").chmod(0o755)
    (tmp_path / "friday.31").touch()
    return os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}


def put_out(shell, script, environment):
    """Return the lines that a shell puts out for a script, in the directory of the program."""
    where = environment["HOME"]
    done = subprocess.run(  # noqa: S603 - our own script
        [*shell, "-c", script], env=environment, cwd=where, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_script_makes_bash_complete(on_the_path):
    """Bash itself runs it, as it would after a tab, and says what it would put in."""
    script = (
        'eval "$(thirtyone completion bash)"\n'
        'compopt() { echo "$@"; }\n'
        "COMP_WORDS=(thirtyone judge --set three_of); COMP_CWORD=3\n"
        '_thirtyone_completion thirtyone; echo "${COMPREPLY[@]}"\n'
    )
    assert put_out(["bash", "--norc"], script, on_the_path) == ["-o nospace", "three_of_a_kind="]


@pytest.mark.skipif(not which("zsh"), reason="there is no zsh")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "judge --set three_of",
            ["three_of_a_kind=:What are three cards of one rank worth, as an alternative to the best suit?", "-U -S "],
        ),
        (
            "judge --set=three_of",
            [
                "--set=three_of_a_kind=:What are three cards of one rank worth, as an alternative to the best suit?",
                "-U -S ",
            ],
        ),
        ("judge --rules cas", ["casual:Casual 31", "-U"]),
        ("judge --rules=cas", ["--rules=casual:Casual 31", "-U"]),
        ("sheet --format=h", ["--format=html"]),
        ("sheet --output=fri", ["-P --output=", "files"]),
        ("export fri", ["-P ", "files"]),
    ],
)
def test_the_script_makes_zsh_complete(on_the_path, words, expected):
    """Zsh itself runs it, with what it would ask the line editor for."""
    script = (
        "compdef() {}; compset() { print -r -- $1 $2 }; _path_files() { print files }\n"
        '_describe() { print -rl -- "${(@P)3}"; print -r -- "${@:4}" }\n'
        'compadd() { print -rl -- "${(@P)5}" }\n'
        'eval "$(thirtyone completion zsh)"\n'
        f"words=(thirtyone {words}); CURRENT=$#words; _thirtyone_completion\n"
    )
    found = put_out(["zsh", "-f"], script, on_the_path)
    assert found == [each.rstrip() if each == "-P " else each for each in expected]


@pytest.mark.skipif(not which("fish"), reason="there is no fish")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "judge --set three_of",
            ["three_of_a_kind=\tWhat are three cards of one rank worth, as an alternative to the best suit?"],
        ),
        ("judge --set county=n", ["county=none\tA player who has lost the last life is out."]),
        ("judge --rules pag", ["pagat\tScat (31), the standard game"]),
        ("judge --rules=cas", ["--rules=casual\tCasual 31"]),
        ("sheet --format=h", ["--format=html"]),
        ("sheet --output=fri", ["--output=friday.31"]),
        ("judge fri", ["friday.31"]),
        ("export --outcome set", ["settled"]),
    ],
)
def test_the_script_makes_fish_complete(on_the_path, words, expected):
    script = f"thirtyone completion fish | source; complete -C 'thirtyone {words}'"
    assert put_out(["fish", "--no-config"], script, on_the_path) == expected


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
