"""Configuration as a command reads it, and says what cannot be used of it."""

import re

from click.testing import CliRunner

from api.cli import group
from api.keys import digest_of

HASH = digest_of(b"one").hex()
ENTRY = f"one:read:{HASH}"


def run(*arguments, **environment):
    result = CliRunner().invoke(group, [*map(str, arguments)], env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def said(*arguments, **environment):
    """Return the one sentence with which a configuration is refused, by `config` and by `serve` alike."""
    sentences = []
    for command, status in (("config", 2), ("serve", 1)):
        result = run(command, *arguments, **environment)
        assert (result.exit_code, result.stdout) == (status, "")
        sentences.append(result.stderr)
    assert sentences[0] == sentences[1]
    found = re.fullmatch(r"thirtyone: (.*\.)\n", sentences[0])
    assert found, sentences[0]
    return found[1]
