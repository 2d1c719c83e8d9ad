"""`thirtyone config`: every setting, its value and where it comes from, for people and for programs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import fields

from api.cli.config import in_words, shown
from api.configuration import configured
from api.settings import SETTINGS, Settings
from tests.api.commanding import content
from tests.api.configuring import ENTRY, HASH, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "configuration.md").read_text()
WRITTEN = {str: "a string", int: "a whole number", bool: "true or false", list: "an array of strings"}


def test_config_shows_every_value_and_where_it_comes_from(file):
    path = file(f'port = 9000\napi_keys = ["{ENTRY}"]')
    result = run("config", "--config", path, "--insecure", THIRTYONE_RATE_LIMIT="5/minute")
    assert result.exit_code == 0
    first, blank, *lines = result.stdout.splitlines()
    assert (first, blank) == (f"Configuration file: {path}", "")
    assert [re.split(" {2,}", line) for line in lines] == [
        ["host", "127.0.0.1", "standard"],
        ["port", "9000", "`port` in the file"],
        ["database", "thirtyone.sqlite", "standard"],
        ["api_keys", "one (read)", "`api_keys` in the file"],
        ["rate_limit", "5/minute", "THIRTYONE_RATE_LIMIT"],
        ["insecure", "yes", "--insecure"],
        ["cors_origins", "none", "standard"],
        ["forwarded_allow_ips", "127.0.0.1, ::1", "standard"],
        ["metrics", "yes", "standard"],
        ["connections", "4096", "standard"],
        ["requests", "2048", "standard"],
        ["streams", "128", "standard"],
        ["threads", "2", "standard"],
    ]


def test_config_says_the_same_to_programs(file):
    path = file(f'api_keys = ["{ENTRY}"]')
    answer = json.loads(run("config", "--json", "--config", path, PORT="1").stdout)
    assert answer["file"] == str(path)
    assert list(answer["settings"]) == list(SETTINGS)
    assert answer["settings"]["api_keys"] == {
        "value": [{"name": "one", "scopes": ["read"]}],
        "from": {"kind": "file", "name": "api_keys"},
    }
    assert answer["settings"]["port"] == {"value": 1, "from": {"kind": "environment", "name": "PORT"}}
    assert answer["settings"]["host"] == {"value": "127.0.0.1", "from": {"kind": "standard"}}
    assert json.loads(run("config", "--json").stdout)["file"] is None


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_config_never_shows_a_hash(arguments):
    result = run("config", *arguments, THIRTYONE_API_KEYS=ENTRY)
    assert result.exit_code == 0
    assert HASH not in result.output


@pytest.mark.parametrize("limit", ["1/second", "100/minute", "5000/12 hours", "1/2 days"])
def test_a_limit_is_shown_as_it_can_be_set(limit):
    assert shown(configured({"THIRTYONE_RATE_LIMIT": limit}).settings.rate_limit) == limit


def test_config_says_what_would_keep_the_service_from_starting():
    result = run("config", HOST="192.0.2.1")
    assert result.exit_code == 2
    assert "192.0.2.1" in result.stdout
    assert result.stderr.startswith("thirtyone: HOST is 192.0.2.1, where other machines may reach the service")
    assert run("config", "--insecure", HOST="192.0.2.1").exit_code == 0


def test_config_starts_nothing_and_makes_no_file(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "from api.cli import main; main()", "config"],
        env={"PYTHONPATH": str(ROOT), "THIRTYONE_DATABASE": b"\xff.sqlite"},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"database" in done.stdout
    assert done.stderr == b""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["export", "import", "verify"])
def test_the_commands_work_on_the_database_of_the_file(command, file, database, tmp_path):
    path = file(f"database = '{database.name}'")
    before = content(database)
    archive = str(tmp_path / "archive.ndjson")
    run("export", archive, "--database", database)
    result = run(command, *([] if command == "verify" else [archive]), THIRTYONE_CONFIG=str(path))
    assert result.exit_code == 0, result.output
    assert f"{len(before):,}" in result.output
    assert content(database) == before
    bad = run(command, *([] if command == "verify" else ["-"]), "--config", file("prot = 1"))
    assert bad.exit_code == 1
    assert "perhaps `port` is meant" in bad.stderr


def test_the_help_and_the_page_list_every_setting_as_it_is_declared():
    squeezed = " ".join(run("config", "--help").stdout.split())
    rows = re.findall(r"^\| `.*$", PAGE, re.MULTILINE)
    standard = {field.name: in_words(shown(field.default)) for field in fields(Settings)}
    for name, setting in SETTINGS.items():
        assert f"{setting.variable}, {name} {setting.about} [standard: {standard[name]}]" in squeezed
    assert rows == [
        f"| `{setting.variable}` | `{name}` | {WRITTEN[setting.written]} | {standard[name]} | {setting.about} |"
        for name, setting in SETTINGS.items()
    ]


def test_the_file_that_the_page_shows_can_be_used(file):
    (shown_there,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    found = configured({}, file(shown_there))
    assert {name for name, source in found.sources.items() if source.kind == "file"} == {
        "port",
        "database",
        "api_keys",
        "rate_limit",
        "cors_origins",
    }
