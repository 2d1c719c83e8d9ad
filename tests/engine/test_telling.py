"""A ruling that is told with names is the ruling of a hand that was judged with them."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import resolve
from engine.telling import tell
from tests.strategies import examples, questions, wild_records

NAMES = st.one_of(
    st.just(UNSET),
    st.sampled_from(["Ana", "Seat 1", "Seat 2", "Seat 16", "{player}", "\\1", "\\g<0>", "%s", "7", " "]),
    st.text(min_size=1, max_size=64),
)


def named(question, names):
    """Return a question in which the players have these names."""
    players = tuple(replace(player, name=name) for player, name in zip(question.hand.players, names, strict=False))
    return question._replace(hand=replace(question.hand, players=players))


@examples(3)
@given(st.one_of(questions(), wild_records()), st.lists(NAMES, min_size=16, max_size=16))
def test_judging_without_names_and_telling_them_is_judging_with_them(question, names):
    question = named(question, names)
    nameless = named(question, [UNSET] * 16)
    resolved = resolve(question.choice)
    ruling = adjudicate(nameless.hand, resolved.rules, silent=None)
    assert tell(ruling, question.hand.players, resolved.silent) == question.ruling()
