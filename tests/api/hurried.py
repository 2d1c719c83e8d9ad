"""The service with little patience and little room: `python -m tests.api.hurried name=value ...`, as in `Limits`."""

import sys

import api.cli.serve
from api.bounds import Limits
from api.cli import main
from api.traffic import Traffic

PATIENCE = {
    "head_seconds": 1.0,
    "body_seconds": 1.0,
    "answer_seconds": 1.0,
    "stream_seconds": 3.0,
    "idle_seconds": 1.0,
}

if __name__ == "__main__":
    given = {name: float(value) for name, value in (each.split("=") for each in sys.argv[1:])}
    limits = Limits(**(PATIENCE | given))
    api.cli.serve.Traffic = lambda _, *counted: Traffic(limits, *counted)
    sys.argv[1:] = ["serve"]
    main()
