"""What a file holds is told by its content, and what is wrong with it by line and column."""

import gzip
import json

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from api.cli import json_places, reading
from api.cli.json_places import Places
from api.cli.pointing import NotUnderstoodError
from api.cli.reading import read
from tests.api.cli.commanding import BROKEN, FRIDAY, hand, lines, refused

PLAIN = json.dumps(hand())
INDENTED = json.dumps({"hand": hand()}, indent=2)


def items(tmp_path, content, name="file"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(item.name.removeprefix(str(path)), item.asked) for item in read([str(path)])]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (FRIDAY, [""]),
        ("{a remark}\n" + FRIDAY, [""]),
        ("{ 'so he said' }\n" + FRIDAY, [""]),
        ("\n\n  " + FRIDAY, [""]),
        ("\ufeff" + FRIDAY.replace("\n", "\r\n"), [""]),
        (PLAIN, [":1"]),
        ("\ufeff" + PLAIN + "\r\n", [":1"]),
        ("\n\n" + PLAIN + "\n\n" + PLAIN, [":3", ":5"]),
        (INDENTED, [""]),
        ("\ufeff \n" + json.dumps(hand(), indent=1), [""]),
        (f"[{PLAIN},\n{INDENTED}]", ["#/0", "#/1"]),
        (json.dumps([{"hands": [hand()]}]), [":1#/0/hands/0"]),
        ("[]", []),
        (lines({"hands": [hand(), hand()]}, hand()), [":1#/hands/0", ":1#/hands/1", ":2"]),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_every_hand_is_read_and_named(tmp_path, content, names):
    found = items(tmp_path, content)
    assert [name for name, _ in found] == names
    assert not [asked for _, asked in found if isinstance(asked, NotUnderstoodError)]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("content", [FRIDAY, "{a remark}\n" + FRIDAY, INDENTED, PLAIN + "\n" + PLAIN], ids=repr)
def test_it_does_not_matter_in_which_pieces_it_comes(tmp_path, monkeypatch, size, content):
    whole = items(tmp_path, content)
    monkeypatch.setattr("api.cli.archives._PIECE", size)
    pieces = items(tmp_path, content)
    assert [(name, asked.hand) for name, asked in pieces] == [(name, asked.hand) for name, asked in whole]


@pytest.mark.parametrize(("name", "packed"), [("a.gz", gzip.compress), ("a.zst", zstandard.compress)])
def test_what_is_compressed_is_decompressed(tmp_path, name, packed):
    assert len(items(tmp_path, packed(lines(hand(), hand()).encode()), name)) == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "There is nothing in it."),
        (b" \n\t", "There is nothing in it."),
        (b'{"a" 5}', "line 1, column 6: This is no JSON: expected ':'."),
        (b'{"hand":\n {"kind":\n', "line 2, column 10: The JSON ends before it is complete."),
        (b'{"hand": {}} {}', "line 1, column 14: This is no JSON: trailing characters."),
        (b"[rules pagat]\nBen(3): K\xff 9s", "line 2, column 10: This is not UTF-8, which a text has to be."),
        (b"{}", "line 1, column 1: Object missing required field `hand`."),
        (b'{"hand": 5}', "line 1, column 10: Expected `object`, got `int`."),
        (b'{"kind": "log", "dealer": ' + b"9" * 5000 + b"}", "line 1, column 27: Integer value out of range."),
        (b'["x"]', "line 1, column 2: Expected `object | array`, got `str`."),
        (b"[" * 5000 + b"]" * 5000, "line 1, column 1: It is nested too deeply."),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_not_understood_is_said_with_its_place(tmp_path, content, says):
    ((_, asked),) = items(tmp_path, content)
    assert isinstance(asked, NotUnderstoodError)
    assert str(asked.troubles[0]).removeprefix(str(tmp_path / "file")).lstrip(",: ") == says


