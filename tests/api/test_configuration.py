"""Where settings come from, which of two comes first, and what is said of those that cannot be used."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import parse
from msgspec.structs import asdict, fields

from api.configuration import FILE_VARIABLE, configured
from api.keys import new_key
from api.setting_values import SettingError
from api.settings import SETTINGS, Settings
from tests.api.configuring import ENTRY, HASH, said

SAME = {
    "host": ("::1", '"::1"', "::1"),
    "port": ("9000", "9000", 9000),
    "database": ("other.sqlite", '"/other.sqlite"', None),
    "api_keys": (f"{ENTRY}, two:write:{'0' * 64}", f'["{ENTRY}", "two:write:{"0" * 64}"]', None),
    "rate_limit": ("5000/12 hours", '"5000/12 hours"', parse("5000/12 hours")),
    "insecure": ("1", "true", True),
    "cors_origins": (
        "https://club.example http://[::1]:5173",
        '["https://Club.example", "http://[::1]:5173"]',
        ("https://club.example", "http://[::1]:5173"),
    ),
    "forwarded_allow_ips": ("10.0.0.7,10.1.0.0/16", '["10.0.0.7", "10.1.0.0/16"]', ("10.0.0.7", "10.1.0.0/16")),
    "metrics": ("0", "false", False),
    "connections": ("99", "99", 99),
    "requests": ("99", "99", 99),
    "streams": ("99", "99", 99),
    "threads": ("9", "9", 9),
}
"""Of each setting something that is not its standard value: in a variable, in a file, and read."""


def test_every_setting_is_tried_here():
    assert list(SAME) == list(SETTINGS) == [field.name for field in fields(Settings)]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_read_from_the_environment_and_from_the_file_alike(name, file):
    text, in_file, value = SAME[name]
    of_variable = configured({SETTINGS[name].variable: text})
    of_file = configured({}, file(f"{name} = {in_file}"))
    assert str(of_variable.sources[name]) == SETTINGS[name].variable
    assert str(of_file.sources[name]) == f"`{name}` in the file"
    for found in (of_variable, of_file):
        others = {key: source for key, source in found.sources.items() if key != name}
        assert {str(source) for source in others.values()} == {"standard"}
        changed = {key for key, value in asdict(found.settings).items() if value != asdict(Settings())[key]}
        assert changed == {name}
    if value is not None:
        assert getattr(of_variable.settings, name) == getattr(of_file.settings, name) == value


def test_keys_are_the_same_from_both(file):
    text, in_file, _ = SAME["api_keys"]
    keys = configured({"THIRTYONE_API_KEYS": text}).settings.api_keys
    assert keys == configured({}, file(f"api_keys = {in_file}")).settings.api_keys
    assert [key.entry() for key in keys] == text.split(", ")


def test_an_option_comes_before_the_environment_which_comes_before_the_file(file):
    path = file('host = "::1"\nport = 1\ndatabase = "file.sqlite"')
    environment = {"PORT": "2", "THIRTYONE_DATABASE": "variable.sqlite"}
    found = configured(environment, path, {"database": "option.sqlite", "insecure": None})
    assert (found.settings.host, found.settings.port, found.settings.database) == ("::1", 2, "option.sqlite")
    assert [str(found.sources[name]) for name in ("host", "port", "database", "insecure")] == [
        "`host` in the file",
        "PORT",
        "--database",
        "standard",
    ]


def test_the_file_of_the_option_is_read_in_place_of_that_of_the_environment(file, tmp_path):
    assert configured({FILE_VARIABLE: str(file("port = 7"))}).settings.port == 7
    assert configured({FILE_VARIABLE: str(tmp_path / "nowhere.toml")}, file("port = 8")).settings.port == 8
    assert configured({FILE_VARIABLE: " "}).file is None


def test_no_file_is_read_that_nobody_names(file, monkeypatch):
    monkeypatch.chdir(file("port = 7").parent)
    assert configured({}).settings == Settings()


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "forwarded_allow_ips"])
def test_a_blank_variable_counts_as_unset(name, file):
    in_file = SAME[name][1]
    for blank in ("", "  "):
        found = configured({SETTINGS[name].variable: blank}, file(f"{name} = {in_file}"))
        assert found.sources[name].kind == "file"


def test_a_blank_list_of_proxies_trusts_none():
    assert configured({"FORWARDED_ALLOW_IPS": ""}).settings.forwarded_allow_ips == ()


def test_a_database_in_the_file_is_taken_from_where_the_file_is(file, tmp_path, monkeypatch):
    path = file('database = "replays.sqlite"')
    monkeypatch.chdir(tmp_path.parent)
    for given_as in (path, path.relative_to(tmp_path.parent)):
        assert Path(configured({}, given_as).settings.database).resolve() == tmp_path / "replays.sqlite"
    assert configured({}, file('database = "/replays.sqlite"')).settings.database == "/replays.sqlite"
    assert configured({"THIRTYONE_DATABASE": "replays.sqlite"}, path).settings.database == "replays.sqlite"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("port = 1\nhost 2", r"The configuration file \S+ is no TOML: .* \(at line 2, column 6\)\."),
        ("port = 1\nport = 2", r"The configuration file \S+ is no TOML: .*"),
        (b"port = 1\n# \xe4", r"The configuration file \S+ is not written in UTF-8 \(at line 2\)\."),
        (f"port = {'1' * 5000}", r"The configuration file \S+ is no TOML that can be read\."),
        (f"port = {'[' * 100_000}", r"The configuration file \S+ is no TOML that can be read\."),
        ("prot = 1", r"`prot` in \S+ is no setting; perhaps `port` is meant\."),
        ("[server]\nport = 1", r"`server` in \S+ is no setting; `thirtyone config --help` lists what there is\."),
        ('"\\u0007" = 1', r"`'\\x07'` in \S+ is no setting; .*"),
        ('port = "8031"', r"`port` in \S+ must be a whole number\."),
        ("port = true", r"`port` in \S+ must be a whole number\."),
        ("port = 8031.0", r"`port` in \S+ must be a whole number\."),
        ("port = -1", r"`port` in \S+ must be a number from 0 to 65535, not -1\."),
        (f"port = {'9' * 4000}", r"`port` in \S+ must be a number from 0 to 65535, not a number of so many digits\."),
        ("host = 1", r"`host` in \S+ must be a string\."),
        ('host = ""', r"`host` in \S+ must be an address or the name of a machine, not ''\."),
        ('database = ""', r"`database` in \S+ must be the name of a file, not ''\."),
        ('database = "a\\u0000b"', r"`database` in \S+ must be the name of a file, not 'a\\x00b'\."),
        ("insecure = 1", r"`insecure` in \S+ must be true or false\."),
        ('metrics = "1"', r"`metrics` in \S+ must be true or false\."),
        ('rate_limit = ""', r"`rate_limit` in \S+ must be one limit such as .*, not ''\."),
        (f'api_keys = "{ENTRY}"', r"`api_keys` in \S+ must be an array of strings\."),
        ("api_keys = [1]", r"`api_keys` in \S+ must be an array of strings\."),
        (f'api_keys = ["{ENTRY}", "two"]', r"In `api_keys` in \S+, entry 2 cannot be used: an entry is a name, .*\."),
        (f'api_keys = ["{ENTRY} {ENTRY}"]', r"In `api_keys` in \S+, entry 1 cannot be used: .*\."),
        ('forwarded_allow_ips = ["10.0.0.1/8"]', r"In `forwarded_allow_ips` in \S+, a proxy is .*, not '10.0.0.1/8'\."),
        ('forwarded_allow_ips = ["*", "::1"]', r"In `forwarded_allow_ips` in \S+, `\*` is every proxy already; .*\."),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(file, text, says):
    sentence = said("--config", file(text))
    assert re.fullmatch(says, sentence), sentence
    assert HASH not in sentence


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(tmp_path):
    nowhere = str(tmp_path / "nowhere.toml")
    assert (
        said(THIRTYONE_CONFIG=nowhere) == f"The configuration file {nowhere} cannot be read: No such file or directory."
    )
    assert said("--config", tmp_path).endswith("cannot be read: Is a directory.")


def test_a_wrong_value_is_refused_even_where_another_would_be_used(file):
    assert said("--config", file("port = -1"), PORT="9000").startswith("`port` in ")


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("PORT", "http", "PORT must be a number from 0 to 65535, not 'http'."),
        ("THIRTYONE_METRICS", "on", "THIRTYONE_METRICS must be 1 or 0, not 'on'."),
        ("THIRTYONE_CORS_ORIGINS", ",", "THIRTYONE_CORS_ORIGINS has nothing between the commas."),
        (
            "FORWARDED_ALLOW_IPS",
            "proxy.example",
            "In FORWARDED_ALLOW_IPS, a proxy is an address or a network, such as ",
        ),
        ("THIRTYONE_API_KEY", ENTRY, "THIRTYONE_API_KEY is no setting; perhaps THIRTYONE_API_KEYS is meant."),
        ("THIRTYONE_PORT", "80", "THIRTYONE_PORT is no setting; perhaps PORT is meant."),
        ("THIRTYONE_", "", "THIRTYONE_ is no setting; `thirtyone config --help` lists what there is."),
    ],
)
def test_a_variable_that_cannot_be_used_is_refused_in_a_sentence(variable, value, says):
    assert said(**{variable: value}).startswith(says)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("THIRTYONE_SERVICE_HOST", "10.0.0.1"),
        ("THIRTYONE_SERVICE_PORT", "8031"),
        ("THIRTYONE_SERVICE_PORT_HTTP", "8031"),
        ("THIRTYONE_PORT", "tcp://10.0.0.1:8031"),
        ("THIRTYONE_PORT_8031_TCP_ADDR", "10.0.0.1"),
        ("THIRTYONE_REFEREE_PORT", "tcp://10.0.0.1:8031"),
    ],
)
def test_what_kubernetes_sets_by_itself_is_passed_over(variable, value):
    assert configured({variable: value}).settings == Settings()


@pytest.mark.parametrize(
    "origin",
    [
        "club.example",
        "https://",
        "https://club.example/",
        "https://club.example/path",
        "https://club.example?",
        "https://user@club.example",
        "https://*.club.example",
        "https://club.example:443",
        "http://club.example:80",
        "https://club.example:0",
        "https://club.example:65536",
        "https://club..example",
        "https://[::1",
        "https://[::g]",
        "https://bücher.example",
        "null",
        "ftp://club.example",
        "https://club.example\x00",
    ],
)
def test_a_malformed_origin_is_refused(origin):
    with pytest.raises(SettingError, match=r"In THIRTYONE_CORS_ORIGINS, an origin is .*, not '") as caught:
        configured({"THIRTYONE_CORS_ORIGINS": f"https://good.example, {origin}"})
    assert str(caught.value).isprintable()


def test_every_origin_is_said_by_itself():
    assert configured({"THIRTYONE_CORS_ORIGINS": "*"}).settings.cors_origins == ("*",)
    with pytest.raises(SettingError, match="it has to be alone"):
        configured({"THIRTYONE_CORS_ORIGINS": "* https://club.example"})


VALUES = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=8) | st.just(ENTRY) | st.just("1/minute"),
    lambda inner: st.lists(inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from([*SETTINGS, "other"]), VALUES, max_size=4))
def test_whatever_a_file_holds_is_understood_or_refused_in_a_sentence(tmp_path_factory, values):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()), "utf-8", "replace")
    try:
        found = configured({}, path)
    except SettingError as error:
        sentence = str(error)
        assert sentence.isprintable()
        assert HASH not in sentence
    else:
        assert {name for name, source in found.sources.items() if source.kind == "file"} == set(values)


def test_a_key_itself_in_the_file_is_not_quoted(file):
    key = new_key()
    assert key not in said("--config", file(f'api_keys = ["{key}"]'))
