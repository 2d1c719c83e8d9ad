"""Standard input, output and error, where they are closed, or where nothing more can be written."""

import errno
import os
import sys

from api.cli.saying import fail

_UNWRITABLE = {errno.EBADF, errno.EAGAIN, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.ENXIO}
"""What a write of bytes can fail with, besides a reader who is gone."""


def open_what_is_closed() -> None:
    """Put something in place of the standard streams that are closed: it cannot be read, or written, either.

    Otherwise the first file that is opened, such as a database, would get the number of a standard stream.
    """
    for number, name, mode, flags in (
        (0, "stdin", "r", os.O_WRONLY),
        (1, "stdout", "w", os.O_RDONLY),
        (2, "stderr", "w", os.O_WRONLY),  # what is said is lost, but no reason to fail
    ):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def fail_of_output(error: OSError) -> None:
    """Say that standard output cannot be written, and exit with status 1; return if that is not what the error is."""
    if error.filename is not None or error.errno not in _UNWRITABLE:
        return
    # Python itself would try once more at its end, and say so.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    fail(f"Standard output cannot be written: {error.strerror}.")
