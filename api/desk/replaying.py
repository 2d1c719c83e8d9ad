"""Replaying: what the page shows of a hand after some of its events."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.desk.logs import Log
from api.desk.words import words
from api.plain import called, plain
from engine.adjudicate import adjudicate
from engine.clerk import Clerk
from engine.examples.turns import Turns
from engine.positions import Position, position
from engine.wording import worth_shown
from schemas.cards import Card
from schemas.hand import Declare, Discard, DrawStock, Event, Hand, HandLog, Player, Reshuffle, ShownPlayer, TakeDiscard
from schemas.rules import RuleSet
from schemas.ruling import Refused, SeatResult, SeatStanding, Settled, Unfinished

_AROUND = 30
"""Turns that are listed before and after the one shown."""


class Held(Struct, frozen=True):
    """A hand on the table."""

    seat: int
    player: str
    lives: int
    cards: tuple[Card, ...]
    counted: tuple[Card, ...]
    value: str
    """In points, as people write it; empty in mid-turn."""
    note: str
    """What the value rests on, where it is not the best suit."""
    new: frozenset[Card]
    """The cards that the last event has brought."""
    deals: bool
    acts: bool
    knocked: bool


class Turn(Struct, frozen=True):
    """A turn of the list, with what was noted on it."""

    step: int
    """The step that shows it whole."""
    says: tuple[str, ...]
    is_here: bool
    is_refused: bool
    is_disputed: bool
    comments: tuple[str, ...]


class Replay:
    """A hand as it is replayed: a step for the deal and for every event that was judged."""

    def __init__(self, log: Log, rules: RuleSet) -> None:
        """Judge the hand."""
        self._log = log
        self._rules = rules
        self.hand = _plain(log.hand)
        self.clerk = Clerk(self.hand.players, None)
        self.ruling = adjudicate(self.hand, rules, None)

    @property
    def events(self) -> Sequence[Event]:
        """Return the events of the record; a record of only the end has none."""
        return self.hand.events if isinstance(self.hand, HandLog) else ()

    @property
    def has_steps(self) -> bool:
        """Return whether the hand was dealt as it is written, so that its events can be followed."""
        return isinstance(self.hand, HandLog) and not (isinstance(self.ruling, Refused) and self.ruling.at is None)

    @cached_property
    def last(self) -> int:
        """Return the last step: after the event that ended the hand, or at the one that is refused."""
        match self.ruling:
            case Settled(ended_at=int(at)) | Refused(at=int(at)):
                return at + 1
            case Unfinished():
                return len(self.events)
            case _:
                return 0

    @property
    def first_look(self) -> int:
        """Return the step to begin with: the event in dispute, the one that is refused, or the deal."""
        disputed = self._log.notated.disputed
        if disputed:
            return min(self.last, disputed[0] + 1)
        return self.last if isinstance(self.ruling, Refused) else 0

    def refusal(self, step: int) -> Refused | None:
        """Return the ruling if it refuses the hand at this step."""
        return self.ruling if isinstance(self.ruling, Refused) and step == self.last else None

    def position(self, step: int) -> Position | None:
        """Return what lies on the table; None where only the hands are known."""
        return position(self.hand, self._rules, step) if isinstance(self.hand, HandLog) and self.has_steps else None

    def says(self, step: int) -> str:
        """Return what happens at a step, in sentences."""
        say = words()["replay"]
        if not isinstance(self.hand, HandLog):
            return say["only_end"]
        if not self.has_steps:
            return say["no_record"]
        if not step:
            first = self.hand.dealer % len(self.hand.players) + 1
            return say["dealt"].format(dealer=self.clerk.name(self.hand.dealer), first=self.clerk.name(first))
        turns = Turns(self.hand, self._rules, self.clerk)
        turns.follow(self.events[: step - 1])
        event = self.events[step - 1]
        return turns.attempt(event) if self.refusal(step) else " ".join(turns.tell((event,)))

    def hands(self, step: int, stands: Position | None) -> Iterator[Held]:
        """Yield every hand."""
        ruling = stands.ruling if stands else self.ruling
        before = self.position(step - 1) if stands and step and not self.refusal(step) else None
        to_act = ruling.to_act if isinstance(ruling, Unfinished) else None
        held = {seat.seat: set(seat.cards) for seat in before.ruling.seats} if before else {}
        for seat in ruling.seats:
            yield self._hand(seat, held, stands, to_act)

    def turns(self, step: int) -> Iterator[Turn]:
        """Yield the turns around a step, in order."""
        if not isinstance(self.hand, HandLog) or not self.has_steps:
            return
        played = self.events[: self.last - 1 if isinstance(self.ruling, Refused) else self.last]
        groups = list(_by_turn(played))
        here = next((place for place, group in enumerate(groups) if step <= group.stop), len(groups))
        telling = Turns(self.hand, self._rules, self.clerk)
        for place, group in enumerate(groups):
            says = telling.tell(self.events[group.start : group.stop])
            if abs(place - here) <= _AROUND:
                yield self._turn(group, says, step)
        if isinstance(self.ruling, Refused) and here >= len(groups) - _AROUND:
            says = (telling.attempt(self.events[self.last - 1]),)
            yield self._turn(range(self.last - 1, self.last), says, step)

    @property
    def unplayed(self) -> int:
        """Return how many events come after the last step."""
        return len(self.events) - self.last

    def _hand(
        self, own: SeatResult | SeatStanding, held: dict[int, set[Card]], stands: Position | None, to_act: int | None
    ) -> Held:
        has_value = own.value is not None and len(own.cards) > 0
        note = own.counts_as if own.counts_as in {"three_of_a_kind", "unclaimed_31"} else None
        return Held(
            own.seat,
            self.clerk.name(own.seat),
            self.hand.players[own.seat - 1].lives if own.seat <= len(self.hand.players) else 0,
            own.cards,
            own.counted if has_value else own.cards,
            worth_shown(own.value) if own.value is not None else "",
            words()["replay"][note] if note else "",
            frozenset(set(own.cards) - held[own.seat]) if own.seat in held else frozenset(),
            own.seat == self.hand.dealer,
            own.seat == to_act,
            stands is not None and own.seat == stands.knocker,
        )

    def _turn(self, group: range, says: tuple[str, ...], step: int) -> Turn:
        noted = self._log.notated
        return Turn(
            group.stop,
            says,
            group.start < step <= group.stop,
            isinstance(self.ruling, Refused) and group.stop == self.last,
            any(event in group for event in noted.disputed),
            tuple([plain(each.says) for each in noted.comments if each.event is not None and each.event in group]),
        )


def _plain(hand: Hand) -> Hand:
    """Return a hand whose names leave the sentences around them as they are; only the log has them as they were."""
    seated: Sequence[Player | ShownPlayer] = hand.players
    names = called(["" if player.name is UNSET else player.name for player in seated])
    players = tuple([replace(player, name=name) for player, name in zip(seated, names, strict=True)])
    return replace(hand, players=players)


def _by_turn(events: Sequence[Event]) -> Iterator[range]:
    """Yield the positions of the events of each turn: a draw with its discard, and a 31 that is shown with it."""
    start = 0
    for at in range(1, len(events) + 1):
        if at == len(events) or not _goes_on(events[at - 1], events[at]):
            yield range(start, at)
            start = at


def _goes_on(before: Event, event: Event) -> bool:
    """Return whether an event belongs to the turn of the one before it."""
    if isinstance(before, Reshuffle) or isinstance(event, Reshuffle) or before.seat != event.seat:
        return False
    return isinstance(event, Declare) or (isinstance(before, DrawStock | TakeDiscard) and isinstance(event, Discard))
