"""What a game carries from one hand to the next, and what a hand may say of it.

The seats of a hand are those still in, numbered anew; everything here goes by the seats that the game was begun with.
"""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType

from engine import rulebook
from engine.clerk import Clerk
from engine.wording import are, counted, lives
from schemas.game import CarriedPlayer, CarriedShownPlayer, GameHand, GameLog, GamePlayer
from schemas.hand import Hand, HandLog, Player, ShowdownRecord, ShownPlayer
from schemas.ruling import Citation, Settled, Status


class Carried(Struct):
    """The state of a game between two hands, by original seat."""

    lives: dict[int, int]
    status: dict[int, Status]
    names: dict[int, str]
    """The names known so far: the game's own, and those that a hand was the first to give."""
    dealer: int
    """Who deals the next hand."""
    redeemed: set[int]
    over: bool = False
    winners: tuple[int, ...] = ()

    @property
    def still_in(self) -> list[int]:
        """Return the seats that play the next hand, in the order of that hand's seats."""
        return [seat for seat, status in self.status.items() if status != "out"]

    def clerk(self) -> Clerk:
        """Return a clerk who calls the players by the seats that the game was begun with."""
        players = [Player(held, self.names.get(seat, UNSET)) for seat, held in self.lives.items()]
        return Clerk(players, frozenset())


def beginning(players: Sequence[GamePlayer], dealer: int, starting_lives: int) -> Carried:
    """Return what the first hand finds: everyone in, with the same number of lives."""
    seats = range(1, len(players) + 1)
    return Carried(
        lives=dict.fromkeys(seats, starting_lives),
        status=dict.fromkeys(seats, "in"),
        names={seat: player.name for seat, player in zip(seats, players, strict=True) if player.name is not UNSET},
        dealer=dealer,
        redeemed=set(),
    )


def disagreements(hand: GameHand, carried: Carried) -> Iterator[Citation]:
    """Yield a citation for everything that a hand says otherwise than the game has it.

    With another number of players nobody can tell who is who, so nothing more is asked then.
    """
    clerk, seats = carried.clerk(), carried.still_in
    number = len(hand.deal.hands) if isinstance(hand, GameLog) and hand.players is UNSET else len(_players(hand))
    if number != len(seats):
        given = counted(number, "player")
        yield clerk.cite(rulebook.WRONG_SEATS, *seats, given=given, players=clerk.names(seats), are=are(seats))
        return
    right = seats.index(carried.dealer) + 1
    if hand.dealer not in (UNSET, right):
        player = clerk.name(carried.dealer)
        yield clerk.cite(rulebook.WRONG_DEALER, carried.dealer, player=player, right=right, given=hand.dealer)
    for seat, said in zip(seats, _players(hand), strict=False):
        yield from _disagreements_on(seat, said, carried, clerk)


def _disagreements_on(
    seat: int, said: CarriedPlayer | CarriedShownPlayer, carried: Carried, clerk: Clerk
) -> Iterator[Citation]:
    player, held, name = clerk.name(seat), carried.lives[seat], carried.names.get(seat, said.name)
    if said.lives not in (UNSET, held):
        yield clerk.cite(rulebook.WRONG_LIVES, seat, player=player, lives=lives(held), given=said.lives)
    if said.redeemed not in (UNSET, seat in carried.redeemed):
        what = "already" if seat in carried.redeemed else "not"
        yield clerk.cite(rulebook.WRONG_REDEMPTION, seat, player=player, what=what)
    if said.name not in (UNSET, name):
        yield clerk.cite(rulebook.WRONG_NAME, seat, seat=seat, name=name, given=said.name)


def completed(hand: GameHand, carried: Carried) -> Hand:
    """Return the record of an agreeing hand with all that the game carries; names it is the first to give are kept."""
    seats = carried.still_in
    for seat, said in zip(seats, _players(hand), strict=False):
        if said.name is not UNSET:
            carried.names[seat] = said.name
    dealer = seats.index(carried.dealer) + 1
    if isinstance(hand, GameLog):
        players = tuple(Player(carried.lives[seat], _name(seat, carried), seat in carried.redeemed) for seat in seats)
        return HandLog(players, dealer, hand.deal, hand.events)
    shown = tuple(
        ShownPlayer(carried.lives[seat], said.cards, _name(seat, carried), seat in carried.redeemed, said.unclaimed_31)
        for seat, said in zip(seats, hand.players, strict=True)
    )
    return ShowdownRecord(shown, hand.ended_by, dealer)


def carry(ruling: Settled, carried: Carried) -> None:
    """Change what is carried by what a hand has led to."""
    seats = carried.still_in
    for result in ruling.seats:
        seat = seats[result.seat - 1]
        carried.lives[seat] = result.after
        carried.status[seat] = result.status
        if result.change > 0:  # only redemption gives a life back
            carried.redeemed.add(seat)
    if ruling.next_dealer is not None:
        carried.dealer = seats[ruling.next_dealer - 1]
    carried.over = ruling.game_over
    carried.winners = tuple(seats[seat - 1] for seat in ruling.winners)


def _players(hand: GameHand) -> Sequence[CarriedPlayer | CarriedShownPlayer]:
    """Return what a hand says of its players, seat by seat; nothing if it leaves them out."""
    return () if hand.players is UNSET else hand.players


def _name(seat: int, carried: Carried) -> str | UnsetType:
    return carried.names.get(seat, UNSET)
