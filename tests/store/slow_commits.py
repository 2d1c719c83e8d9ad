"""The service with commits as slow as on an old disk: `python -m tests.store.slow_commits [early]`.

With `early` it has the fault that the tests have to find: it answers before the commit.
"""

import sys
from time import sleep

from api.__main__ import command
from replays import writer
from replays.keeping import Keeper

SECONDS = 0.02


class SlowKeeper(Keeper):
    def commit(self) -> None:
        sleep(SECONDS)
        super().commit()


class HastyWriter(writer.Writer):
    """A writer that tells everyone who waits before the commit."""

    def _try_together(self, jobs):
        last, work = jobs[-1], jobs[-1].work

        def work_and_tell(keeper):
            last.result = work(keeper)
            writer._tell_all(jobs)  # noqa: SLF001 - where the fault is put in
            return last.result

        last.work = work_and_tell
        return super()._try_together(jobs)


if __name__ == "__main__":
    from replays import store

    store.Keeper = SlowKeeper  # type: ignore[misc] # to change it is what this program is for
    if sys.argv[1:] == ["early"]:
        store.Writer = HastyWriter  # type: ignore[misc] # to change it is what this program is for
    command([], prog_name="python -m tests.store.slow_commits")
