"""Who is let in: the setting that lists keys, what a request has to bring, and what is refused in which words."""

import base64
import hmac
import traceback

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from api.access import Access
from api.configuration import configured
from api.gate import Gate, gate_for
from api.keys import SCOPES, ApiKey, digest_of, new_key, read_keys
from api.problems import Fault, fault_of
from api.setting_values import SettingError
from api.settings import SETTINGS, Settings, refuse_to_expose

READER, WRITER, DELETER, STRANGER = (f"t31_{name:_<43}" for name in ("reader", "writer", "deleter", "stranger"))
"""Keys that are the same in every process that runs a part of these tests."""
HASH = digest_of(STRANGER.encode()).hex()


def known(name, token, *scopes):
    return ApiKey(name, frozenset(scopes), digest_of(token.encode()))


KEYS = (
    known("reader", READER, "read"),
    known("writer", WRITER, "read", "write"),
    known("deleter", DELETER, "delete"),
)
ACCESS = Access(KEYS)


def bearer(token):
    return [(b"host", b"x"), (b"authorization", f"Bearer {token}".encode())]


def refused(headers, needs="read", access=ACCESS):
    with pytest.raises(Fault) as caught:
        access.admit(headers, needs)
    return caught.value


def test_without_keys_nobody_is_asked():
    assert Access().admit([], "delete") == ""
    assert Access().admit(bearer(STRANGER), "delete") == ""
    assert Gate().admit({"headers": bearer("nonsense")}, "write") == {}


