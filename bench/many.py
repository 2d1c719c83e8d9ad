"""A store with many replays: looking up and listing may not slow down, and an import has to keep up with judging."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from msgspec.structs import replace

from api.choice import rules_of
from bench.inprocess import decode, judge, right_answers
from bench.logs import Log, below, shuffled, standard_logs
from bench.report import Finding, Section, Target
from bench.rounds import Plan, WrongAnswerError, cpu_time, interleaved, microseconds, quotients
from replays.archive import line_of, records_in
from replays.finding import Filters
from replays.lines import Line
from replays.records import Record, record_of
from replays.store import Store
from schemas.hand import HandLog

FEW = 1_000
MANY = 1_000_000
MANY_IF_QUICK = 50_000
TURNS = 8
"""Turns of a hand in the store: as many as people play before somebody knocks."""
_CHUNK = 500
_MEGABYTE = 1_000_000
_LOOK_UPS = 200
_PAGES = 20
_IMPORTED = 2_000


def measure(_logs: Sequence[Log], plan: Plan) -> Section:
    """Measure a store with many replays against one with few, and an import against judging."""
    many = MANY if plan.rounds > 3 else MANY_IF_QUICK
    with TemporaryDirectory(prefix="thirtyone-bench-") as folder:
        began = perf_counter()
        few_store, few_ids = _filled(Path(folder) / "few.sqlite", FEW)
        many_store, many_ids = _filled(Path(folder) / "many.sqlite", many)
        built = perf_counter() - began
        size = sum(path.stat().st_size for path in Path(folder).glob("many.sqlite*")) / many
        _read_through(Path(folder))
        measured = interleaved(
            plan,
            {
                "look-up few": partial(_look_up, few_store, few_ids),
                "look-up many": partial(_look_up, many_store, many_ids),
                "list few": partial(_list, few_store, Filters()),
                "list many": partial(_list, many_store, Filters()),
                "find few": partial(
                    _list, few_store, Filters(outcome="settled", cites="lose.knocker-alone", players=4)
                ),
                "find many": partial(
                    _list, many_store, Filters(outcome="settled", cites="lose.knocker-alone", players=4)
                ),
            },
        )
        few_store.close()
        many_store.close()
        imported = _measure_import(Path(folder), plan)
    return Section(
        f"Store ({many:,} replays, and {FEW:,} to compare with)",
        [
            f"filled in {built:,.0f} s; {size:,.0f} bytes a replay",
            *[f"{name}: {microseconds(times)}" for name, times in measured.items()],
            *[f"{name}: {microseconds(times)} a hand" for name, times in imported.items()],
        ],
        [
            Finding(
                f"{what}, {many:,} replays / {FEW:,}",
                quotients(measured[f"{name} many"], measured[f"{name} few"]),
                Target(2, at_most=True),
            )
            for name, what in (
                ("look-up", "look-up by id"),
                ("list", "the newest 50"),
                ("find", "the newest 50 that fit"),
            )
        ]
        + [
            Finding(
                "import / judging in process, replays a second of CPU",
                quotients(imported["judge"], imported["import"]),
                Target(1 / 3, at_most=False),
            )
        ],
    )


def _filled(path: Path, count: int) -> tuple[Store, list[bytes]]:
    """Return a store with so many replays, and the ids of some of them, from everywhere in it."""
    store = Store(path)
    ids: list[bytes] = []
    step = max(1, count // 10_000)
    for chunk in _chunks(count):
        if not all(store.keep(chunk)):
            raise WrongAnswerError("A generated hand was not new.")
        ids += [record.replay for record in chunk[::step]]
    if store.count() != count:
        raise WrongAnswerError(f"{count} replays were kept, but {store.count()} are there.")
    return store, ids


def _read_through(folder: Path) -> None:
    """Have the system hold both files in its memory, as it does with the small one anyway: the disk is not measured."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            while file.read(_MEGABYTE):
                pass


def _chunks(count: int) -> Iterator[list[Record]]:
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_records, range(0, count, _CHUNK))


def _records(seed: int) -> list[Record]:
    """Return a chunk of records: hands that were played, each at ten tables whose players have other lives."""
    logs = standard_logs(_CHUNK // 10, seed, TURNS)
    return list(chain.from_iterable(_at_ten_tables(log, Random(seed)) for log in logs))


def _at_ten_tables(log: Log, random: Random) -> Iterator[Record]:
    request = decode(log.body)
    hand, rules = request.hand, rules_of(request.rules).rules
    if not isinstance(hand, HandLog):
        raise TypeError(hand)
    for lives in range(1, 11):
        players = tuple(
            replace(player, lives=lives if seat == 0 else 1 + below(random, 9))
            for seat, player in enumerate(hand.players)
        )
        yield record_of(replace(hand, players=players), rules)


def _look_up(store: Store, ids: Sequence[bytes]) -> float:
    """Return the seconds that looking up one replay takes."""
    asked = shuffled(Random(perf_counter()), ids)[:_LOOK_UPS]
    began = perf_counter()
    found = [store.get(replay) for replay in asked]
    took = perf_counter() - began
    if not all(stored and stored.sound for stored in found):
        raise WrongAnswerError("A replay that was kept is not found, or is damaged.")
    return took / _LOOK_UPS


def _list(store: Store, filters: Filters) -> float:
    """Return the seconds that one page of the newest takes; pages follow each other."""
    began, before, rows = perf_counter(), None, []
    for _ in range(_PAGES):
        page = store.find(filters, before, 50)
        rows += [stored.row for stored in page]
        if len(page) < 50:
            break
        before = rows[-1]
    took = perf_counter() - began
    if not rows or rows != sorted(set(rows), reverse=True):
        raise WrongAnswerError("A list is empty or not in order.")
    return took / -(-len(rows) // 50)


def _measure_import(folder: Path, plan: Plan) -> dict[str, list[float]]:
    """Return the CPU seconds of an import, and of judging the same hands, by the hand."""
    logs = standard_logs(_IMPORTED, 33)
    source = Store(folder / "source.sqlite")
    requests = [decode(log.body) for log in logs]
    source.keep([record_of(request.hand, rules_of(request.rules).rules) for request in requests])
    lines = [Line(number, line_of(stored)) for number, stored in enumerate(source.walk(Filters()), start=1)]
    source.close()
    bodies, answers = [log.body for log in logs], right_answers(logs)
    targets = iter(range(plan.rounds))
    return interleaved(
        plan,
        {
            "import": lambda: _import(folder / f"target-{next(targets)}.sqlite", lines),
            "judge": lambda: cpu_time(judge, bodies, answers, plan.seconds / 10),
        },
    )


def _import(path: Path, lines: Sequence[Line]) -> float:
    store = Store(path)
    began = process_time()
    for first in range(0, len(lines), _CHUNK):
        store.keep(list(chain.from_iterable(records_in(line) for line in lines[first : first + _CHUNK])))
    took = process_time() - began
    if store.count() != len(lines):
        raise WrongAnswerError("Not every line was imported.")
    store.close()
    return took / len(lines)
