"""The endings that a rule sheet tells of, as data: made-up showdowns, in which roles stand for seats."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from msgspec import UNSET, Struct

from schemas.cards import HAND_SIZE, SUITS, Card, in_order, pack
from schemas.hand import DeclareEnding, Ending, FirstKnockEnding, KnockEnding, ShowdownRecord, ShownPlayer, StockEnding
from schemas.relevance import Where
from schemas.ruling import EndedBy

Value = float | str
"""What a hand is worth: 31 or 30½ as it is, else in steps from the knocker's least; or the very cards."""

THIRTY_ONE = 31.0
WINS_BACK = -1
"""What a player loses who wins a life back."""
TRIPLE = "7h 7d 7c"
_LAST_CHANCE = -1
"""Stands for the lives with which one more loss puts a player out."""
_AMPLE = 9
"""Lives enough for any loss. No two players have the same, so that a loss of all of them shows."""


class Role(Struct, frozen=True):
    """One seat or more, of which the table speaks by one name."""

    name: str
    seats: tuple[int, ...]


class Showdown(Struct, frozen=True):
    """Hands that are shown at the end; the knocker is in seat 1, wherever somebody knocks and shows no 31."""

    ended_by: Ending
    values: tuple[Value, ...]
    lives: tuple[int, ...] = ()
    """Lives of each seat; ample if left out."""

    @property
    def after_a_knock(self) -> bool:
        """Whether somebody has knocked."""
        match self.ended_by:
            case StockEnding():
                return False
            case DeclareEnding():
                return self.ended_by.knocker is not UNSET
            case _:
                return True

    def record(self, least: int, last_chance: int) -> ShowdownRecord | None:
        """Return the record, where a knocker has so much and the last chance so many lives; None if no cards do."""
        hands = [_cards(SUITS[place], value, least) for place, value in enumerate(self.values)]
        lives = self.lives or range(_AMPLE, _AMPLE - len(hands), -1)
        held = [last_chance if own == _LAST_CHANCE else own for own in lives]
        if not all(hands):
            return None
        players = [ShownPlayer(own, hand) for own, hand in zip(held, hands, strict=True)]
        return ShowdownRecord(tuple(players), self.ended_by)


class Case(Struct, frozen=True, kw_only=True):
    """An ending in words, and hands that show it. It is told of if the rules settle one of them as expected."""

    says: str
    showdowns: tuple[Showdown, ...]
    """The first that turns out as expected is the one that is told of."""
    roles: tuple[Role, ...]
    """Who is told of; of other seats nothing is said."""
    ended_by: tuple[EndedBy, ...]
    lowest: tuple[int, ...] = ()
    """The seats that must have the lowest hand; any if empty."""
    loses: int | None = None
    """What the first role must lose; anything if None."""
    puts_out_all: bool = False
    """Whether everyone must have lost the last chance."""
    where: Where = {}
    """The answers under which it is told of."""
    as_any_knock: bool = False
    """Whether it turns out as any knock does, so that nothing more is told of it."""


def _cards(suit: str, value: Value, least: int) -> tuple[Card, ...]:
    if isinstance(value, str):
        return tuple(Card(code) for code in value.split())
    return suited(suit, int(value if value == THIRTY_ONE else least + value))


@lru_cache(maxsize=256)
def suited(suit: str, value: int) -> tuple[Card, ...]:
    """Return three cards of a suit that are worth so much together; none if there are no such."""
    return next((hand for hand in _hands_of(suit) if sum(card.points for card in hand) == value), ())


def _hands_of(suit: str) -> Iterator[tuple[Card, ...]]:
    return combinations([card for card in in_order(pack(0)) if card.suit == suit], HAND_SIZE)


_KNOCK = KnockEnding(1)
_STOCK = StockEnding()
_KNOCKER_LOWEST: tuple[tuple[Value, ...], ...] = ((0, 3, 4, 5), (0, 1, 1), (0, THIRTY_ONE), (0, TRIPLE))
_KNOCKER_TIES: tuple[tuple[Value, ...], ...] = ((0, 0, 0, 1), (0, 0, 0), (0, -1, -1))
_SEVERAL_31S = Showdown(DeclareEnding((1, 2)), (THIRTY_ONE, THIRTY_ONE, -2, -1))
_SAME_RANKS = (Showdown(_KNOCK, ("Ks Qs Js", "Kh Qh Jh", -6)), Showdown(_KNOCK, ("As Ks Qs", "Ah Kh Qh", -6)))
_LOSER = Role("that player", (2,))
_KNOCKER = Role("the knocker", (1,))
_OTHERS_IN_TIE = Role("the others in the tie", (2, 3))


