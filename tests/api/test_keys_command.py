"""`thirtyone keys new`, in process and as users start it."""

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import COMMANDS, group
from api.configuration import configured
from api.gate import gate_for
from api.keys import SCOPES

LAUNCHER = Path(__file__).parents[2] / ".venv" / "bin" / "thirtyone"


def run(*arguments):
    return CliRunner().invoke(group, ["keys", "new", *arguments])


def made(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0
    key, entry = result.stdout.splitlines()
    return key, entry


def test_it_prints_the_key_and_its_entry_and_explains_apart():
    result = run("--name", "scoreboard")
    key, entry = result.stdout.splitlines()
    assert re.fullmatch(r"t31_[A-Za-z0-9_-]{43}", key)
    assert re.fullmatch(r"scoreboard:read\+write:[0-9a-f]{64}", entry)
    assert "this once" in result.stderr
    assert key not in result.stderr


@pytest.mark.parametrize("scopes", ["read", "write", "delete", "read,write", "delete,read", "read+write+delete"])
def test_the_entry_lets_the_key_in_and_to_its_scopes_only(scopes):
    key, entry = made("--scopes", scopes)
    gate = gate_for(configured({"THIRTYONE_API_KEYS": entry}).settings)
    for scope in SCOPES:
        request = {"type": "http", "client": None, "headers": [(b"authorization", f"Bearer {key}".encode())]}
        if scope in re.split("[,+]", scopes):
            assert gate.admit(request, scope) == {}
        else:
            with pytest.raises(Exception, match="forbidden"):
                gate.admit(request, scope)


def test_keys_made_without_a_name_can_be_set_together():
    entries = [entry for _, entry in (made() for _ in range(5))]
    assert len(configured({"THIRTYONE_API_KEYS": " ".join(entries)}).settings.api_keys) == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--name", "a b"], "A name is 1 to 32 letters, digits, dots, dashes and underscores."),
        (["--name", "a:b"], "A name is"),
        (["--name", ""], "A name is"),
        (["--name", "a" * 33], "A name is"),
        (["--scopes", ""], "Scopes are read, write, delete"),
        (["--scopes", "admin"], "Scopes are read, write, delete"),
        (["--scopes", "read,read"], "Scopes are read, write, delete"),
    ],
)
def test_what_cannot_be_is_refused_and_no_key_made(arguments, says):
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_every_command_is_listed_and_has_a_help():
    result = CliRunner().invoke(group, ["--help"])
    assert result.exit_code == 0
    for name in COMMANDS:
        assert re.search(rf"^  {name}  +\S", result.stdout, re.MULTILINE)
        assert CliRunner().invoke(group, [name, "--help"]).exit_code == 0


def test_an_unknown_command_is_refused_in_words():
    result = CliRunner().invoke(group, ["shuffle"])
    assert result.exit_code == 2
    assert "No such command 'shuffle'" in result.stderr


@pytest.mark.skipif(not LAUNCHER.exists(), reason="the environment was not made by the Makefile")
def test_it_runs_from_any_directory(tmp_path):
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "__init__.py").write_text("raise RuntimeError('not the service')")
    (tmp_path / "linked").symlink_to(LAUNCHER)
    for launcher in (LAUNCHER, tmp_path / "linked"):
        command = [launcher, "keys", "new"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603 - ours
        key, entry = done.stdout.splitlines()
        assert configured({"THIRTYONE_API_KEYS": entry}).settings.api_keys
        assert key not in done.stderr
