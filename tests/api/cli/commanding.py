"""What the tests of the commands for hands share: hands in files, and what the commands make of them."""

import copy
import json
import os
import subprocess
import sys

from click.testing import CliRunner

from api.cli import group
from api.examples import TIED_KNOCKER
from tests.store.serving import ROOT

FRIDAY = """\
[rules pagat knocker-tie=double]    # what we thought we were playing
[dealer ana]
Ben(3): KS 9S 2H
Cara(3): 10c 8c 4d
Dan(3): 10♥ 8♥ 3♠
Ana(3): Ad, 8d, 6c
up: 5♥

knock
+9c -4d; +7h -3s        {Dan took his time}
+2c -2c
"""
"""The tied knocker, as somebody typed it."""
BROKEN = """\
[dealer Bob]
Ann(3): As Ks 4x
Bob(3): 7h 7d 7c
Up: 5s
Ann: +Qh -4d; Rob: knock
"""
"""Two places of it are not understood."""


def run(*arguments, data=None, status=0, **environment):
    """Run a command in this process; return its result, which has to have that status."""
    result = CliRunner().invoke(
        group, [*map(str, arguments)], input=data, env={"NO_COLOR": None, **environment}, prog_name="thirtyone"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def said(*arguments, **given):
    """Return what a command puts out, of which every line fits, ends where its words end, and is plain."""
    output = run(*arguments, **given).stdout
    for line in output.splitlines():
        assert len(line) <= 80, line
        assert line == line.rstrip()
        assert line.isprintable(), line
    return output


def refused(*arguments, **given):
    """Return what a command says to what it does not understand."""
    result = run(*arguments, status=2, **given)
    assert result.stdout == ""
    return result.stderr


def program(code, *arguments, **environment):
    """Run Python code that calls the command line as a process of its own; return what it put out, and where."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )


def hand(**changes):
    """Return the record of the tied knocker, changed."""
    return {**copy.deepcopy(TIED_KNOCKER), **changes}


def early():
    """Return the record of a hand that is not over: the last turn of the fourth player is still to come."""
    return hand(events=hand()["events"][:5])


def illegal():
    """Return the record of a hand in which the second player knocks after a knock."""
    return hand(events=[*hand()["events"][:1], {"type": "knock", "seat": 2}])


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)
