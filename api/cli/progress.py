"""How far the reading of files has come, as a bar on a terminal."""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from api.cli.archives import COMPRESSED, STANDARD


class Progress:
    """Counts what is read, and shows it once a bar is asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        """Find out how much there is to read, as far as that can be known."""
        sizes = [_size(name) for name in names]
        self._total = None if None in sizes else sum(size or 0 for size in sizes)
        self._update: Callable[[int], object] | None = None
        """Moves the bar on, while there is one."""
        self._unshown = 0

    def read(self, count: int) -> None:
        """Count bytes that were read."""
        self._unshown += count
        if self._update:
            self._update(self._unshown)
            self._unshown = 0

    @contextmanager
    def shown(self, label: str) -> Iterator[None]:
        """Show a bar on standard error inside the block, if a terminal shows that, and standard output goes elsewhere.

        Where both are on the terminal, what is put out shows how far it is.
        """
        hidden = not sys.stderr.isatty() or sys.stdout.isatty()
        nothing = (None for _ in ())  # a bar of unknown length wants something that it could go through
        counts = self._total is None
        with click.progressbar(nothing, self._total, label, file=sys.stderr, hidden=hidden, show_pos=counts) as bar:
            self._update = None if hidden else bar.update
            try:
                yield
            finally:
                self.read(0)
                self._update = None

    def make_room(self) -> None:
        """Clear the line of the bar, which comes again below what is said now."""
        if self._update:
            click.echo("\r\033[K", err=True, nl=False)


def _size(name: str) -> int | None:
    """Return how many bytes are to be read of a file; None if that is not known."""
    if name != STANDARD and Path(name).suffix.lower() in COMPRESSED:
        return None
    try:
        status = os.fstat(sys.stdin.fileno()) if name == STANDARD else Path(name).stat()
    except (OSError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
