"""Entering a hand turn by turn: the legal moves, as they are laid out to be tapped."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import UNSET, Struct

from api.desk.table import rows_of_pack
from api.desk.words import words
from engine.clerk import Clerk
from engine.positions import Position
from schemas.cards import Card
from schemas.hand import Declare, Discard, DrawStock, Event, Exchange, Knock, Reshuffle, Stand, TakeDiscard
from schemas.ruling import Unfinished


class Choice(Struct, frozen=True):
    """A card of several; one that cannot be chosen has no move."""

    card: Card
    move: str


class Swap(Struct, frozen=True):
    """Cards that may be given to the widow, and what may be taken for them."""

    give: tuple[Card, ...]
    take: tuple[tuple[tuple[Card, ...], str], ...]
    """Cards, and the move."""


class Act(Struct, frozen=True):
    """A move that needs no card to be chosen."""

    says: str
    move: str
    card: Card | None = None
    """The card that it is about."""


class Moves(Struct, frozen=True):
    """All that may come next; what there is nothing of is empty."""

    title: str
    acts: tuple[Act, ...]
    draws: tuple[tuple[Choice, ...], ...]
    """The pack by suit, jokers last, with a move for each card that may be drawn."""
    discards: tuple[Choice, ...]
    """The hand of a player who is to discard."""
    swaps: tuple[Swap, ...]


def moves_of(stands: Position, clerk: Clerk) -> Moves | None:
    """Return what may come next; None if the hand is over or nothing may."""
    if not stands.moves:
        return None
    draws = {move.card: _key(move) for move in stands.moves if isinstance(move, DrawStock) and move.card is not UNSET}
    discards = {move.card: _key(move) for move in stands.moves if isinstance(move, Discard)}
    say = words()["replay"]
    title = say["after_the_end"]
    hand: Sequence[Card] = ()
    if isinstance(stands.ruling, Unfinished):
        seat = stands.ruling.to_act
        title = say["to_discard" if discards else "to_act"].format(player=clerk.name(seat))
        hand = stands.ruling.seats[seat - 1].cards
    return Moves(
        title,
        tuple(_acts(stands, clerk)),
        tuple(_pack(draws)) if draws else (),
        tuple([Choice(card, discards.get(card, "")) for card in hand]) if discards else (),
        tuple(_swaps([move for move in stands.moves if isinstance(move, Exchange)])),
    )


def move_called(key: str, stands: Position) -> Event | None:
    """Return the legal move that a button names; None if there is no such move now."""
    return next((move for move in stands.moves if _key(move) == key), None)


def _key(move: Event) -> str:
    """Return what the button of a move sends: what kind of move, and with which cards or by whom."""
    kind = str(move.__struct_config__.tag)
    match move:
        case DrawStock(card=card) | Discard(card=card):
            return f"{kind}:{'' if card is UNSET else card}"
        case Declare(seat=seat):
            return f"{kind}:{seat}"
        case Exchange(give=give, take=take):
            return f"{kind}:{''.join(give)}:{''.join(take)}"
        case _:
            return kind


def _acts(stands: Position, clerk: Clerk) -> Iterator[Act]:
    say = words()["replay"]
    for move in stands.moves:
        match move:
            case DrawStock() if move.card is UNSET:
                yield Act(say["draw"], _key(move))
            case TakeDiscard():
                yield Act(say["take"], _key(move), stands.pile[-1])
            case Knock():
                yield Act(say["knock"], _key(move))
            case Stand():
                yield Act(say["stand"], _key(move))
            case Reshuffle():
                yield Act(say["reshuffle"], _key(move))
            case Declare(seat=seat):
                yield Act(say["show_31"].format(player=clerk.name(seat)), _key(move))


def _pack(draws: dict[Card, str]) -> Iterator[tuple[Choice, ...]]:
    """Yield the cards of each suit, and jokers if one may be drawn."""
    for row in rows_of_pack(jokers=2):
        choices = [Choice(card, draws.get(card, "")) for card in row if card in draws or not card.is_joker]
        if choices:
            yield tuple(choices)


def _swaps(moves: Sequence[Exchange]) -> Iterator[Swap]:
    for give, group in groupby(moves, key=lambda move: move.give):
        yield Swap(give, tuple([(move.take, _key(move)) for move in group]))
