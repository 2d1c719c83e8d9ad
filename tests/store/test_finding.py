"""Finding: every filter, alone and with others, against a plain list; and pages while the store changes."""

from itertools import count, product
from random import Random

import pytest

from replays import finding
from replays.answers import Answer
from replays.canonical import Question
from replays.finding import Filters
from replays.records import Record
from tests.store.soaking import dice, either

KINDS = {
    "outcome": ("settled", "refused"),
    "ended_by": ("knock", "declare", "stock"),
    "players": (2, 3),
    "cites": ("lose.lowest", "tie.knocker", "lose"),
}


class Model:
    """A list of what is kept, the oldest first, beside the store."""

    def __init__(self, store, chance):
        self.store, self.chance = store, chance
        self.kept = []
        self._numbers = count()

    def keep(self, count=1):
        made = [self._made() for _ in range(count)]
        self.store.keep([record for record, _ in made])
        self.kept += [(record, had, self.store.get(record.replay).kept) for record, had in made]

    def _made(self):
        question = Question(b"hand %d" % next(self._numbers), b"rules %d" % self.chance.randrange(3))
        had = {kind: self.chance.choice(values) for kind, values in KINDS.items() if self.chance.random() < 0.8}
        traits = tuple(f"{kind}={value}" for kind, value in had.items())
        return Record(question.digest, question, Answer("0.1.0", b"{}"), traits), had

    def delete(self):
        record, _, _ = self.kept.pop(self.chance.randrange(len(self.kept)))
        assert self.store.delete(record.replay)

    def expected(self, filters):
        return [record.replay.hex() for record, had, kept in self.kept[::-1] if fits(record, had, kept, filters)]

    def found(self, filters):
        return [stored.id for stored in self.store.walk(filters)]


def fits(record, had, kept, filters):
    return (
        all(getattr(filters, kind) in {None, had.get(kind)} for kind in KINDS)
        and filters.rule_set in {None, record.question.rule_set}
        and (filters.since is None or kept >= filters.since)
        and (filters.until is None or kept < filters.until)
    )


@pytest.fixture
def clock():
    return iter(count(1000, 10))


@pytest.fixture
def model(path, opened, clock):
    chance = dice()
    # at times the clock stands still, or is set back
    return Model(opened(path, now=lambda: next(clock) - chance.choice((0, 0, 10, 50))), chance)


def some_filters(chance):
    wanted = {kind: chance.choice(values) for kind, values in KINDS.items() if chance.random() < 0.3}
    rules = Question(b"", b"rules %d" % chance.randrange(4)).rule_set if chance.random() < 0.3 else None
    since, until = (chance.randrange(900, 2500) if chance.random() < 0.3 else None for _ in range(2))
    return Filters(rules, since=since, until=until, **wanted)


def test_what_is_found_is_what_fits(model):
    for size in (1, 1, 2, 3) * 15:
        model.keep(size)
    for _ in range(20):
        model.delete()
    for _ in range(either(200, soak=10_000)):
        filters = some_filters(model.chance)
        assert model.found(filters) == model.expected(filters)


def test_each_filter_by_itself_and_all_pairs(model):
    for size in (1, 5) * 10:
        model.keep(size)
    singles = [Filters(**{kind: value}) for kind, values in KINDS.items() for value in values]
    singles += [Filters(Question(b"", b"rules %d" % number).rule_set) for number in range(4)]
    singles += [Filters(since=time) for time in (0, 1200, 5000)] + [Filters(until=time) for time in (0, 1200, 5000)]
    for first, second in product(singles, repeat=2):
        both = Filters(*[a if b is None else b for a, b in zip(parts(first), parts(second), strict=True)])
        assert model.found(both) == model.expected(both)


def parts(filters):
    return [getattr(filters, name) for name in filters.__struct_fields__]


def test_what_was_never_kept_is_not_found(model):
    model.keep()
    assert model.store.get(bytes(32)) is None
    assert model.store.find(Filters(cites="no.such.rule"), None, 5) == []
    assert model.store.find(Filters(rule_set=bytes(32)), None, 5) == []


def test_times_at_the_edge(path, opened):
    times = iter([1000, 1000, 2000])
    model = Model(opened(path, now=lambda: next(times)), Random(1))
    for _ in range(3):
        model.keep()
    first, second, third = (record.replay.hex() for record, _, _ in model.kept)
    assert model.found(Filters(since=1000)) == [third, second, first]
    assert model.found(Filters(since=1001)) == model.found(Filters(since=2000)) == [third]
    assert model.found(Filters(until=1000)) == model.found(Filters(since=2001)) == []
    assert model.found(Filters(since=1000, until=2000)) == [second, first]
    assert model.found(Filters(since=2000, until=1000)) == []


def page_ids(store, filters, before, limit):
    found = store.find(filters, before, limit)
    return [stored.id for stored in found], (found[-1].row if found else None)


def test_pages_show_everything_once_while_replays_come_and_go(model):
    chance = model.chance
    for _ in range(either(12, soak=500)):
        model.keep(40 - len(model.kept))
        while len(model.kept) > 40:
            model.delete()
        filters = some_filters(chance) if chance.random() < 0.5 else Filters()
        there_from_the_beginning = model.expected(filters)
        seen, before, deleted = [], None, set()
        while True:
            page, last = page_ids(model.store, filters, before, chance.randrange(1, 9))
            if not page:
                break
            seen += page
            before = last
            for _ in range(chance.randrange(3)):
                model.keep()
            if chance.random() < 0.5:
                before_that = {record.replay.hex() for record, _, _ in model.kept}
                model.delete()
                deleted |= before_that - {record.replay.hex() for record, _, _ in model.kept}
        assert len(seen) == len(set(seen))
        assert set(there_from_the_beginning) - set(seen) <= deleted
        assert set(seen) <= set(there_from_the_beginning)


def test_a_walk_is_as_long_as_the_store(model):
    model.keep(250)
    model.delete()
    assert model.found(Filters()) == model.expected(Filters())
    assert model.store.count() == 249


def test_what_is_read_is_of_one_moment(model, monkeypatch):
    """Another program deletes a replay between the statements that read it."""
    model.keep()
    replay = model.kept[0][0].replay
    read = finding._stored  # noqa: SLF001 - called between two statements
    deletions = iter([True])

    def read_late(*arguments):
        if next(deletions, False):
            assert model.store.delete(replay)
        return read(*arguments)

    monkeypatch.setattr(finding, "_stored", read_late)
    assert model.store.get(replay).sound
    assert model.store.get(replay) is None
