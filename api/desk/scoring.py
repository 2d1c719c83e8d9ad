"""The score of a game, kept in one field of a form: who plays by which rules, and what each hand cost whom."""

from typing import Annotated, Literal, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from api.desk.book import Book, chosen
from api.desk.forms import Form
from api.desk.table import FEWEST, MOST, Table
from api.desk.words import words
from api.plain import called, plain
from engine.losses import most_lost
from engine.presets import PRESET_BY_ID
from engine.tallying import Tally, may_win_back, tally
from schemas.game import GamePlayer
from schemas.rules import StockRules, form_of

FIELD = "game"
"""The field that holds the score; a browser keeps it."""
MOST_LIVES = 10
MOST_HANDS = 500
_LONGEST = 20_000

Lost = Annotated[int, Meta(ge=0, le=MOST_LIVES)]
Choice = str | Annotated[int, Meta(ge=0, le=99)]
Name = Annotated[str, Meta(max_length=40)]


class Hand(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a hand cost, seat by seat, and who won a life back in it."""

    lost: Annotated[tuple[Lost, ...], Meta(max_length=MOST)]
    won_back: Annotated[tuple[int, ...], Meta(max_length=MOST)] = ()

    @property
    def is_blank(self) -> bool:
        """Return whether nothing is noted."""
        return not any(self.lost) and not self.won_back

    @property
    def changes(self) -> dict[int, int]:
        """Return what was noted, by seat: below 0 what was lost, 1 for a life won back."""
        lost = {seat: -number for seat, number in enumerate(self.lost, start=1) if number}
        return lost | dict.fromkeys(self.won_back, 1)


class Score(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A game, as it is kept."""

    version: Literal[1]
    preset: Literal[tuple(PRESET_BY_ID)]  # type: ignore[valid-type] # which there are is known when the program runs
    answers: dict[str, Choice]
    """The house rules, by option."""
    names: Annotated[tuple[Name, ...], Meta(min_length=FEWEST, max_length=MOST)]
    lives: Annotated[int, Meta(ge=1, le=MOST_LIVES)]
    dealer: Annotated[int, Meta(ge=1, le=MOST)]
    hands: Annotated[tuple[Hand, ...], Meta(max_length=MOST_HANDS)]
    now: Hand
    """The hand being played, as far as it is noted."""

    def __post_init__(self) -> None:
        """Raise ValueError if the parts do not go together."""
        seats = range(1, len(self.names) + 1)
        if self.dealer not in seats:
            raise ValueError("the dealer is not at the table")
        for hand in (*self.hands, self.now):
            if len(hand.lost) != len(self.names) or not set(hand.won_back).issubset(seats):
                raise ValueError("a hand has other seats than the game")
        if not loses_lives(self.book):
            raise ValueError("no lives are lost in this form of the game")

    @property
    def book(self) -> Book:
        """Return the rules of the game."""
        return chosen(PRESET_BY_ID[self.preset], self.answers)

    @property
    def text(self) -> str:
        """Return the score as its field has it."""
        return msgspec.json.encode(self).decode()

    def name(self, seat: int) -> str:
        """Return what a player is called."""
        return plain(self.names[seat - 1]) or words()["seats"]["seat"].format(number=seat)

    @property
    def is_full(self) -> bool:
        """Return whether there are as many hands as can be kept."""
        return len(self.hands) >= MOST_HANDS

    @property
    def rules(self) -> StockRules:
        """Return the complete rules of the game."""
        return cast("StockRules", self.book.rules.rules)

    def tally(self, *, with_now: bool = False) -> Tally:
        """Return what the hands come to, with the one being played if that is asked for."""
        hands = (*self.hands, self.now) if with_now else self.hands
        players = [GamePlayer(name) for name in called(self.names)]
        return tally(players, self.dealer, self.lives, self.rules, [hand.changes for hand in hands])


def loses_lives(book: Book) -> bool:
    """Return whether there are lives to lose by these rules: in the other form there is only a pot."""
    return form_of(book.preset.rules) == "stock"


def begun(table: Table, lives: int, book: Book) -> Score:
    """Return the score of a game that begins."""
    names = tuple([place.name for place in table.places])
    answers = {change.option: change.answer for change in book.changed}
    dealer = table.dealer or len(names)
    return Score(1, book.preset.id, answers, names, lives, dealer, (), Hand((0,) * len(names)))


def kept_in(form: Form) -> Score | None:
    """Return the score that a form brings, None if it brings none; raise msgspec.MsgspecError if it cannot be read."""
    text = form.text(FIELD, longest=_LONGEST)
    return msgspec.json.decode(text.encode(errors="replace"), type=Score) if text else None


def tapped(score: Score, form: Form) -> Score:
    """Return the score after the tap that sent a form."""
    if "undo" in form:
        return _undone(score)
    left = score.tally().left
    if left.over or score.is_full:
        return score
    seats = {str(seat): seat for seat in left.still_in}
    if seat := seats.get(form.text("lost")):
        return _lost(score, seat, left.lives[seat])
    if (seat := seats.get(form.text("won"))) and seat in may_win_back(left, score.rules):
        return _won_back(score, seat)
    if "next" in form:
        return replace(score, hands=(*score.hands, score.now), now=_blank(score))
    return score


def _undone(score: Score) -> Score:
    """Return the score before the last step: first what is noted of a hand goes, then the hand before comes back."""
    if score.now.is_blank and score.hands:
        return replace(score, hands=score.hands[:-1], now=score.hands[-1])
    return replace(score, now=_blank(score))


def _lost(score: Score, seat: int, held: int) -> Score:
    """Return the score with one more life lost; after the most that can be lost it is none."""
    most = most_lost(held, score.rules)
    lost = list(score.now.lost)
    lost[seat - 1] = (lost[seat - 1] + 1) % (most + 1)
    won_back = tuple([other for other in score.now.won_back if other != seat])
    return replace(score, now=Hand(tuple(lost), won_back))


def _won_back(score: Score, seat: int) -> Score:
    """Return the score with a life won back, or no longer if it was."""
    lost = [0 if at == seat else number for at, number in enumerate(score.now.lost, start=1)]
    won_back = set(score.now.won_back) ^ {seat}
    return replace(score, now=Hand(tuple(lost), tuple(sorted(won_back))))


def _blank(score: Score) -> Hand:
    return Hand((0,) * len(score.names))
