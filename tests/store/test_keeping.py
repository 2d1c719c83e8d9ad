"""Keeping and deleting: each thing once, nothing written over, nothing left over."""

from contextlib import closing

import pytest
from msgspec.structs import replace
from sqlite_utils import Database

from replays.answers import Answer
from replays.canonical import Question
from replays.finding import Filters
from replays.records import Record
from tests.store.checking import check_whole
from tests.store.hands import records
from tests.store.soaking import dice, either


def rows(path):
    """Return how many rows each table has."""
    with closing(Database(path)) as db:
        return {table: db[table].count for table in ("hands", "rule_sets", "replays", "answers", "replay_traits")}


def asked(hand, rules, *traits, engine="0.1.0", ruling=b'{"outcome":"settled"}'):
    """Return a record of made-up bytes."""
    question = Question(hand, rules)
    return Record(question.digest, question, Answer(engine, ruling), traits or ("outcome=settled",))


def test_what_is_kept_is_found_again(store):
    (record,) = records(1)
    store.open()
    assert store.get(record.replay) is None
    assert store.keep([record]) == [True]
    stored = store.get(record.replay)
    assert (stored.id, stored.question, stored.answers) == (record.replay.hex(), record.question, (record.answer,))
    assert stored.sound
    assert store.count() == 1


def test_what_is_kept_again_is_known(path, store):
    first, second = records(2)
    assert store.keep([first]) == [True]
    assert store.keep([first, second, second, first]) == [False, True, False, False]
    before = rows(path)
    assert store.keep([second, first]) == [False, False]
    assert rows(path) == before
    assert check_whole(path) == {first.replay.hex(), second.replay.hex()}


def test_a_known_answer_is_never_written_over(store):
    record = asked(b"hand", b"rules")
    store.keep([record])
    assert store.keep([replace(record, answer=Answer("0.1.0", b'{"outcome":"refused"}'))]) == [False]
    assert store.get(record.replay).answers == (record.answer,)


def test_every_version_of_the_engine_has_its_answer(path, store):
    record = asked(b"hand", b"rules", "outcome=settled", "players=3")
    later = asked(b"hand", b"rules", "outcome=refused", "players=3", engine="0.10.0", ruling=b'{"outcome":"refused"}')
    earlier = asked(b"hand", b"rules", "outcome=settled", engine="0.0.9")
    assert [store.keep([each]) for each in (record, later, earlier)] == [[True], [False], [False]]
    stored = store.get(record.replay)
    assert stored.answers == (earlier.answer, record.answer, later.answer)
    assert stored.sound
    for outcome in ("settled", "refused"):
        assert [found.id for found in store.find(Filters(outcome=outcome), None, 5)] == [record.replay.hex()]
    assert check_whole(path) == {record.replay.hex()}


def test_hands_and_rule_sets_are_stored_once_and_go_with_the_last_replay(path, store):
    hands, rule_sets = (b"hand 1", b"hand 2"), (b"rules 1", b"rules 2", b"rules 3")
    kept = [asked(hand, rules) for hand in hands for rules in rule_sets]
    store.keep(kept)
    assert rows(path) == {"hands": 2, "rule_sets": 3, "replays": 6, "answers": 6, "replay_traits": 6}
    assert [store.delete(kept[number].replay) for number in (0, 0, 1)] == [True, False, True]
    assert rows(path) == {"hands": 2, "rule_sets": 3, "replays": 4, "answers": 4, "replay_traits": 4}
    store.delete(kept[2].replay)
    assert rows(path) == {"hands": 1, "rule_sets": 3, "replays": 3, "answers": 3, "replay_traits": 3}
    assert {stored.question for stored in store.walk(Filters())} == {record.question for record in kept[3:]}
    store.delete(kept[3].replay)
    assert rows(path) == {"hands": 1, "rule_sets": 2, "replays": 2, "answers": 2, "replay_traits": 2}
    for record in kept[4:]:
        store.delete(record.replay)
    assert set(rows(path).values()) == {0}
    assert check_whole(path) == set()
    assert store.keep(kept) == [True] * 6


