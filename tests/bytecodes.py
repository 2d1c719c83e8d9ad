"""How much work a call is, in bytecodes: the same on every machine, unlike time."""

import sys
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def counted(call: Callable[[], T]) -> tuple[int, T]:
    """Return how many bytecodes a call takes, and what it returns."""
    count = 0

    def trace(frame, event, argument):  # noqa: ARG001 - what the interpreter calls
        nonlocal count
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        value = call()
    finally:
        sys.settrace(before)
    return count, value
