"""The game: hand after hand, each judged with what the hands before it have left."""

from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct, UnsetType

from engine import rulebook
from engine.carrying import Carried, beginning, carry, completed, disagreements
from schemas.game import GameHand, GameOutcome, GamePlayer, GameRefusal, WentOut
from schemas.hand import Hand
from schemas.rules import RuleSet, StockRules
from schemas.ruling import Citation, Refused, Ruling, Settled, Status, Unfinished

Judge = Callable[[Hand], Ruling]
"""What rules on each hand: `adjudicate` under the rules of the game, with whatever else is done with a hand."""

LIVES_WITHOUT_MEANING = StockRules().lives
"""What is written down in the widow form, where no lives are lost: those of the standard game."""


class Opening(Struct, frozen=True):
    """How a game begins."""

    players: tuple[GamePlayer, ...]
    dealer: int
    rules: RuleSet
    lives: int | UnsetType = UNSET
    """Lives with which each player starts, where they are not those of the rules."""


class PlayedHand(Struct, frozen=True):
    """One judged hand of a game."""

    seats: tuple[int, ...]
    """The original seat of each seat of the hand."""
    dealer: int
    """The original seat of the dealer."""
    hand: Hand
    """The complete record, as it was judged."""
    ruling: Ruling
    lives: tuple[int | None, ...]
    """What every original seat has afterwards; None for who is out."""
    status: tuple[Status, ...]


class Game(Struct, frozen=True):
    """What becomes of a game."""

    outcome: GameOutcome
    hands: tuple[PlayedHand, ...]
    """The judged hands: all that were given, up to where the game stops."""
    out: tuple[WentOut, ...]
    winners: tuple[int, ...]
    next_dealer: int | None
    """Who deals the next hand; None once the game is over, and while a hand is being played."""
    unjudged: int
    """How many of the hands given were not judged."""
    refusal: GameRefusal | None


def play(opening: Opening, hands: Sequence[GameHand], judge: Judge) -> Game:
    """Return what becomes of a game: its hands are judged in order, up to one that does not follow from the others.

    `judge` gets the complete record of each hand once, in order.
    """
    carried = beginning(opening.players, opening.dealer, _starting_lives(opening))
    played: list[PlayedHand] = []
    out: list[WentOut] = []
    broken: tuple[Citation, ...] = ()
    for place, hand in enumerate(hands):
        last = played[-1].ruling if played else None
        if broken := _broken(hand, last, carried):
            break
        seats, dealer = tuple(carried.still_in), carried.dealer
        record = completed(hand, carried)
        ruling = judge(record)
        if isinstance(ruling, Settled):
            carry(ruling, carried)
            out += [WentOut(seat, place) for seat in seats if carried.status[seat] == "out"]
        played.append(PlayedHand(seats, dealer, record, ruling, _lives(carried), tuple(carried.status.values())))
        if isinstance(ruling, Refused):
            broken = (carried.clerk().cite(rulebook.HAND_REFUSED),)
            break
    return _game(played, out, carried, broken, given=len(hands))


def _starting_lives(opening: Opening) -> int:
    if opening.lives is not UNSET:
        return opening.lives
    return opening.rules.lives if isinstance(opening.rules, StockRules) else LIVES_WITHOUT_MEANING


def _broken(hand: GameHand, last: Ruling | None, carried: Carried) -> tuple[Citation, ...]:
    """Return why a hand cannot be the next one; nothing if it can."""
    clerk = carried.clerk()
    if isinstance(last, Unfinished):
        return (clerk.cite(rulebook.HAND_BEFORE_UNFINISHED),)
    if carried.over:
        winners = carried.winners
        who = clerk.names(winners) if winners else "nobody"
        why = f"{who} {'have' if len(winners) > 1 else 'has'} won it"
        return (clerk.cite(rulebook.HAND_AFTER_THE_END, *winners, why=why),)
    return tuple(disagreements(hand, carried))


def _game(
    played: list[PlayedHand], out: list[WentOut], carried: Carried, broken: tuple[Citation, ...], given: int
) -> Game:
    last = played[-1].ruling if played else None
    # A hand that its own ruling refuses is the last one judged; any other fault is the next hand's.
    place = len(played) - 1 if isinstance(last, Refused) else len(played)
    return Game(
        outcome="refused" if broken else "over" if carried.over else "under_way",
        hands=tuple(played),
        out=tuple(out),
        winners=carried.winners,
        next_dealer=None if carried.over or isinstance(last, Unfinished) else carried.dealer,
        unjudged=given - len(played),
        refusal=GameRefusal(place, broken) if broken else None,
    )


def _lives(carried: Carried) -> tuple[int | None, ...]:
    return tuple(None if carried.status[seat] == "out" else held for seat, held in carried.lives.items())
