"""Keeping: the statements that write to the store."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from replays.canonical import digest
from replays.connection import Connection, begin
from replays.faults import DAMAGED, StoreError
from replays.records import Record
from replays.seals import is_sealed, seal

T = TypeVar("T")


class Keeper:
    """A connection that writes. What its methods do is durable after `commit`, and undone by `close` without it."""

    def __init__(self, db: Connection) -> None:
        """Take over a connection of `open_to_write`."""
        self._db = db
        self._run = db.conn.execute
        self._traits: dict[str, int] = {}
        """Rows of traits that are known to be there: they are never deleted."""
        self._seen = _Seen()
        self._written_back = 0
        """Changes that had been made when the log was last written back."""

    def begin(self) -> None:
        """Begin a transaction, and wait for other programs to end theirs."""
        begin(self._db)
        version = self._read("PRAGMA data_version")
        if version != self._seen.version or len(self._seen.rule_sets) > _MOST_RULE_SETS:
            self._seen = _Seen(version)

    def commit(self) -> None:
        """End the transaction; what was done in it is on disk then, in the file that others find."""
        self._run("COMMIT")
        if not self._db.is_at_its_path():
            raise StoreError("The store's file was moved, replaced or deleted while it was in use.")

    def write_back(self) -> None:
        """Write what is in the log into the file itself, if it has become much; what it says is on disk already.

        SQLite would do so within a commit, and whoever is told after it would wait for that, too.
        """
        changes = self._db.conn.total_changes
        if changes - self._written_back >= _MANY_CHANGES:
            self._written_back = changes
            self._run("PRAGMA wal_checkpoint")

    def close(self) -> None:
        """Close the connection, and undo what was not committed."""
        self._db.close()

    def keep(self, records: Sequence[Record], now: int) -> list[bool]:
        """Keep what is not known yet; return of each record whether its question was new.

        `now` is in milliseconds since 1970. An answer that is known already is never written over.
        """
        kept = self._time_to_note(now)
        known = self._known([record.replay for record in records])
        new = {record.replay: record for record in records if record.replay not in known}
        known |= {replay: (row, kept) for replay, row in zip(new, self._new_rows(_REPLAYS, len(new)), strict=True)}
        self._insert_questions([(known[replay][0], record) for replay, record in new.items()], kept)
        self._insert_answers([(*known[record.replay], record) for record in records])
        return [new.pop(record.replay, None) is not None for record in records]

    def delete(self, replay: bytes) -> bool:
        """Delete a replay, and its hand and rule set if no other replay has them; return whether there was one."""
        self._seen.rule_sets.clear()
        found = self._run("DELETE FROM replays WHERE digest = ? RETURNING hand, rule_set", [replay]).fetchall()
        for hand, rule_set in found:
            self._run(
                "DELETE FROM hands WHERE id = ? AND id NOT IN (SELECT hand FROM replays WHERE hand = ?)", [hand, hand]
            )
            self._run(
                "DELETE FROM rule_sets WHERE id = ? AND id NOT IN (SELECT rule_set FROM replays WHERE rule_set = ?)",
                [rule_set, rule_set],
            )
        return bool(found)

    def probe(self) -> None:
        """Write something, to find out whether that is possible."""
        self._run("UPDATE probes SET count = count + 1")

    def _time_to_note(self, now: int) -> int:
        """Return now, or the time of the newest replay if the clock was set back: times grow with the ids."""
        if self._seen.newest is None:
            newest = self._run(_NEWEST).fetchall()
            self._seen.newest = next((kept for seen, kept, *sealed in newest if is_sealed(seen, kept, *sealed)), 0)
        self._seen.newest = max(now, self._seen.newest)
        return self._seen.newest

    def _known(self, replays: Sequence[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return the row of each replay that is there, and when it was kept."""
        rows = self._look_up(_REPLAYS.look_up, replays)
        return {replay: (_number(row), _number(kept)) for replay, row, kept in rows}

    def _insert_questions(self, numbered: Sequence[tuple[int, Record]], kept: int) -> None:
        """Insert new questions as these rows, with their hands and rule sets where these are new."""
        questions = [record.question for _, record in numbered]
        hands = self._rows_of(_HANDS, [question.hand for question in questions])
        rule_sets = self._seen.rule_sets
        rule_sets |= self._rows_of(_RULE_SETS, [each.rules for each in questions if each.rules not in rule_sets])
        rows = [
            (row, record.replay, question.format, hands[question.hand], rule_sets[question.rules], kept)
            for (row, record), question in zip(numbered, questions, strict=True)
        ]
        self._insert(_REPLAYS.insert, rows)

    def _insert_answers(self, numbered: Sequence[tuple[int, int, Record]]) -> None:
        """Insert the answers that are not known to the replays of these rows and times, and what they are found by."""
        rows = []
        for row, kept, record in numbered:
            given, sealed = record.answer, seal(record.replay, kept, record.answer.engine)
            rows.append((row, given.engine, given.digest, given.content, sealed))
        added = set(self._insert("INSERT INTO answers (replay, engine, digest, content, seal)", rows, _NEW))
        traits = [
            (self._trait(name), row[0])
            for row, (_, _, record) in zip(rows, numbered, strict=True)
            if row[:3] in added
            for name in record.traits
        ]
        self._insert("INSERT INTO replay_traits (trait, replay)", traits, "ON CONFLICT DO NOTHING")

    def _rows_of(self, table: "_Table", contents: Sequence[bytes]) -> dict[bytes, int]:
        """Return the rows of a table that hold these contents, new or known."""
        digests = {content: digest(content) for content in contents}
        known = dict(self._look_up(table.look_up, list(digests.values())))
        new = [(noted, content) for content, noted in digests.items() if noted not in known]
        rows = [(row, *each) for row, each in zip(self._new_rows(table, len(new)), new, strict=True)]
        self._insert(table.insert, rows)
        known |= {noted: row for row, noted, _ in rows}
        return {content: _number(known[noted]) for content, noted in digests.items()}

    def _trait(self, name: str) -> int:
        """Return the row of a trait, new or known."""
        if name not in self._traits:
            self._run("INSERT INTO traits (name) VALUES (?) ON CONFLICT DO NOTHING", [name])
            self._traits[name] = _number(self._run("SELECT id FROM traits WHERE name = ?", [name]).fetchone()[0])
        return self._traits[name]

    def _new_rows(self, table: "_Table", number: int) -> range:
        """Return so many rows for a table to get."""
        last = self._seen.last_rows
        if table not in last:
            last[table] = self._read(table.last_row)
        first = last[table] + 1
        last[table] += number
        return range(first, first + number)

    def _read(self, select: str) -> int:
        """Return the one number that a statement asks for."""
        (value,) = self._run(select).fetchone()
        return _number(value)

    def _look_up(self, select: str, digests: Sequence[bytes]) -> list[tuple[Any, ...]]:
        """Return the rows with these digests."""
        found = []
        for some in _in_steps(digests):
            found += self._run(_selecting(select, len(some)), some).fetchall()
        return found

    def _insert(self, insert: str, rows: Sequence[tuple[object, ...]], rest: str = "") -> list[tuple[Any, ...]]:
        """Insert rows, many with each statement; return what `rest` asks for.

        SQLite lets go of the interpreter with every statement, and it costs more to get it back than to insert a row.
        """
        returned = []
        for some in _in_steps(rows):
            statement = _inserting(insert, len(some[0]), len(some), rest)
            returned += self._run(statement, list(chain.from_iterable(some))).fetchall()
        return returned


