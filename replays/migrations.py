"""The schema of the store. It is made and changed by these migrations and by nothing else.

A migration that has been released never changes; a new one is added at the end.
"""

from sqlite_utils import Database, Migrations

APPLICATION = 0x54483331
"""`TH31`, written into the file's header, so that a database of something else is not taken for a store."""

migrations = Migrations("replays")

_FIRST = (
    # A hand and a rule set are kept once, whatever number of questions they are part of. `digest` is the SHA-256 of
    # `content`. Bodies are in ordinary rowid tables, since rows this large make the pages of an index deep.
    """
    CREATE TABLE hands (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
        content BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE rule_sets (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
        content BLOB NOT NULL
    ) STRICT
    """,
    # A question. Ids grow in the order of keeping, and `kept` with them: milliseconds since 1970, in UTC. No id is used
    # again for another replay, since cursors of clients are made of them.
    """
    CREATE TABLE replays (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
        format INTEGER NOT NULL,
        hand INTEGER NOT NULL REFERENCES hands,
        rule_set INTEGER NOT NULL REFERENCES rule_sets,
        kept INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX replays_by_hand ON replays (hand)",
    "CREATE INDEX replays_by_rule_set ON replays (rule_set)",
    "CREATE INDEX replays_by_time ON replays (kept)",
    # One answer for each version of the engine that was asked; never written over. `seal` binds it to its question.
    """
    CREATE TABLE answers (
        id INTEGER PRIMARY KEY,
        replay INTEGER NOT NULL REFERENCES replays ON DELETE CASCADE,
        engine TEXT NOT NULL,
        digest BLOB NOT NULL CHECK (length(digest) = 32),
        content BLOB NOT NULL,
        seal INTEGER NOT NULL,
        UNIQUE (replay, engine)
    ) STRICT
    """,
    # What replays can be found by, such as `cites=lose.lowest`. Traits stay when the last replay that has them goes.
    """
    CREATE TABLE traits (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE replay_traits (
        trait INTEGER NOT NULL REFERENCES traits,
        replay INTEGER NOT NULL REFERENCES replays ON DELETE CASCADE,
        UNIQUE (trait, replay)
    ) STRICT
    """,
    "CREATE INDEX replay_traits_by_replay ON replay_traits (replay)",
    # Written to find out whether the store can be written to.
    """
    CREATE TABLE probes (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        count INTEGER NOT NULL
    ) STRICT
    """,
    "INSERT INTO probes VALUES (1, 0)",
)


@migrations()
def replays(db: Database) -> None:
    """Make the tables of the first release."""
    for statement in _FIRST:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION}")


KNOWN = frozenset(each.name for each in migrations.pending(Database(memory=True, execute_plugins=False)))
"""The names of all migrations of this version. A file with another one was made by a newer version."""
