"""Logs as text: what was typed or pasted, read in whatever form it came, and written in the notation."""

import re
from collections.abc import Mapping, Sequence

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from api.body import Body
from api.desk.book import Book, chosen
from api.media import FORMATS, JSON
from api.notation import text_of
from api.plain import plain
from api.problems import Fault
from api.rulings import RulingRequest
from engine.presets import DEFAULT_PRESET, PRESET_BY_ID, RuleChoice
from replays.canonical import Question
from replays.rerun import hand_of, rules_of
from schemas.changes import given
from schemas.hand import Event, Hand, HandLog, Player, ShownPlayer
from schemas.notation import Notated, NotatedRules, NotationError, read, write
from schemas.rules import RuleSet

_REPLAY = re.compile(r"\s*(?:\S*[/=])?([0-9a-f]{64})(?:[/?&#]\S*)?\s*")
_LONGEST_LINK = 2_000
# In the notation a comment is in braces too, and ends on its line.
_JSON = re.compile(r'\ufeff?\s*(\{\s*(?:"\w*"\s*:.*|\}?\s*))', re.DOTALL)


class UnreadError(ValueError):
    """A text that is not understood, with a sentence for each place that is not."""

    def __init__(self, places: Sequence[str]) -> None:
        """Keep the sentences."""
        super().__init__(places[0])
        self.places = tuple(map(plain, places))


class Log(Struct, frozen=True):
    """A hand as it was put in."""

    notated: Notated
    """The record, with what people noted beside it. Its rules are those that the text names."""
    text: str
    """As it was put in, or in the strict form of the notation if it has been changed since."""

    @property
    def hand(self) -> Hand:
        """Return the record."""
        return self.notated.hand

    @property
    def book(self) -> Book | None:
        """Return the rules that the text names; None if it names none."""
        if not self.notated.rules:
            return None
        rules = self.notated.rules[0]
        preset = PRESET_BY_ID[DEFAULT_PRESET if rules.preset is UNSET else rules.preset]
        return chosen(preset, rules.changes)


class _Asked(Struct, frozen=True):
    """A question as stored replays have it."""

    hand: Hand
    rules: RuleSet


class _Replay(Struct, frozen=True):
    """A stored replay, as the service shows it or an archive has it."""

    question: _Asked


class _Kind(Struct, frozen=True):
    """What tells the kinds of JSON apart."""

    kind: Raw | UnsetType = UNSET
    question: Raw | UnsetType = UNSET


_HAND = Body[Hand](Hand, called="text")  # type: ignore[arg-type] # a union of types is a type here
_REQUEST = Body(RulingRequest, called="text")
_STORED = Body(_Replay, called="text")
_ANY = Body(_Kind, called="text")


def replay_in(text: str) -> str | None:
    """Return the id of the replay that a text is nothing but a link to, or the id of; None if it is something else."""
    found = _REPLAY.fullmatch(text) if len(text) <= _LONGEST_LINK else None
    return found[1] if found else None


def read_log(text: str) -> Log:
    """Return what a text says, in the notation or in JSON; raise UnreadError if it is not understood."""
    try:
        found = _JSON.fullmatch(text)
        return Log(_json(found[1].encode()) if found else read(text, PRESET_BY_ID), text)
    except NotationError as error:
        raise UnreadError([str(mistake) for mistake in error.mistakes]) from None
    except Fault as fault:
        places = [f"{each.detail.removesuffix('.')} ({each.pointer})." for each in fault.errors if each.pointer]
        raise UnreadError(places or [fault.detail]) from None


def stored_log(question: Question) -> Log:
    """Return the log of a stored question; raise msgspec.ValidationError if this version cannot read it."""
    text = text_of(hand_of(question), rules_of(question)).decode()
    return Log(read(text), text)


def written(notated: Notated) -> Log:
    """Return a log in the strict form."""
    return Log(notated, write(notated))


def with_events(log: Log, events: Sequence[Event]) -> Log:
    """Return a log with other events; what was noted on those that are left stays."""
    notated = log.notated
    if not isinstance(notated.hand, HandLog):
        return log
    left = len(events)
    disputed = tuple([event for event in notated.disputed if event < left])
    comments = tuple([each for each in notated.comments if each.event is None or each.event < left])
    hand = replace(notated.hand, events=tuple(events))
    return written(replace(notated, hand=hand, disputed=disputed, comments=comments))


def with_rules(log: Log, book: Book) -> Log:
    """Return a log that names other rules."""
    answers = {change.option: change.answer for change in book.changed}
    return written(replace(log.notated, rules=(NotatedRules(book.preset.id, answers),)))


def with_names(log: Log, names: Mapping[int, str]) -> Log:
    """Return a log with names for players, by seat, who have none in it."""
    hand = log.hand
    seated: Sequence[Player | ShownPlayer] = hand.players
    players = [
        replace(player, name=names[seat]) if player.name is UNSET and names.get(seat) else player
        for seat, player in enumerate(seated, start=1)
    ]
    if list(seated) == players:
        return log
    return written(replace(log.notated, hand=replace(hand, players=tuple(players))))


def to_send(log: Log) -> str:
    """Return the text of a log as a link may carry it: without names, comments and rules."""
    hand = log.hand
    players = tuple([replace(player, name=UNSET) for player in hand.players])
    return write(Notated(replace(hand, players=players), disputed=log.notated.disputed))


def _json(content: bytes) -> Notated:
    written_in = FORMATS[JSON]
    kind = _ANY.decode(content, written_in)
    if kind.kind is not UNSET:
        return Notated(_HAND.decode(content, written_in))
    if kind.question is not UNSET:
        asked = _STORED.decode(content, written_in).question
        return read(text_of(asked.hand, asked.rules).decode())
    request = _REQUEST.decode(content, written_in)
    return Notated(request.hand, () if request.rules is UNSET else (_chosen(request.rules),))


def _chosen(choice: RuleChoice) -> NotatedRules:
    return NotatedRules(choice.preset, {} if choice.changes is UNSET else given(choice.changes))
