"""The tally: a game of which only the losses are told, hand by hand, as people write it down at the table."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from msgspec import UNSET, Struct

from engine.carrying import Carried, beginning, carry
from engine.clerk import Clerk
from engine.ending import Ending
from engine.readings import last_chance
from engine.settlement import follow
from engine.showing import Showing
from engine.valuation import Worth
from schemas.game import GamePlayer
from schemas.hand import Player
from schemas.rules import StockRules
from schemas.ruling import Settled

Changes = Mapping[int, int]
"""What a hand cost, by original seat: below 0 the lives that the rules take, above 0 a life won back."""

_NOT_SEEN = Worth((), 0, ())


class TalliedHand(Struct, frozen=True):
    """One hand of a tally, by original seat."""

    dealer: int
    changes: dict[int, int]
    """What became of the lives of each player who was still in, after the rules on what cannot be lost."""
    lives: dict[int, int]
    """What everyone has afterwards."""
    ruling: Settled
    """What follows, by the seats of this hand. Nobody knows its cards, so they are none, and worth 0."""
    clerk: Clerk
    """Who calls the players of this hand by their names."""


class Tally(Struct, frozen=True):
    """What becomes of a game."""

    hands: tuple[TalliedHand, ...]
    """Those given, up to the one that ends the game."""
    left: Carried
    """What they have left."""


def tally(players: Sequence[GamePlayer], dealer: int, lives: int, rules: StockRules, hands: Sequence[Changes]) -> Tally:
    """Return what becomes of a game from what each hand cost whom.

    What follows is what follows in a ruling: the county, a loss beyond the lives left, a hand that would put out
    everyone, who deals next and who has won. A life is won back only by those who can win one.
    """
    carried = beginning(players, dealer, lives)
    found = []
    for changes in hands:
        if carried.over:
            break
        found.append(_tallied(changes, carried, rules))
    return Tally(tuple(found), carried)


def may_win_back(left: Carried, rules: StockRules) -> frozenset[int]:
    """Return who would win a life back with the best of the next hands, by original seat."""
    match rules.redemption:
        case "none":
            return frozenset()
        case "best_hand":
            return frozenset(
                seat
                for seat in (() if left.over else left.still_in)
                if left.lives[seat] == last_chance(rules) and seat not in left.redeemed
            )
        case unknown:
            assert_never(unknown)


def _tallied(changes: Changes, carried: Carried, rules: StockRules) -> TalliedHand:
    """Return one hand, and change what is carried by it."""
    seats, dealer = carried.still_in, carried.dealer
    by_seat = {place: changes.get(seat, 0) for place, seat in enumerate(seats, start=1)}
    winning_back = [place for place, change in by_seat.items() if change > 0]
    players = [
        Player(carried.lives[seat], carried.names.get(seat, UNSET), redeemed=seat in carried.redeemed) for seat in seats
    ]
    clerk = Clerk(players, None)
    # A 31 is what wins a life back without a look at the hands.
    ending = Ending("thirty_one", [], holders=winning_back)
    showing = Showing(players, dict.fromkeys(by_seat, _NOT_SEEN), ending, None, seats.index(dealer) + 1, clerk)
    losses = {place: -change for place, change in by_seat.items() if change < 0}
    follows = follow(showing, losses, rules, [])
    ruling = Settled(
        ended_by=ending.by,
        ended_at=None,
        unplayed=0,
        knocker=None,
        seats=follows.results,
        pot_winners=None,
        game_over=follows.game_over,
        winners=follows.winners,
        next_dealer=follows.next_dealer,
        play_again=follows.play_again,
        open_claims=(),
        citations=tuple(follows.citations),
        rules=rules,
    )
    carry(ruling, carried)
    changed = {seat: result.change for seat, result in zip(seats, ruling.seats, strict=True)}
    return TalliedHand(dealer, changed, dict(carried.lives), ruling, clerk)