def _a_loss_of(held: tuple[int, ...]) -> tuple[Showdown, ...]:
    """Return hands in which the second player loses 1 life, for want of a better one: by a knock, or without."""
    return (
        Showdown(_KNOCK, (0, -6, -1), held),
        Showdown(_STOCK, (-1, -6, -2), held),
        Showdown(DeclareEnding((1,)), (THIRTY_ONE, -6, -1), held),
    )


STOCK_CASES = (
    Case(
        says="Knock; one other player has the lowest hand",
        showdowns=(Showdown(_KNOCK, (0, -6, -2, -1)),),
        roles=(_LOSER, _KNOCKER),
        ended_by=("knock",),
        lowest=(2,),
    ),
    Case(
        says="Knock; players other than the knocker tie for lowest",
        showdowns=(Showdown(_KNOCK, (0, -6, -6, -1)),),
        roles=(Role("those players", (2, 3)), _KNOCKER),
        ended_by=("knock",),
        lowest=(2, 3),
    ),
    Case(
        says="Knock; the knocker ties for lowest",
        showdowns=tuple(Showdown(_KNOCK, values) for values in _KNOCKER_TIES),
        roles=(_KNOCKER, _OTHERS_IN_TIE),
        ended_by=("knock",),
        lowest=(1, 2, 3),
    ),
    Case(
        says="Knock; the knocker alone is lowest",
        showdowns=(
            *(Showdown(_KNOCK, values) for values in _KNOCKER_LOWEST),
            Showdown(FirstKnockEnding(1), (0, THIRTY_ONE)),
        ),
        roles=(_KNOCKER,),
        ended_by=("knock", "first_knock"),
        lowest=(1,),
    ),
    Case(
        says="Knock as the very first act of the hand",
        showdowns=(Showdown(FirstKnockEnding(1), (0, -6, -2, -1)),),
        roles=(_LOSER,),
        ended_by=("first_knock",),
        lowest=(2,),
        as_any_knock=True,
    ),
    Case(
        says="31 before anyone knocks",
        showdowns=(Showdown(DeclareEnding((1,)), (THIRTY_ONE, -2, -1)),),
        roles=(Role("every other player", (2, 3)),),
        ended_by=("thirty_one",),
    ),
    Case(
        says="Several players show 31 together before anyone knocks",
        showdowns=(_SEVERAL_31S,),
        roles=(Role("every other player", (3, 4)), Role("those players", (1, 2))),
        ended_by=("thirty_one",),
        where={"thirty_one_claim": ("at_once", "optional")},
    ),
    Case(
        says="31 in several hands before anyone knocks",
        showdowns=(_SEVERAL_31S,),
        roles=(Role("everyone without one", (3, 4)), Role("everyone with one", (1, 2))),
        ended_by=("thirty_one",),
        where={"thirty_one_claim": ("automatic",)},
    ),
    Case(
        says="31 of another player after a knock",
        showdowns=(Showdown(DeclareEnding((2,), 1), (0, THIRTY_ONE, -2, -1)),),
        roles=(_KNOCKER, Role("every other player", (3, 4))),
        ended_by=("thirty_one",),
    ),
    Case(
        says="31 of another player after a knock",
        showdowns=(Showdown(DeclareEnding((2,), 1), (0, THIRTY_ONE, -6, -1)),),
        roles=(Role("that player", (3,)),),
        ended_by=("knock",),
        lowest=(3,),
        as_any_knock=True,
    ),
    Case(
        says="Stock out; one player has the lowest hand",
        showdowns=(Showdown(_STOCK, (-1, -6, -2)),),
        roles=(_LOSER,),
        ended_by=("stock_exhausted",),
        lowest=(2,),
    ),
    Case(
        says="Stock out; players tie for lowest",
        showdowns=(Showdown(_STOCK, (-1, -6, -6)),),
        roles=(Role("those players", (2, 3)),),
        ended_by=("stock_exhausted",),
        lowest=(2, 3),
    ),
    Case(
        says="A player with 1 life left loses it",
        showdowns=_a_loss_of((9, 1, 8)),
        roles=(_LOSER,),
        ended_by=("knock", "stock_exhausted", "thirty_one"),
        loses=1,
    ),
    Case(
        says="A player with 1 life left has to lose 2",
        showdowns=(
            *(Showdown(_KNOCK, values, (1, 9, 8, 7)[: len(values)]) for values in _KNOCKER_LOWEST),
            *(Showdown(_KNOCK, values, (1, 9, 8, 7)[: len(values)]) for values in _KNOCKER_TIES),
            Showdown(FirstKnockEnding(1), (0, THIRTY_ONE), (1, 9)),
            Showdown(DeclareEnding((2,), 1), (0, THIRTY_ONE, -1), (1, 9, 8)),
        ),
        roles=(Role("that player", (1,)),),
        ended_by=("knock", "first_knock", "thirty_one"),
        loses=2,
    ),
    Case(
        says="A player on the county loses",
        showdowns=_a_loss_of((9, 0, 8)),
        roles=(_LOSER,),
        ended_by=("knock", "stock_exhausted", "thirty_one"),
        loses=1,
    ),
    Case(
        says="Knock; everyone ties for lowest, one loss from going out",
        showdowns=tuple(Showdown(_KNOCK, values, (_LAST_CHANCE,) * 3) for values in ((0, 0, 0), (0, -1, -1))),
        roles=(Role("everyone", (1, 2, 3)),),
        ended_by=("knock",),
        puts_out_all=True,
    ),
    Case(
        says="Stock out; everyone ties for lowest, one loss from going out",
        showdowns=(Showdown(_STOCK, (-6, -6, -6), (_LAST_CHANCE,) * 3),),
        roles=(Role("everyone", (1, 2, 3)),),
        ended_by=("stock_exhausted",),
        puts_out_all=True,
    ),
    Case(
        says="Knock; a player one loss from going out has the only highest hand",
        showdowns=(Showdown(_KNOCK, (0, -6, -2), (_LAST_CHANCE, 9, 8)),),
        roles=(Role("that player", (1,)),),
        ended_by=("knock",),
        loses=WINS_BACK,
    ),
    Case(
        says="Stock out; a player one loss from going out has the only highest hand",
        showdowns=(Showdown(_STOCK, (-1, -6, -2), (_LAST_CHANCE, 9, 8)),),
        roles=(Role("that player", (1,)),),
        ended_by=("stock_exhausted",),
        loses=WINS_BACK,
    ),
    Case(
        says="The 31 of a player one loss from going out ends the hand",
        showdowns=(Showdown(DeclareEnding((1,)), (THIRTY_ONE, -6, -2), (_LAST_CHANCE, 9, 8)),),
        roles=(Role("that player", (1,)),),
        ended_by=("thirty_one",),
        loses=WINS_BACK,
    ),
)

