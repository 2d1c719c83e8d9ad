"""Whether an answer is what a case expects, both as plain JSON values."""

from collections.abc import Iterator, Mapping
from typing import Any

Plain = Mapping[str, Any]

_EQUAL = (
    "outcome",
    "ended_by",
    "ended_at",
    "unplayed",
    "knocker",
    "game_over",
    "next_dealer",
    "play_again",
    "kind",
    "at",
    "to_act",
)
_IN_ANY_ORDER = ("winners", "pot_winners", "may")
_OF_SEATS = {
    "values": "value",
    "change": "change",
    "after": "after",
    "status": "status",
    "counts_as": "counts_as",
}
_ABSENT = "(absent)"


def disagreements(expected: Plain, ruling: Plain) -> list[str]:
    """Return a line for everything in which a ruling is not as expected; fields not expected are free."""
    return list(_disagreements(expected, ruling))


def valuation_disagreements(expected: Plain, valuation: Plain) -> list[str]:
    """Return a line for everything in which the valuation of cards is not what is expected."""
    found = [
        _line(field, expected[field], valuation.get(field, _ABSENT))
        for field in ("value", "counts_as")
        if field in expected and expected[field] != valuation.get(field, _ABSENT)
    ]
    if "counted" in expected and sorted(expected["counted"]) != sorted(valuation["counted"]):
        found.append(_line("counted", expected["counted"], valuation["counted"]))
    return found + _unknown(expected, {"value", "counts_as", "counted"})


def _disagreements(expected: Plain, ruling: Plain) -> Iterator[str]:
    for field in _EQUAL:
        if field in expected and expected[field] != ruling.get(field, _ABSENT):
            yield _line(field, expected[field], ruling.get(field, _ABSENT))
    for field in _IN_ANY_ORDER:
        if field in expected and _in_order(expected[field]) != _in_order(ruling.get(field, _ABSENT)):
            yield _line(field, expected[field], ruling.get(field, _ABSENT))
    for field, of_seat in _OF_SEATS.items():
        found = [seat.get(of_seat, _ABSENT) for seat in ruling["seats"]]
        if field in expected and expected[field] != found:
            yield _line(field, expected[field], found)
    broken = [citation["rule"] for citation in ruling.get("broken", ())]
    if missing := [rule for rule in expected.get("broken_includes", ()) if rule not in broken]:
        yield _line("broken", f"{missing} among them", broken)
    if "broken_any" in expected and not set(expected["broken_any"]) & set(broken):
        yield _line("broken", f"one of {expected['broken_any']}", broken)
    yield from _unknown(expected, {*_EQUAL, *_IN_ANY_ORDER, *_OF_SEATS, "broken_includes", "broken_any"})


def _in_order(value: object) -> object:
    return sorted(value) if isinstance(value, list | tuple) else value


def _unknown(expected: Plain, known: set[str]) -> list[str]:
    """Return a line for each expectation that nothing is compared with, so that none passes unseen."""
    return [f"{field} cannot be expected" for field in expected if field not in known | {"rules"}]


def _line(field: str, expected: object, found: object) -> str:
    return f"{field}: expected {expected}, found {found}"
