"""The play of a hand, told turn by turn; long runs of turns in which nothing happens are told together."""

from collections.abc import Iterable
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, assert_never

from msgspec import UNSET

from engine.clerk import Clerk
from engine.examples.sums import tally
from engine.table import Table
from engine.thirty_one import holds_31, lapsed, made_just_now
from engine.transitions import CHANGES
from engine.valuation import Worth, worth, worth_now
from engine.wording import counted, points, shown
from schemas.hand import (
    Declare,
    Discard,
    DrawStock,
    Event,
    Exchange,
    HandLog,
    Knock,
    Reshuffle,
    Stand,
    TakeDiscard,
)
from schemas.rules import RuleSet

_MOST_QUIET = 4
"""So many turns in a row that change no hand are still told one by one."""

_FROM_STOCK = "draws a card from the stock and throws it away"
_FROM_PILE = "takes the top discard and throws it straight back"

Line = tuple[str, str]
"""A sentence on one turn; and where the turn changes no hand, what the player does in it."""


class Turns:
    """Follows legal events on a table of its own, and tells them."""

    __slots__ = ("_clerk", "_draw", "_from", "_holders", "_last_turns", "_lines", "_table", "others_after_knock")

    def __init__(self, log: HandLog, rules: RuleSet, clerk: Clerk) -> None:
        """Lay out the deal, which must be sound."""
        self._clerk = clerk
        self._table: Table[Any] = Table(log, rules, clerk)
        self._lines: list[Line] = []
        self._draw = ""
        """The draw of a turn, until the discard makes it a whole sentence."""
        self._from = ""
        """What the turn was if its drawn card is discarded again; empty if that is worth telling."""
        self._holders = {seat for seat in self._table.seats if holds_31(self._table, seat)}
        """Players with a 31 of whom it is not yet told that they did not show it in time."""
        self._last_turns: int | None = None
        """How many of the lines come before the last turns, once somebody has knocked."""
        self.others_after_knock = ""
        """Who has a last turn, once somebody has knocked."""

    def follow(self, events: Iterable[Event]) -> None:
        """Let legal events happen, and remember what there is to tell."""
        table = self._table
        for event in events:
            CHANGES[type(event)](table, event)
            table.at += 1
            if self._holders and not isinstance(event, Declare):
                self._tell_lapsed()
            self._tell(event)
        self._tell_draw()

    def tell(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Let the next legal events happen, and return the sentences on them by themselves."""
        told = len(self._lines)
        self.follow(events)
        return tuple([sentence for sentence, _ in self._lines[told:]])

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the sentences up to the knock, that one included."""
        return tuple(_together(self._lines[: self._last_turns], first="first"))

    @property
    def lines_after_knock(self) -> tuple[str, ...]:
        """Return the sentences on the last turns."""
        return () if self._last_turns is None else tuple(_together(self._lines[self._last_turns :]))

    def attempt(self, event: Event) -> str:
        """Return a sentence on an event that was refused."""
        match event:
            case Reshuffle():
                return "Now the discards are to be reshuffled."
            case DrawStock(card=card):
                what = f"draw {'' if card is UNSET else card.sign + ' '}from the stock"
            case TakeDiscard(card=card):
                what = f"take {'the top card' if card is UNSET else card.sign} of the discard pile"
            case Discard(card=card):
                what = f"discard {card.sign}"
            case Knock():
                what = "knock"
            case Declare():
                what = "show 31"
            case Stand():
                what = f"keep the hand {'as it is' if self._table.widow else 'without drawing'}"
            case Exchange(give=give, take=take):
                what = f"give the widow {shown(give) or 'no card'} and take {shown(take) or 'no card'}"
            case unknown:
                assert_never(unknown)
        return f"Now {self._clerk.name(event.seat)} tries to {what}."

    def _tell(self, event: Event) -> None:
        """Tell an event that has just happened."""
        match event:
            case DrawStock(seat):
                card, is_last = self._table.hands[seat][-1].sign, not self._table.unseen
                self._from = "" if is_last else _FROM_STOCK
                where = ", the last card of the stock," if is_last else " from the stock"
                self._draw = f"{self._clerk.name(seat)} draws {card}{where}"
            case TakeDiscard(seat):
                card, self._from = self._table.hands[seat][-1].sign, _FROM_PILE
                self._draw = f"{self._clerk.name(seat)} takes {card} from the discard pile"
            case Discard():
                self._tell_discard(event)
            case Declare(seat):
                # Where showing a 31 changes nothing, it may be shown in the middle of another player's turn.
                self._tell_draw()
                self._holders.discard(seat)
                own = worth(self._table.hands[seat], self._table.rules)
                self._add(f"{self._clerk.name(seat)} shows {shown(own.cards)}: {tally(own)}.")
            case Knock(seat):
                own = self._worth(seat)
                least = self._table.rules.minimum_knock
                enough = f"; {least} are enough" if least else ""
                self._add(f"{self._clerk.name(seat)} knocks with {shown(own.cards)}, {_makes(own)}{enough}.")
                self._last_turns = len(self._lines)
                others = [other for other in self._table.seats if other != seat]
                self.others_after_knock = self._clerk.name(others[0]) if len(others) == 1 else "Everyone else"
            case Stand(seat):
                how = "as it is" if self._table.widow else "without drawing"
                declines = self._table.knocker is None and not self._table.bus_ride
                keeps = f"does not want {self._table.pile[-1].sign} and keeps" if declines else "keeps"
                self._add(f"{self._clerk.name(seat)} {keeps} the hand {how}.")
            case Exchange(seat, give, take):
                given, taken = shown(give), shown(take)
                self._add(f"{self._clerk.name(seat)} gives the widow {given} and takes {taken}{self._now(seat)}.")
            case Reshuffle():
                size, top = counted(self._table.stock_size, "card"), self._table.pile[-1].sign
                self._add(f"The discards under {top} are reshuffled and become the new stock, {size}.")
            case unknown:
                assert_never(unknown)

    def _tell_discard(self, event: Discard) -> None:
        seat, card = event.seat, event.card.sign
        kept = made_just_now(self._table, seat)
        if not self._draw:
            self._add(f"{self._clerk.name(seat)} discards {card}{self._now(seat) if kept else ''}.")
        elif kept:
            self._add(f"{self._draw} and discards {card}{self._now(seat)}.")
        else:
            back = "throws it straight back" if self._from == _FROM_PILE else "throws it away"
            self._add(f"{self._draw} and {back}.", self._from)
        self._draw = ""
        if holds_31(self._table, seat):
            if kept:
                self._holders.add(seat)
        else:
            self._holders.discard(seat)

    def _tell_draw(self) -> None:
        """Tell a draw by itself, which no discard has followed yet."""
        if self._draw:
            self._add(f"{self._draw.removesuffix(',')}.")
        self._draw = ""

    def _tell_lapsed(self) -> None:
        for seat in sorted(self._holders):
            if lapsed(self._table, seat):
                self._holders.remove(seat)
                self._add(f"{self._clerk.name(seat)} does not show the 31 in time.")

    def _add(self, sentence: str, quiet: str = "") -> None:
        self._lines.append((sentence, quiet))

    def _worth(self, seat: int) -> Worth:
        table = self._table
        return worth_now(table.hands[seat], table.rules, partial(lapsed, table, seat))

    def _now(self, seat: int) -> str:
        """Return what a hand counts now, as the end of a sentence."""
        return f": {tally(self._worth(seat))}"


def _makes(own: Worth) -> str:
    return f"which {'counts' if own.counts_as == 'unclaimed_31' else 'is'} {points(own.half_points)}"


def _together(lines: list[Line], first: str = "next") -> Iterable[str]:
    """Yield the sentences, one for each long run of turns that change no hand."""
    which = first
    for quiet, run in groupby(lines, key=itemgetter(1)):
        sentences = [sentence for sentence, _ in run]
        if quiet and len(sentences) > _MOST_QUIET:
            yield f"The {which} {len(sentences)} turns change no hand: each time, the player {quiet}."
        else:
            yield from sentences
        which = "next"