@pytest.mark.parametrize("same_store", [True, False])
def test_what_is_deleted_is_new_when_it_is_kept_again(path, store, opened, same_store):
    (record,) = records(1)
    other = store if same_store else opened(path)
    for _ in range(3):
        assert store.keep([record]) == [True]
        assert other.keep([record]) == [False]
        assert other.delete(record.replay)
        assert store.get(record.replay) is None
        assert set(rows(path).values()) == {0}


def test_what_cannot_be_kept_leaves_nothing(path, store):
    first, second = records(2)
    for spoiled in (
        replace(second, replay=second.replay[:31]),
        replace(second, answer=Answer("0.1.0", None)),
        replace(second, traits=("outcome=settled", None)),
    ):
        with pytest.raises(Exception, match=r"damaged|cannot be used|bytes-like|NoneType"):
            store.keep([first, spoiled])
        store.open()
        assert set(rows(path).values()) == {0}
    assert store.keep([first, second]) == [True, True]
    assert len(check_whole(path)) == 2


def test_the_text_of_what_is_kept_is_never_taken_for_anything_else(path, store):
    names = ["players=1'; DROP TABLE traits; --", "cites=%", "outcome=", "ended_by=\0", "players=∀"]
    odd = [asked(b"\0\xff'" + bytes([number]), b"", name) for number, name in enumerate(names)]
    store.keep(odd)
    assert [stored.question.hand for stored in store.walk(Filters())] == [record.question.hand for record in odd[::-1]]
    assert store.find(Filters(cites="%"), None, 5)[0].question == odd[1].question
    assert store.find(Filters(cites="_"), None, 5) == []
    assert len(check_whole(path)) == len(names)


def test_times_never_go_down_when_the_clock_is_set_back(path, opened):
    times = iter([5000, 3000, 0, 7000, 6000, -1])
    store = opened(path, now=lambda: next(times))
    kept = records(6)
    for record in kept:
        store.keep([record])
    assert [store.get(record.replay).kept for record in kept] == [5000, 5000, 5000, 7000, 7000, 7000]
    store.close()
    late = opened(path, now=lambda: 10)
    late.keep(records(7)[6:])
    assert late.get(records(7)[6].replay).kept == 7000
    assert len(check_whole(path)) == 7


def test_two_stores_on_one_file_agree_on_the_order(path, opened):
    ahead, behind = opened(path, now=lambda: 9000), opened(path, now=lambda: 1000)
    kept = records(6)
    for place, record in enumerate(kept):
        (ahead, behind)[place % 2].keep([record])
    assert [stored.kept for stored in ahead.walk(Filters())] == [9000] * 6
    assert [stored.id for stored in behind.walk(Filters())] == [record.replay.hex() for record in kept[::-1]]


def test_stores_that_take_turns_on_one_file_never_mistake_what_another_changed(path, opened):
    chance = dice()
    stores = [opened(path) for _ in range(3)]
    possible = [asked(b"hand %d" % hand, b"rules %d" % rules) for hand in range(4) for rules in range(4)]
    there = set()
    for _ in range(either(300, soak=10_000)):
        store, some = chance.choice(stores), chance.sample(possible, chance.randrange(1, 6))
        if chance.random() < 0.6:
            assert store.keep(some) == [record.replay not in there for record in some]
            there |= {record.replay for record in some}
        else:
            assert store.delete(some[0].replay) == (some[0].replay in there)
            there.discard(some[0].replay)
        assert chance.choice(stores).count() == len(there)
    assert check_whole(path) == {replay.hex() for replay in there}
    assert {stored.question for stored in stores[0].walk(Filters())} == {
        record.question for record in possible if record.replay in there
    }
