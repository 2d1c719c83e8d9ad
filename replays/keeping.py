"""Keeping: the statements that write to the store."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct

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
        self._rule_sets: dict[bytes, int] = {}
        """Rows of rule sets that are known to be there, by content: nobody else writes during a transaction."""
        self._newest: int | None = None
        """The time of the newest replay, likewise. Times grow with the ids, even if the clock is set back."""

    def begin(self) -> None:
        """Begin a transaction, and wait for other programs to end theirs."""
        self._newest = None
        self._rule_sets.clear()
        begin(self._db)

    def commit(self) -> None:
        """End the transaction; what was done in it is on disk then, in the file that others find."""
        self._run("COMMIT")
        if not self._db.is_at_its_path():
            raise StoreError("The store's file was moved, replaced or deleted while it was in use.")

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
        known |= {replay: (row, kept) for row, replay in enumerate(new, start=self._last_row(_OF_REPLAYS) + 1)}
        self._insert_questions([(known[replay][0], record) for replay, record in new.items()], kept)
        self._insert_answers([(*known[record.replay], record) for record in records])
        return [new.pop(record.replay, None) is not None for record in records]

    def delete(self, replay: bytes) -> bool:
        """Delete a replay, and its hand and rule set if no other replay has them; return whether there was one."""
        self._rule_sets.clear()
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
        if self._newest is None:
            newest = self._run(_NEWEST).fetchall()
            self._newest = next((kept for seen, kept, *sealed in newest if is_sealed(seen, kept, *sealed)), 0)
        self._newest = max(now, self._newest)
        return self._newest

    def _known(self, replays: Sequence[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return the row of each replay that is there, and when it was kept."""
        rows = self._look_up("SELECT digest, id, kept FROM replays", replays)
        return {replay: (_number(row), _number(kept)) for replay, row, kept in rows}

    def _insert_questions(self, numbered: Sequence[tuple[int, Record]], kept: int) -> None:
        """Insert new questions as these rows, with their hands and rule sets where these are new."""
        hands = self._rows_of_hands([record.question.hand for _, record in numbered])
        rows = []
        for row, record in numbered:
            question = record.question
            if question.rules not in self._rule_sets:
                self._rule_sets[question.rules] = self._row_of_rules(question.rules)
            rule_set = self._rule_sets[question.rules]
            rows.append((row, record.replay, question.format, hands[question.hand], rule_set, kept))
        self._insert("INSERT INTO replays (id, digest, format, hand, rule_set, kept)", rows)

    def _insert_answers(self, numbered: Sequence[tuple[int, int, Record]]) -> None:
        """Insert the answers that are not known to the replays of these rows and times, and what they are found by."""
        rows = [
            (
                row,
                record.answer.engine,
                record.answer.digest,
                record.answer.content,
                seal(record.replay, kept, record.answer.engine),
            )
            for row, kept, record in numbered
        ]
        added = set(self._insert("INSERT INTO answers (replay, engine, digest, content, seal)", rows, _NEW))
        pairs = {
            (self._trait(name), row)
            for row, _, record in numbered
            if (row, record.answer.engine, record.answer.digest) in added
            for name in record.traits
        }
        self._insert("INSERT INTO replay_traits (trait, replay)", sorted(pairs), "ON CONFLICT DO NOTHING")

    def _rows_of_hands(self, contents: Sequence[bytes]) -> dict[bytes, int]:
        """Return the rows that hold these hands, new or known."""
        digests = {content: digest(content) for content in contents}
        known = dict(self._look_up("SELECT digest, id FROM hands", list(digests.values())))
        new = [(content, noted) for content, noted in digests.items() if noted not in known]
        rows = [(row, noted, content) for row, (content, noted) in enumerate(new, start=self._last_row(_OF_HANDS) + 1)]
        self._insert("INSERT INTO hands (id, digest, content)", rows)
        known |= {noted: row for row, noted, _ in rows}
        return {content: _number(known[noted]) for content, noted in digests.items()}

    def _row_of_rules(self, content: bytes) -> int:
        """Return the row that holds this rule set, new or known."""
        noted = digest(content)
        self._run("INSERT INTO rule_sets (digest, content) VALUES (?, ?) ON CONFLICT DO NOTHING", [noted, content])
        return _number(self._run("SELECT id FROM rule_sets WHERE digest = ?", [noted]).fetchone()[0])

    def _trait(self, name: str) -> int:
        """Return the row of a trait, new or known."""
        if name not in self._traits:
            self._run("INSERT INTO traits (name) VALUES (?) ON CONFLICT DO NOTHING", [name])
            self._traits[name] = _number(self._run("SELECT id FROM traits WHERE name = ?", [name]).fetchone()[0])
        return self._traits[name]

    def _last_row(self, select: str) -> int:
        """Return the last row that was used; 0 if none was."""
        (row,) = self._run(select).fetchone()
        return _number(row)

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


_OF_REPLAYS = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'replays'"
"""Of replays, also those that have been deleted: their rows are not used again."""
_OF_HANDS = "SELECT coalesce(max(id), 0) FROM hands"
_NEW = "ON CONFLICT DO NOTHING RETURNING replay, engine, digest"
_MOST_AT_ONCE = 64
"""Rows of one statement at the most."""


def _in_steps(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the rows in steps of 64, 32, 16 and so on, so that there are few different statements to prepare."""
    first, step = 0, _MOST_AT_ONCE
    while first < len(rows):
        while step > len(rows) - first:
            step //= 2
        yield rows[first : first + step]
        first += step


@lru_cache
def _selecting(select: str, number: int) -> str:
    """Return the statement that looks up so many digests; kept, since it is long."""
    return f"{select} WHERE digest IN {_marks(number)}"


@lru_cache
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
