"""Programs that open stores at the same moments; kept small, since each of them has to be started."""

from pathlib import Path

from replays import connection
from replays.connection import open_to_write
from replays.migrations import migrations


def open_many(folder, barrier, count, *, newer):
    """Open stores, and make them if need be, each at the same moment as other programs do."""
    if newer:
        add_migration()
    for number in range(count):
        barrier.wait()
        open_to_write(Path(folder) / f"{number}.sqlite").close()


def add_migration(name="tags"):
    """Let this process be of a newer version."""

    def tags(db):
        db.execute("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT")

    migrations(name=name)(tags)
    connection.KNOWN |= {name}
