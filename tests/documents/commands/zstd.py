"""zstd, as far as the pages use it: `zstd -dc FILE`."""

import sys
from pathlib import Path

import zstandard

if sys.argv[1] != "-dc":
    sys.exit(f"zstd: the pages' zstd does not know {' '.join(sys.argv[1:])}")
with Path(sys.argv[2]).open("rb") as file:
    zstandard.ZstdDecompressor().copy_stream(file, sys.stdout.buffer)