def test_a_name_that_is_no_text_is_pointed_at(tmp_path):
    ((_, asked),) = items(tmp_path, PLAIN.replace("Ben", "B€n").encode().replace("€".encode(), b"\xe2\x82"))
    assert "column 52: This is not UTF-8" in str(asked.troubles[0])


def test_every_place_that_does_not_fit_is_told(tmp_path):
    record = hand(dealer="x", upcard="5h")
    del record["players"][1]["lives"]
    ((_, asked),) = items(tmp_path, json.dumps({"rules": {"preset": "x"}, "hand": record}, indent=1))
    assert [trouble.pointer for trouble in asked.troubles] == [
        "/rules/preset",
        "/hand/players/1/lives",
        "/hand/dealer",
        "/hand/upcard",
    ]
    for trouble in asked.troubles:
        at = trouble.column - 1
        assert trouble.source[at : at + trouble.length] in {'"x"', "{", '"upcard"'}


def test_a_bad_line_spoils_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LONGEST_LINE", len(PLAIN) + 10)
    content = '{"a" 5}\n' + PLAIN + "\n" + "x" * (len(PLAIN) + 11) + "\n[]\n" + PLAIN
    found = items(tmp_path, content)
    assert [(name, isinstance(asked, NotUnderstoodError)) for name, asked in found] == [
        (":1", True),
        (":2", False),
        (":3", True),
        (":5", False),
    ]
    assert "longer than" in found[2][1].troubles[0].says


@pytest.mark.parametrize(
    "bad",
    ['{"kind": "log', '{"hand": {"kind": "log",', '{"hand": [1, 2', '{"a" 5}', "{" + '"a":[' * 5000],
    ids=lambda bad: bad[:20],
)
@pytest.mark.parametrize("size", [3, 64_000])
def test_a_bad_first_line_spoils_no_other(tmp_path, monkeypatch, bad, size):
    monkeypatch.setattr("api.cli.archives._PIECE", size)
    for content in (f"{bad}\n{PLAIN}\n{PLAIN}\n", f"\n{bad}\r\n\n{PLAIN}"):
        found = items(tmp_path, content)
        assert [isinstance(asked, NotUnderstoodError) for _, asked in found][:2] == [True, False]
        assert found[0][1].troubles[0].line == content[: content.index(bad)].count("\n") + 1


@pytest.mark.parametrize("size", [3, 64_000])
def test_hands_of_an_array_may_have_a_line_each(tmp_path, monkeypatch, size):
    monkeypatch.setattr("api.cli.archives._PIECE", size)
    for content in (
        f"[\n{PLAIN}\n]",
        f"[\n{PLAIN},\n{PLAIN}\n]",
        f'{{"hands": [\n{PLAIN}\n]}}',
        f'{{"hand":\n{PLAIN}\n}}',
    ):
        found = items(tmp_path, content)
        assert not [asked for _, asked in found if isinstance(asked, NotUnderstoodError)]
        assert found[0][0] in {"", "#/0", "#/hands/0"}


def test_a_line_that_is_nested_too_deeply_is_named(tmp_path):
    found = items(tmp_path, f"{PLAIN}\n{'[' * 5000}\n{PLAIN}\n")
    assert str(found[1][1].troubles[0]).endswith("file, line 2, column 1: It is nested too deeply.")


@pytest.mark.parametrize("size", [3, 64_000])
def test_a_first_line_that_is_too_long_spoils_no_other(tmp_path, monkeypatch, size):
    monkeypatch.setattr("api.cli.archives._PIECE", size)
    monkeypatch.setattr(reading, "LONGEST_LINE", len(PLAIN) + 10)
    batch = json.dumps({"hands": [hand(), hand()]})
    found = items(tmp_path, f"{batch}\n{PLAIN}\n")
    assert [(name, isinstance(asked, NotUnderstoodError)) for name, asked in found] == [(":1", True), (":2", False)]
    assert [name for name, _ in items(tmp_path, f"{batch}\n\n")] == ["#/hands/0", "#/hands/1"]