WIDOW_CASES = (
    Case(
        says="Knock; one player has the best hand",
        showdowns=(Showdown(_KNOCK, (0, -6, -1)),),
        roles=(Role("that player", (1,)),),
        ended_by=("knock",),
    ),
    Case(
        says="Knock; the best hands are worth the same, of different ranks",
        showdowns=(Showdown(_KNOCK, ("Ks Qs Js", "Ah Kh 9h", -6)), Showdown(_KNOCK, ("As Qs Js", "Ah Kh Jh", -6))),
        roles=(Role("the hand with the higher cards", (2,)), Role("the other one", (1,))),
        ended_by=("knock",),
        where={"pot_tie": ("card_rank",)},
    ),
    Case(
        says="Knock; the best hands are worth the same, of the same ranks",
        showdowns=_SAME_RANKS,
        roles=(Role("those players", (1, 2)),),
        ended_by=("knock",),
        where={"pot_tie": ("card_rank",)},
    ),
    Case(
        says="Knock; the best hands are worth the same",
        showdowns=_SAME_RANKS,
        roles=(Role("those players", (1, 2)),),
        ended_by=("knock",),
        where={"pot_tie": ("split",)},
    ),
    Case(
        says="Knock before any exchange",
        showdowns=(Showdown(FirstKnockEnding(1), (0, -6, -1)),),
        roles=(Role("that player", (1,)),),
        ended_by=("first_knock",),
        as_any_knock=True,
    ),
    Case(
        says="A player shows 31",
        showdowns=(Showdown(DeclareEnding((2,), 1), (0, THIRTY_ONE, -1)),),
        roles=(Role("that player", (2,)),),
        ended_by=("thirty_one",),
    ),
    Case(
        says="Several players show 31",
        showdowns=(Showdown(DeclareEnding((2, 3), 1), (0, THIRTY_ONE, THIRTY_ONE)),),
        roles=(Role("those players", (2, 3)),),
        ended_by=("thirty_one",),
    ),
)
