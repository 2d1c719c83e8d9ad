"""Lines are cut out of pieces of bytes, wherever the pieces begin and end."""

from hypothesis import given
from hypothesis import strategies as st

from replays.lines import Line, LineCutter

LIMIT = 6
BYTES = st.binary(max_size=40) | st.lists(st.sampled_from([b"\n", b" ", b"a", b"bcdefg", b"\r\n"])).map(b"".join)


def cut(pieces, limit=LIMIT):
    cutter = LineCutter(limit)
    return [line for piece in pieces for line in cutter.cut(piece)] + list(cutter.rest())


@given(BYTES, st.lists(st.integers(0, 40), max_size=5))
def test_pieces_make_no_difference(content, places):
    begins = [0, *sorted(places)]
    ends = [*begins[1:], len(content)]
    pieces = [content[begin:end] for begin, end in zip(begins, ends, strict=True)]
    expected = [
        Line(number, line if len(line) <= LIMIT else None)
        for number, line in enumerate(content.split(b"\n"), start=1)
        if line.strip() or len(line) > LIMIT
    ]
    assert cut(pieces) == cut([content]) == expected


def test_a_line_that_is_too_long_is_not_held_and_spoils_no_other():
    cutter = LineCutter(10)
    assert list(cutter.cut(b"one\n")) == [Line(1, b"one")]
    for _ in range(100):
        assert list(cutter.cut(b"x" * 1000)) == []
        assert len(cutter._begun) <= 10  # noqa: SLF001 - what is held is what this is about
    assert list(cutter.cut(b"\ntwo\nthr")) == [Line(2, None), Line(3, b"two")]
    assert list(cutter.cut(b"ee")) == []
    assert list(cutter.rest()) == [Line(4, b"three")]


def test_a_line_may_have_just_as_many_bytes_as_the_limit():
    assert cut([b"123456\n1234567\n"]) == [Line(1, b"123456"), Line(2, None)]