@pytest.mark.parametrize(
    ("name", "token", "scopes"),
    [("reader", READER, {"read"}), ("writer", WRITER, {"read", "write"}), ("deleter", DELETER, {"delete"})],
)
@pytest.mark.parametrize("needs", SCOPES)
def test_a_key_allows_its_scopes_and_no_other(name, token, scopes, needs):
    if needs in scopes:
        assert ACCESS.admit(bearer(token), needs) == name
        return
    fault = refused(bearer(token), needs)
    assert (fault.kind.slug, fault.kind.status) == ("forbidden", 403)
    assert fault.headers == {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{needs}"'}
    assert needs in fault.detail


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
def test_the_case_of_the_scheme_and_the_number_of_spaces_do_not_matter(scheme):
    assert ACCESS.admit([(b"authorization", f"{scheme} {READER}".encode())], "read") == "reader"


@pytest.mark.parametrize(
    "sent",
    [
        [],
        [b""],
        [b"Bearer"],
        [b"Bearer "],
        [READER.encode()],
        [b"Basic " + base64.b64encode(b"reader:" + READER.encode())],
        [b"Bearer\t" + READER.encode()],
        [f"Bearer{READER}".encode()],
        [f"Bearer {READER}".encode()] * 2,
        [f"Bearer {READER}".encode(), b"Basic eDp5"],
        [b"", f"Bearer {READER}".encode()],
    ],
)
def test_a_request_without_exactly_one_token_is_asked_for_one(sent):
    fault = refused([(b"authorization", value) for value in sent])
    assert (fault.kind.slug, fault.kind.status) == ("unauthenticated", 401)
    assert fault.headers == {"WWW-Authenticate": 'Bearer realm="thirtyone"'}


@pytest.mark.parametrize(
    "token",
    [
        STRANGER,
        "nonsense",
        READER[:-1],
        READER + "A",
        READER + "=",
        READER.swapcase(),
        READER.removeprefix("t31_"),
        f"{READER} {READER}",
        f"{READER}, Bearer {READER}",
        f'"{READER}"',
        digest_of(READER.encode()).hex(),
        "t31_" + "é" * 43,
        "t31_" + "A" * 100_000,
    ],
)
def test_a_token_that_is_unknown_or_malformed_is_told_so(token):
    fault = refused(bearer(token))
    assert (fault.kind.slug, fault.kind.status) == ("unauthenticated", 401)
    assert fault.headers == {"WWW-Authenticate": 'Bearer error="invalid_token"'}


@pytest.mark.parametrize("token", [READER, DELETER, STRANGER])
def test_every_key_is_compared_in_constant_time_whichever_it_is(monkeypatch, token):
    compared = []
    compare = hmac.compare_digest

    def counted(left, right):
        compared.append((left, right))
        return compare(left, right)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    fault = refused(bearer(token), "write")
    assert fault.kind.status == (401 if token == STRANGER else 403)
    assert compared == [(digest_of(token.encode()), key.digest) for key in KEYS]


@pytest.mark.parametrize("headers", [bearer(STRANGER), bearer(READER), bearer(READER) * 2, bearer(STRANGER[:-1])])
def test_no_refusal_quotes_a_key(headers):
    fault = refused(headers, "write")
    with capture_logs() as lines:
        assert fault_of(fault) is fault
    said = [fault.content().decode(), str(fault), repr(fault), repr(fault.headers), repr(lines)]
    said += traceback.format_exception(fault)
    for secret in (READER, STRANGER, STRANGER[:-1]):
        assert secret not in "".join(said)
        assert digest_of(secret.encode()).hex() not in "".join(said)


def test_keys_are_of_one_shape_and_all_different():
    keys = {new_key() for _ in range(200)}
    assert len(keys) == 200
    for key in keys:
        assert len(key) == 47
        assert Access((known("one", key, "read"),)).admit(bearer(key), "read") == "one"


@pytest.mark.parametrize("between", [" ", ",", ", ", "\n", " ,\t\r\n"])
def test_the_setting_lists_entries_between_commas_or_white_space(between):
    text = between.join(key.entry() for key in KEYS)
    assert read_keys(text) == KEYS
    assert read_keys(f"{between}{text}{between}") == KEYS
    assert configured({"THIRTYONE_API_KEYS": text}).settings.api_keys == KEYS


def test_a_hash_may_be_written_in_capitals():
    assert read_keys(f"one:read:{HASH.upper()}") == (known("one", STRANGER, "read"),)


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_a_blank_setting_is_none(text):
    assert configured({"THIRTYONE_API_KEYS": text}).settings == Settings()


GOOD = f"good:read:{'0' * 64}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (",", "there is no entry between the commas."),
        (STRANGER, "entry 1 cannot be used: an entry is a name, scopes and a hash"),
        (HASH, "entry 1 cannot be used: an entry is a name, scopes and a hash"),
        (f"{GOOD} one:{HASH}", "entry 2 cannot be used: an entry is a name, scopes and a hash"),
        (f"one:read:{HASH}:more", "entry 1 cannot be used: an entry is a name, scopes and a hash"),
        (f"{STRANGER}:read:{HASH}", "entry 1 cannot be used: a name is 1 to 32 letters"),
        (f"{HASH}:read:one", "entry 1 cannot be used: a name is 1 to 32 letters"),
        (f":read:{HASH}", "entry 1 cannot be used: a name is 1 to 32 letters"),
        (f"zoë:read:{HASH}", "entry 1 cannot be used: a name is 1 to 32 letters"),
        (f"{GOOD},one:read:{STRANGER}", "entry 2 cannot be used: the hash of `one` is not 64 hexadecimal digits"),
        (f"one:read:{HASH[:-1]}", "entry 1 cannot be used: the hash of `one` is not 64 hexadecimal digits"),
        (f"one:read:{HASH}0", "entry 1 cannot be used: the hash of `one` is not 64 hexadecimal digits"),
        ("one:read:", "entry 1 cannot be used: the hash of `one` is not 64 hexadecimal digits"),
        (f"one::{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"one:read+:{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"one:admin:{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"one:Read:{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"one:read+read:{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"one:{STRANGER}:{HASH}", "entry 1 cannot be used: of `one`, scopes are read, write, delete"),
        (f"{GOOD} good:write:{HASH}", "entry 2 has the name of entry 1, `good`."),
        (f"{GOOD} a:read:{HASH} b:write:{HASH.upper()}", "entry 3, `b`, is the key of entry 2, `a`."),
    ],
)
def test_a_bad_entry_is_named_without_quoting_a_key_or_a_hash(text, says):
    with pytest.raises(SettingError) as caught:
        configured({"THIRTYONE_API_KEYS": text})
    message = str(caught.value)
    assert message.startswith(f"In THIRTYONE_API_KEYS, {says}")
    assert message.endswith(".")
    assert STRANGER not in message
    assert HASH[:-1] not in message.lower()


PIECES = st.sampled_from(
    [":", "+", ",", " ", "read", "write", "delete", "one", "two", HASH, STRANGER, "\x00", "é", "٣"]
)
JUNK = st.one_of(
    st.text(max_size=80),
    st.lists(PIECES, max_size=12).map("".join),
    st.builds("{}{}{}".format, st.integers(), st.sampled_from(["/", " per ", ";", "."]), st.text(max_size=10)),
)
NAMES = [setting.variable for setting in SETTINGS.values()]


@given(st.dictionaries(st.sampled_from(NAMES), JUNK))
@example({"PORT": "1" * 5000})
@example({"PORT": "٣"})
@example({"HOST": "a..b"})
@example({"HOST": "a" * 64})
@example({"HOST": "a." * 5000})
@example({"HOST": "::1%"})
@example({"THIRTYONE_RATE_LIMIT": "1" * 5000 + "/minute"})
@example({"THIRTYONE_RATE_LIMIT": "1/" + "1" * 5000 + " minutes"})
@example({"THIRTYONE_RATE_LIMIT": ";"})
def test_junk_is_refused_in_a_sentence_or_understood(environment):
    try:
        settings = configured(environment).settings
        refuse_to_expose(settings)
    except SettingError as error:
        message = str(error)
        assert any(name in message for name in environment)
        assert message.isprintable()
        assert len(message) < 600
    else:
        assert gate_for(settings).access.keys == settings.api_keys


@given(JUNK)
def test_junk_among_the_keys_is_never_quoted(text):
    try:
        read_keys(text)
        said = ""
    except ValueError as error:
        said = str(error)
    assert STRANGER not in said
    assert HASH not in said


@given(st.lists(st.sets(st.sampled_from(SCOPES), min_size=1), max_size=4))
def test_every_list_of_keys_is_read_as_it_was_written(scopes):
    keys = tuple(known(f"key-{number}", f"{number}", *some) for number, some in enumerate(scopes))
    assert read_keys(" ".join(key.entry() for key in keys)) == keys


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "LocalHost"])
def test_the_machine_itself_is_served_without_keys(host):
    refuse_to_expose(configured({"HOST": host}).settings)


