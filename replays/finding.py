"""Finding: the statements that read from the store. They are run inside one transaction, so that they agree."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from sqlite_utils import Database

from replays.answers import Answer, by_version, trait
from replays.canonical import Question, digest
from replays.faults import DAMAGED, StoreError
from replays.seals import is_sealed


class Stored(Struct, frozen=True):
    """A replay as it is stored."""

    row: int
    """Its place in the store: greater for a newer replay."""
    id: str
    question: Question
    kept: int
    """Milliseconds since 1970, in UTC."""
    answers: tuple[Answer, ...]
    """The answers by version of the engine, the oldest first; there is at least one."""
    sound: bool
    """Whether everything here is what was kept. If not, nothing but the id can be relied upon."""


class Filters(Struct, frozen=True, omit_defaults=True):
    """What replays are looked for; what is None is not asked about."""

    rule_set: bytes | None = None
    """The SHA-256 of a rule set's canonical bytes."""
    outcome: str | None = None
    ended_by: str | None = None
    cites: str | None = None
    players: int | None = None
    since: int | None = None
    """Kept at this time or later, in milliseconds since 1970."""
    until: int | None = None
    """Kept before this time."""

    def traits(self) -> list[str]:
        """Return the traits that a replay must have."""
        kinds = ("outcome", "ended_by", "cites", "players")
        return [trait(kind, value) for kind in kinds if (value := getattr(self, kind)) is not None]


_COLUMNS = """
    SELECT replays.id, replays.digest, replays.format, replays.kept, hands.content, rule_sets.content
    FROM replays LEFT JOIN hands ON hands.id = replays.hand LEFT JOIN rule_sets ON rule_sets.id = replays.rule_set
"""
_ANSWERS = "SELECT engine, content, digest, seal FROM answers WHERE replay = ? ORDER BY id"


def get(db: Database, replay: bytes) -> Stored | None:
    """Return a replay, or None."""
    row = db.conn.execute(f"{_COLUMNS} WHERE replays.digest = ?", [replay]).fetchone()
    return _stored(db, row, replay) if row else None


def find(db: Database, filters: Filters, before: int | None, limit: int) -> list[Stored]:
    """Return the newest replays that fit, at most so many, from below the row `before` if it is given."""
    ids = _fitting(db, filters, before, limit)
    if not ids:
        return []
    marks = ", ".join("?" * len(ids))
    rows = db.conn.execute(f"{_COLUMNS} WHERE replays.id IN ({marks}) ORDER BY replays.id DESC", ids).fetchall()
    if [row[0] for row in rows] != ids or (before is not None and ids[0] >= before):
        raise StoreError(DAMAGED)  # an index names a replay that is not there, or rows are out of order
    return [_stored(db, row) for row in rows]


def count(db: Database) -> int:
    """Return how many replays there are; it takes time in proportion."""
    (number,) = db.conn.execute("SELECT count(*) FROM replays").fetchone()
    return int(number)


def last_row(db: Database) -> int:
    """Return the row of the newest replay; 0 if there is none."""
    (row,) = db.conn.execute("SELECT coalesce(max(id), 0) FROM replays").fetchone()
    return int(row)


def faults(db: Database) -> list[str]:
    """Return what SQLite finds wrong with the file, its indexes included; it reads all of it."""
    found = [text for (text,) in db.conn.execute("PRAGMA integrity_check(100)")]
    return [] if found == ["ok"] else found


_WITH_TRAIT = "SELECT replay AS row FROM replay_traits WHERE trait = (SELECT id FROM traits WHERE name = ?)"
_WITH_RULES = "SELECT id AS row FROM replays WHERE rule_set = (SELECT id FROM rule_sets WHERE digest = ?)"
_EVERY_ONE = "SELECT id AS row FROM replays WHERE 1 = ?"
_ENOUGH = 1000
"""Entries from which on an index is simply long: to count further would cost more than it tells."""


def _fitting(db: Database, filters: Filters, before: int | None, limit: int) -> list[int]:
    """Return the rows of the newest replays that fit.

    Every filter has an index that is in the order of the rows. The shortest leads, and the others are looked up for
    each of its rows.
    """
    sources: list[tuple[str, object]] = [(_WITH_TRAIT, name) for name in filters.traits()]
    if filters.rule_set is not None:
        sources.append((_WITH_RULES, filters.rule_set))
    (lead, value), *others = sorted(sources, key=lambda each: _length(db, *each)) or [(_EVERY_ONE, 1)]
    fits = "EXISTS (SELECT 1 FROM ({}) AS other WHERE other.row = lead.row)"
    conditions = [fits.format(source) for source, _ in others]
    values = [value, *[value for _, value in others]]
    for comparison, bound in _bounds(db, filters, before):
        conditions.append(f"lead.row {comparison} ?")
        values.append(bound)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT row FROM ({lead}) AS lead {where} ORDER BY row DESC LIMIT ?"  # noqa: S608 - all text is above
    return [row for (row,) in db.conn.execute(sql, [*values, limit])]


def _length(db: Database, source: str, value: object) -> int:
    sql = f"SELECT count(*) FROM (SELECT 1 FROM ({source}) LIMIT {_ENOUGH})"  # noqa: S608 - all text is above
    return int(db.conn.execute(sql, [value]).fetchone()[0])


def _bounds(db: Database, filters: Filters, before: int | None) -> Iterator[tuple[str, int]]:
    """Yield the comparisons that rows must pass. Times grow with the rows, so that a time is a row as well."""
    if before is not None:
        yield "<", before
    first = "SELECT id FROM replays WHERE kept >= ? ORDER BY kept, id LIMIT 1"
    if filters.since is not None:
        row = db.conn.execute(first, [filters.since]).fetchone()
        yield ">=", row[0] if row else _BEYOND
    if filters.until is not None and (row := db.conn.execute(first, [filters.until]).fetchone()):
        yield "<", row[0]


_BEYOND = 2**62


def _stored(db: Database, row: tuple[Any, ...], asked: bytes | None = None) -> Stored:
    """Return what was read of a replay. In a damaged file, any of it may be of another type than it was."""
    number, noted, form, kept, hand, rules = row
    replay = asked or noted
    question = Question(hand, rules, form)
    answers = db.conn.execute(_ANSWERS, [number]).fetchall()
    try:
        sound = (
            replay == noted == question.digest
            and bool(answers)
            and all(digest(content) == its_digest for _, content, its_digest, _ in answers)
            and all(is_sealed(replay, kept, engine, its_seal) for engine, _, _, its_seal in answers)
        )
    except TypeError:
        sound = False
    name = replay.hex() if isinstance(replay, bytes) else "that has no id any more"
    found = [Answer(by, content) for by, content, _, _ in answers]
    return Stored(number, name, question, kept, tuple(sorted(found, key=by_version) if sound else found), sound)
