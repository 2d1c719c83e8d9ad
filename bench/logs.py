"""The standard log: hands of 4 players and 24 turns, as the bodies of requests, every one different.

Each comes with what is known about it without the engine, so that an answer can be checked.
"""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from bench.rounds import WrongAnswerError

T = TypeVar("T")

SEATS = 4
SUITS = "cdhs"
POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10} | {rank: int(rank) for rank in "23456789"}
PACK = [rank + suit for suit in SUITS for rank in POINTS]
NAMES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji", "Fatima", "Goran", "Hélène", "Ines", "Jo")
RULES: tuple[dict[str, Any] | None, ...] = (
    None,
    {"preset": "wikipedia"},
    {"preset": "pub"},
    {"preset": "casual"},
    {"preset": "quick-knock"},
    {"preset": "pagat", "changes": {"last_turn_stand": "always", "lowest_tie": "nobody"}},
)


class Log(NamedTuple):
    """A request for a ruling, and what its hand came to."""

    body: bytes
    events: int
    knocker: int
    hands: tuple[tuple[str, ...], ...]
    """The cards that each player shows at the end."""


def standard_logs(count: int, seed: int = 31, turns: int = 24) -> list[Log]:
    """Return so many different logs, of so many turns or one more; the same for the same seed on every Python."""
    random = Random(seed)
    logs = [_log(random, number, turns) for number in range(count)]
    if len({log.body for log in logs}) < count:
        raise ValueError("Two bodies are the same.")
    return logs


def check(log: Log, answer: bytes) -> None:
    """Raise WrongAnswerError if this cannot be the right answer to a log."""
    ruling = json.loads(answer)["ruling"]
    found = (ruling["outcome"], ruling["ended_by"], ruling["ended_at"], ruling["unplayed"], ruling["knocker"])
    if found != ("settled", "knock", log.events - 1, 0, log.knocker):
        raise WrongAnswerError(f"A hand that {log.knocker} ended by a knock was judged {found}.")
    lowest = min(_value(hand) for hand in log.hands)
    for seat, hand in zip(ruling["seats"], log.hands, strict=True):
        if sorted(seat["cards"]) != sorted(hand) or seat["value"] != _value(hand):
            raise WrongAnswerError(f"{hand} was counted as {seat}.")
        if seat["change"] and seat["value"] != lowest:
            raise WrongAnswerError(f"{seat} lost a life, but {lowest} was lowest.")
    if not ruling["citations"]:
        raise WrongAnswerError("A ruling came without an explanation.")


def _log(random: Random, number: int, turns: int) -> Log:
    """Play hands until there is one without a 31, which might end it early.

    A knock is a turn of one event: 24 or 25 turns have 47 or 49 events, 48 on average.
    """
    while True:
        if log := _play(random, turns + number % 2, RULES[number % len(RULES)]):
            return log


def _play(random: Random, turns: int, rules: dict[str, Any] | None) -> Log | None:
    cards = shuffled(random, PACK)
    hands = [[cards.pop() for _ in range(3)] for _ in range(SEATS)]
    pile = [cards.pop()]
    dealer = 1 + below(random, SEATS)
    deal = {"hands": [list(hand) for hand in hands], "upcard": pile[0]}
    events: list[dict[str, object]] = []
    for turn in range(turns):
        seat = (dealer + turn) % SEATS + 1
        hand = hands[seat - 1]
        if turn == turns - SEATS:
            knocker = seat
            events.append({"type": "knock", "seat": seat})
            continue
        taken = random.random() < 0.3
        drawn = pile.pop() if taken else cards.pop()
        thrown = hand[below(random, 3)] if taken else [*hand, drawn][below(random, 4)]
        hand.append(drawn)
        hand.remove(thrown)
        pile.append(thrown)
        events.append({"type": "take_discard" if taken else "draw_stock", "seat": seat, "card": drawn})
        events.append({"type": "discard", "seat": seat, "card": thrown})
        if _value(hand) == 31:
            return None
    if any(_value(dealt) == 31 for dealt in deal["hands"]):
        return None
    names = shuffled(random, NAMES)
    players = [{"lives": 1 + below(random, 3), "name": name} for name in names[:SEATS]]
    hand_log = {"kind": "log", "players": players, "dealer": dealer, "deal": deal, "events": events}
    request = {"hand": hand_log} if rules is None else {"rules": rules, "hand": hand_log}
    body = json.dumps(request, ensure_ascii=False).encode()
    return Log(body, len(events), knocker, tuple(tuple(hand) for hand in hands))


def _value(hand: Sequence[str]) -> int:
    return max(sum(POINTS[card[0]] for card in hand if card[1] == suit) for suit in SUITS)


def below(random: Random, end: int) -> int:
    return int(random.random() * end)


def shuffled(random: Random, values: Iterable[T]) -> list[T]:
    """Return the values in another order. Only `random()` stays the same between versions of Python."""
    left = list(values)
    for end in range(len(left), 1, -1):
        place = below(random, end)
        left[place], left[end - 1] = left[end - 1], left[place]
    return left