def test_what_is_not_cut_into_lines_has_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST", 1000)
    ((_, asked),) = items(tmp_path, INDENTED)
    assert "It is larger than 1,000 bytes." in asked.troubles[0].says
    assert asked.kind == "too-large"


def test_troubles_are_shown_with_carets(tmp_path):
    file = tmp_path / "broken.31"
    file.write_text(BROKEN, encoding="utf-8")
    assert refused("judge", file) == (
        f"thirtyone: {file}, line 2, column 15: `4x` is not a card. For example: `Ks`.\n"
        "  Ann(3): As Ks 4x\n"
        "                ^^\n"
        f"thirtyone: {file}, line 5, column 15: There is no player `Rob`. For example: `Seat 2: knock`.\n"
        "  Ann: +Qh -4d; Rob: knock\n"
        "                ^^^\n"
    )


def test_of_very_many_troubles_some_are_shown():
    errors = refused("judge", "-", data="\n".join(["x y z"] * 30))
    assert errors.count("For example: ") == 10
    assert errors.endswith("thirtyone: And 21 more.\n")


@pytest.mark.parametrize("before", ["", "张" * 30, "x" * 200, "\t"], ids=repr)
@pytest.mark.parametrize("after", ["", " " + "y" * 200])
def test_carets_stand_under_the_place_in_long_and_in_wide_lines(before, after):
    text = (
        f"[dealer Bob]\nAnn(3): As Ks 4d {{{before}}} ; {{a}}\nBob(3): 7h 7d 7c\nUp: 5s\n{{{before}}} Zoë: knock{after}"
    )
    line, carets = refused("judge", "-", data=text).splitlines()[1:3]
    cells = sum(2 if character == "张" else 1 for character in line[: line.index("Zoë")])
    assert carets == " " * cells + "^^^"
    assert sum(2 if character == "张" else 1 for character in line) <= 80


keys = st.text(alphabet='ab"\\/~\n€é', max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\[]{},:', max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=15,
)


def places(value, pointer=""):
    """Yield every place in a value, with what stands there."""
    yield pointer, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from places(inner, f"{pointer}/{place}")


@given(values, st.sampled_from([None, 0, 2]), st.booleans(), st.randoms())
def test_every_place_in_json_is_found(value, indent, ascii_only, order):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = Places(text)
    for pointer, there in sorted(places(value), key=lambda _: order.random()):
        begin, end = found.span_of(pointer)
        assert json.loads(text[begin:end]) == there
        if isinstance(there, dict):
            begin, end = found.span_of(pointer + "/absent")
            assert begin == end - 1 or isinstance(json.loads(text[begin:end]), str)


def test_of_a_key_that_is_there_twice_the_last_counts():
    found = Places('{"a": 1, "a": [2]}')
    assert found.span_of("/a/0") == (15, 16)
    assert found.span_of("/a", of_key=True) == (9, 12)


def test_what_is_wrong_with_very_many_hands_is_found_in_one_go(tmp_path, monkeypatch):
    """Not for each hand again from the beginning: the JSON is gone through a few times, however many there are."""
    gone_through = 0

    def counted(text, at):
        nonlocal gone_through
        value, end = skip(text, at)
        gone_through += end - at
        return value, end

    skip = json_places._skip  # noqa: SLF001 - it is what goes through the text
    monkeypatch.setattr(json_places, "_skip", counted)
    content = json.dumps({"hands": [hand(dealer="x")] * 300}, indent=1)
    found = items(tmp_path, content)
    written = content.splitlines()
    assert all(written[asked.troubles[0].line - 1].strip() == '"dealer": "x",' for _, asked in found)
    assert len(found) == 300
    assert gone_through < 6 * len(content)


def test_a_directory_is_no_hand(tmp_path):
    assert f"{tmp_path} cannot be read: Is a directory." in refused("judge", tmp_path)