PUBLIC = ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "example.org", "0", "127.1", "localhost."]  # noqa: S104 - refused


@pytest.mark.parametrize("host", PUBLIC)
def test_other_machines_are_not(host):
    with pytest.raises(SettingError, match=r"THIRTYONE_API_KEYS.*--insecure"):
        refuse_to_expose(configured({"HOST": host}).settings)
    refuse_to_expose(configured({"HOST": host, "THIRTYONE_API_KEYS": GOOD}).settings)
    refuse_to_expose(configured({"HOST": host, "THIRTYONE_INSECURE": "1"}).settings)


@pytest.mark.parametrize(
    "host", ["a b", "a/b", "http://localhost", "-é", "[::1]", "a..b", ".", "::1%", "1:2", "a." * 127]
)
def test_a_host_that_cannot_be_is_refused(host):
    with pytest.raises(SettingError, match="HOST must be an address or the name of a machine"):
        configured({"HOST": host})


@pytest.mark.parametrize(("text", "insecure"), [("", False), ("0", False), ("1", True), (" 1 ", True)])
def test_insecure_is_said_with_one(text, insecure):
    assert configured({"THIRTYONE_INSECURE": text}).settings.insecure is insecure


@pytest.mark.parametrize("text", ["yes", "true", "2", "no"])
def test_insecure_is_said_in_no_other_way(text):
    with pytest.raises(SettingError, match="THIRTYONE_INSECURE must be 1 or 0"):
        configured({"THIRTYONE_INSECURE": text})


def test_a_refusal_is_a_problem_document():
    problem = msgspec.json.decode(refused([]).content())
    assert problem["type"] == "/problems/unauthenticated"
    assert problem["status"] == 401
