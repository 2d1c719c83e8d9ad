"""Games that the tests tell, as JSON values: hands in which it is plain who loses."""

from typing import Any, NamedTuple

_GOOD = ("Ks Qs 2s", "Kh Qh 3h", "Kc Qc 4c", "Kd Qd 5d")
"""Worth 22 and more, each more than the one before."""
_BAD = ("9d 6c 4s", "9c 6d 2h")
"""Worth 9 each."""


def hands_of(players: int, *losers: int) -> list[list[str]]:
    """Return cards for so many players, the worst for these seats, and each better hand for a higher seat."""
    bad, good = iter(_BAD), iter(_GOOD)
    return [next(bad if seat in losers else good).split() for seat in range(1, players + 1)]


def shown(players: int, *losers: int, knocker: int, **given: Any) -> dict[str, Any]:
    """Return a hand of a game that these seats of it are lowest in, as a showdown."""
    seated = [{"cards": cards} for cards in hands_of(players, *losers)]
    return {"kind": "showdown", "players": seated, "ended_by": {"type": "knock", "seat": knocker}, **given}


def logged(players: int, loser: int, *, dealer: int, **given: Any) -> dict[str, Any]:
    """Return a hand of a game as a log without its players: the first to act knocks, and nobody gets better."""
    seats = [(dealer + turn) % players + 1 for turn in range(players)]
    lows = iter(("2c", "2d", "3c", "3d"))
    events: list[dict[str, Any]] = [{"type": "knock", "seat": seats[0]}]
    for seat in seats[1:]:
        card = next(lows)
        events += [{"type": "draw_stock", "seat": seat, "card": card}, {"type": "discard", "seat": seat, "card": card}]
    return {"kind": "log", "deal": {"hands": hands_of(players, loser), "upcard": "5h"}, "events": events, **given}


def with_players(hand: dict[str, Any], **given: list[Any]) -> dict[str, Any]:
    """Return a hand whose players say something more: `lives=[3, 2]`, seat by seat; None says nothing."""
    number = len(next(iter(given.values())))
    players = hand.get("players", [{}] * number)
    said = [{field: values[place] for field, values in given.items()} for place in range(number)]
    more = [{field: value for field, value in player.items() if value is not None} for player in said]
    return {**hand, "players": [{**player, **told} for player, told in zip(players, more, strict=True)]}


TO_A_WINNER: dict[str, Any] = {
    "players": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cara"}, {"name": "Dan"}],
    "dealer": 4,
    "hands": [
        shown(4, 2, knocker=1),  # Ben 3 to 2
        logged(4, 2, dealer=1),  # Ben knocks and is lowest: on the county
        shown(4, 2, knocker=4),  # Ben is out
        shown(3, 3, knocker=3),  # Dan 3 to 1
        shown(3, 3, knocker=3),  # Dan must lose two: out
        shown(2, 2, knocker=2),  # Cara 3 to 1
        logged(2, 2, dealer=2),  # Cara is on the county
        shown(2, 2, knocker=1),  # Cara is out
    ],
}
SHEET = [
    [3, 2, 3, 3],
    [3, 0, 3, 3],
    [3, None, 3, 3],
    [3, None, 3, 1],
    [3, None, 3, None],
    [3, None, 1, None],
    [3, None, 0, None],
    [3, None, None, None],
]
DEALERS = [4, 1, 2, 3, 4, 1, 3, 1]
SEATS = [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 3, 4], [1, 3, 4], [1, 3], [1, 3], [1, 3]]


def after_one_hand(second: dict[str, Any]) -> dict[str, Any]:
    """Return a game of three in which Cara has lost a life, so that Ana deals, and then this hand."""
    players = [{"name": "Ana"}, {}, {"name": "Cara"}]
    return {"players": players, "dealer": 3, "hands": [shown(3, 3, knocker=1), second, second]}


class Fault(NamedTuple):
    """A game that is refused: at which hand, by which rules, of which original seats, and in which words."""

    game: dict[str, Any]
    hand: int
    broken: list[tuple[str, list[int], str]]


_PLAIN = shown(3, 2, knocker=1)
FAULTS = {
    "lives": Fault(
        after_one_hand(with_players(_PLAIN, lives=[3, 3, 3])),
        1,
        [("game.lives", [3], "Cara begins this hand with 2 lives, not with 3.")],
    ),
    "redeemed": Fault(
        after_one_hand(with_players(_PLAIN, redeemed=[None, True, False])),
        1,
        [("game.redeemed", [2], "Seat 2 has not won a life back in this game.")],
    ),
    "name": Fault(
        after_one_hand(with_players(_PLAIN, name=["Ana", "Ben", "Dan"])),
        1,
        [("game.name", [3], "Seat 3 of the game is Cara, not Dan.")],
    ),
    "dealer": Fault(
        after_one_hand({**_PLAIN, "dealer": 3}),
        1,
        [("game.dealer", [1], "Ana deals this hand: its seat 1, not its seat 3.")],
    ),
    "a dealer who is not at the table": Fault(
        after_one_hand({**_PLAIN, "dealer": 16}),
        1,
        [("game.dealer", [1], "Ana deals this hand: its seat 1, not its seat 16.")],
    ),
    "too few players": Fault(
        after_one_hand(shown(2, 2, knocker=1)),
        1,
        [("game.seats", [1, 2, 3], "This hand has 2 players, but Ana, Seat 2 and Cara are still in.")],
    ),
    "a hand dealt to who is out": Fault(
        {**TO_A_WINNER, "hands": [*TO_A_WINNER["hands"][:3], logged(4, 2, dealer=3)]},
        3,
        [("game.seats", [1, 3, 4], "This hand has 4 players, but Ana, Cara and Dan are still in.")],
    ),
    "a bus ride": Fault(
        {
            **TO_A_WINNER,
            "rules": {"changes": {"ride_the_bus": 3}},
            "hands": [{**logged(1, 1, dealer=1), "events": [{"type": "stand", "seat": 1}]}],
        },
        0,
        [("game.seats", [1, 2, 3, 4], "This hand has 1 player, but Ana, Ben, Cara and Dan are still in.")],
    ),
    "everything at once": Fault(
        after_one_hand(
            {**with_players(_PLAIN, lives=[1, 3, 2], name=[None, None, "Ana"], redeemed=[True] * 3), "dealer": 2}
        ),
        1,
        [
            ("game.dealer", [1], "Ana deals this hand: its seat 1, not its seat 2."),
            ("game.lives", [1], "Ana begins this hand with 3 lives, not with 1."),
            ("game.redeemed", [1], "Ana has not won a life back in this game."),
            ("game.redeemed", [2], "Seat 2 has not won a life back in this game."),
            ("game.redeemed", [3], "Cara has not won a life back in this game."),
            ("game.name", [3], "Seat 3 of the game is Cara, not Ana."),
        ],
    ),
    "a hand after the end": Fault(
        {**TO_A_WINNER, "hands": [*TO_A_WINNER["hands"], shown(2, 2, knocker=1)]},
        8,
        [("game.over", [1], "The game is over: Ana has won it.")],
    ),
    "a hand after an unfinished one": Fault(
        after_one_hand({**logged(3, 2, dealer=1), "events": []}),
        2,
        [("game.unfinished", [], "The hand before this one is not over, so this one cannot follow.")],
    ),
    "a hand that is refused itself": Fault(
        after_one_hand({**logged(3, 2, dealer=1), "events": [{"type": "knock", "seat": 1}]}),
        1,
        [("game.hand", [], "This hand is refused by its own ruling, so nothing follows from it.")],
    ),
}