class Keep(Struct, frozen=True):
    """Keeping records, as a piece of work. Several such pieces can be done as one, which costs less."""

    records: Sequence[Record]
    now: int

    def __call__(self, keeper: Keeper) -> list[bool]:
        """Return of each record whether its question was new."""
        return keeper.keep(self.records, self.now)


class _Table(NamedTuple):
    """The statements for a table whose rows are found by their digest."""

    last_row: str
    look_up: str
    insert: str


_HANDS = _Table(
    "SELECT coalesce(max(id), 0) FROM hands",
    "SELECT digest, id FROM hands",
    "INSERT INTO hands (id, digest, content)",
)
_RULE_SETS = _Table(
    "SELECT coalesce(max(id), 0) FROM rule_sets",
    "SELECT digest, id FROM rule_sets",
    "INSERT INTO rule_sets (id, digest, content)",
)
_REPLAYS = _Table(
    # Of all, also those that have been deleted: their rows are not used again.
    "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'replays'",
    "SELECT digest, id, kept FROM replays",
    "INSERT INTO replays (id, digest, format, hand, rule_set, kept)",
)


class _Seen(Struct):
    """What was seen in the file. It stays so until another program writes, which gives the file another version."""

    version: int | None = None
    newest: int | None = None
    """The time of the newest replay. Times grow with the ids, even if the clock is set back."""
    last_rows: dict[_Table, int] = field(default_factory=dict)
    rule_sets: dict[bytes, int] = field(default_factory=dict)
    """Rows of rule sets, by content."""


_MANY_CHANGES = 2000
"""Rows: those of some two hundred replays."""
_MOST_RULE_SETS = 1000
"""Rule sets to remember."""
_NEW = "ON CONFLICT DO NOTHING RETURNING replay, engine, digest"
_STEPS = (64, 32)
"""Rows of one statement, where there are so many; fewer are done at once, so that there are few statements to know."""


def _in_steps(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the rows in steps of 64, then 32, then whatever is left."""
    first = 0
    while first < len(rows):
        left = len(rows) - first
        step = next((step for step in _STEPS if step <= left), left)
        yield rows[first : first + step]
        first += step


@cache
def _selecting(select: str, number: int) -> str:
    """Return the statement that looks up so many digests; kept, since it is long."""
    return f"{select} WHERE digest IN {_marks(number)}"


@cache
def _inserting(insert: str, columns: int, rows: int, rest: str) -> str:
    """Return the statement that inserts so many rows; kept, since it is long."""
    return f"{insert} VALUES {', '.join([_marks(columns)] * rows)} {rest}"


def _marks(number: int) -> str:
    """Return so many marks for values, in brackets."""
    return f"({', '.join('?' * number)})"


_NEWEST = """
    SELECT replays.digest, replays.kept, answers.engine, answers.seal
    FROM (SELECT * FROM replays ORDER BY id DESC LIMIT 10) AS replays JOIN answers ON answers.replay = replays.id
    ORDER BY replays.id DESC
"""
"""The newest replays: a damaged time among them is no reason to give other replays a wrong one."""


def _number(value: object) -> int:
    """Return a number that was read; in a damaged file, something else may have been."""
    if not isinstance(value, int) or abs(value) > _GREATEST:
        raise StoreError(DAMAGED)
    return value


_GREATEST = 2**53
"""No row and no time comes to as much."""
