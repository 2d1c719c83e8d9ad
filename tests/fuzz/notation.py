"""Texts in the notation of a hand: as people type them, mutations of those, and what must be true of each."""

from collections.abc import Callable
from random import Random

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from engine.adjudicate import adjudicate
from engine.presets import PRESET_BY_ID
from schemas.hand import Hand
from schemas.notation import Notated, NotatedRules, NotationError, read, write
from schemas.notation.mistakes import MOST
from schemas.notation.scanning import NEW_LINE
from schemas.rules import StockRules
from tests.fuzz.hands import any_question
from tests.making.dice import Dice
from tests.making.typing_by_hand import NAMES, typed

_PIECES = (
    *("[", "]", "(", ")", ":", ";", ",", "?", "+", "-", "^", "=", "{", "}", '"', "\\", "#", "\r", "\u2013", "\u2660"),
    *("??", "10h", "X1", "31", "knock", "nothing", "swap Ks for 2c", "Reshuffle: 2c 3c", "Seat 2:", "Ana:", "17", "0"),
    *(
        "[rules pub lives=4]",
        "[dealer 1]",
        "Up: 2c",
        "Widow: 2c 3c 4c",
        "Stock: 2c",
        "Extra: 2c 3c 4c",
        "End: knock Ana",
    ),
    *("End: 31 Ana, Ben", "Knocker: Ben", "Ana(3): Ks 9s 2h", "redeemed", "unclaimed", "county", "{so}", '"\\u0041"'),
)


def check(data: bytes) -> None:
    """Raise an AssertionError unless the bytes are no text, or are one that is read as it must be."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    try:
        notated = read(text, PRESET_BY_ID)
    except NotationError as error:
        check_mistakes(text, error)
        return
    assert msgspec.json.decode(msgspec.json.encode(notated.hand), type=Hand) == notated.hand
    strict = write(notated)
    assert read(strict, PRESET_BY_ID) == notated
    assert write(read(strict)) == strict
    adjudicate(notated.hand, StockRules())


def check_mistakes(text: str, error: NotationError) -> None:
    """Check that mistakes are in order, not too many, and about places that the text has."""
    found = error.mistakes
    assert 1 <= len(found) <= MOST
    assert list(found) == sorted(found)
    lines = NEW_LINE.split(text.removeprefix("\ufeff"))
    for mistake in found:
        assert 1 <= mistake.column <= mistake.column + mistake.length <= len(lines[mistake.line - 1]) + 1
        assert mistake.says
        assert mistake.example


def mutated(data: bytes, random: Random, anyhow: Callable[[bytes], bytes]) -> bytes:
    """Return another text, or now and then something that is none."""
    if random.random() < 0.1:
        return anyhow(data)
    if random.random() < 0.1:
        return _any_text(random).encode()
    text = data.decode(errors="replace")
    for _ in range(random.choice((1, 1, 2, 4))):
        text = random.choice(_MUTATIONS)(text, random)
    return text.encode(errors="replace")


def _any_text(random: Random) -> str:
    question = any_question(random)
    named = _named(question.hand, random)
    if random.random() < 0.5:
        return typed(Dice(random.randbytes(600)), named)
    events = range(len(getattr(named, "events", ())))
    disputed = tuple(sorted(random.sample(events, min(len(events), random.randrange(3)))))
    return write(Notated(named, (NotatedRules(question.choice.preset),), disputed))


def _named(hand: Hand, random: Random) -> Hand:
    """Return a hand in which some players have names, of which two may be the same."""
    players = [replace(player, name=random.choice((UNSET, *NAMES))) for player in hand.players]
    return replace(hand, players=tuple(players))


def _retyped(text: str, random: Random) -> str:
    """Type what is understood in another way."""
    try:
        hand = read(text).hand
    except NotationError:
        return text
    return typed(Dice(random.randbytes(600)), _named(hand, random))


def _replaced(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(_PIECES) + text[at + random.choice((0, 0, 1, 3, 10)) :]


def _moved(text: str, random: Random) -> str:
    """Let a line be missing, be there twice, or stand elsewhere."""
    lines = text.split("\n")
    line = lines.pop(random.randrange(len(lines)))
    for _ in range(random.choice((0, 1, 1, 2, 40))):
        lines.insert(random.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def _in_other_case(text: str, random: Random) -> str:
    first = random.randrange(len(text) + 1)
    last = first + random.randrange(20)
    return text[:first] + text[first:last].swapcase() + text[last:]


_MUTATIONS: tuple[Callable[[str, Random], str], ...] = (*(_replaced,) * 4, _retyped, _moved, _moved, _in_other_case)
