"""Reading: from a text, however it is typed, to the record that it says."""

from collections.abc import Container
from typing import NamedTuple

from msgspec import UNSET

from schemas.cards import Card
from schemas.hand import (
    Deal,
    DeclareEnding,
    Ending,
    FirstKnockEnding,
    Hand,
    HandLog,
    KnockEnding,
    Player,
    Seat,
    ShowdownRecord,
    ShownPlayer,
    StockEnding,
)
from schemas.notation.facts import End, Facts
from schemas.notation.mistakes import Mistakes
from schemas.notation.names import FACTS, MOST_SEATS, RESHUFFLE, Called, Names, called
from schemas.notation.notated import Notated
from schemas.notation.players import Seated, is_player, player
from schemas.notation.rules import Rules
from schemas.notation.scanning import Entry, Token, entries
from schemas.notation.turns import Turns

_MARK = "\ufeff"
"""What some editors begin a text with."""
_MOST_HANDS = 18
_PLAYER = "Ann(3): As Ks 4d"


class Span(NamedTuple):
    """A part of a text, in characters from 0."""

    begin: int
    end: int


def read(text: str, presets: Container[str] | None = None) -> Notated:
    """Return what a text says.

    `presets` are the ids that a preset may have; where it is None, any will do. Raises NotationError with every place
    that is not understood, 50 at the most.
    """
    return _Reading(text.removeprefix(_MARK), presets).notated()


def event_places(text: str) -> tuple[int, ...]:
    """Return where in a text each event of its record begins, in characters from 0; raise NotationError as `read`."""
    before, reading = _read(text)
    return tuple([before + place for place in reading.event_places()])


def rules_places(text: str) -> tuple[dict[str, Span], ...]:
    """Return where each rule set of a text stands; raise NotationError as `read`.

    Of each it is where its word `rules` is, and by the name of an option where that is answered.
    """
    before, reading = _read(text)
    return tuple(
        [
            {name: Span(before + token.at, before + token.end) for name, token in places.items()}
            for places in reading.rules_places()
        ]
    )


def _read(text: str) -> tuple[int, "_Reading"]:
    """Return how many characters there are before a text that can be read, and its reading."""
    before = len(_MARK) if text.startswith(_MARK) else 0
    reading = _Reading(text[before:], None)
    reading.notated()
    return before, reading


class _Reading:
    """A text on its way to a record: first its entries, one by one, then what they say together."""

    def __init__(self, text: str, presets: Container[str] | None) -> None:
        self._text = text
        self._mistakes = Mistakes(text)
        self._rules = Rules(text, presets, self._mistakes)
        self._facts = Facts(text, self._rules, self._mistakes)
        self._turns = Turns(self._mistakes)
        self._players: list[Seated] = []

    def notated(self) -> Notated:
        for entry in entries(self._text):
            if entry[0].text == "[":
                self._bracketed(entry)
            else:
                self._plain(entry)
        hand = self._hand()
        self._mistakes.check()
        turns = self._turns
        return Notated(hand, tuple(self._rules.sets), turns.disputed, tuple(turns.comments))

    def event_places(self) -> tuple[int, ...]:
        return tuple([act.token.at for turn in self._turns.turns for act in turn.acts])

    def rules_places(self) -> list[dict[str, Token]]:
        return self._rules.places

    def _bracketed(self, entry: Entry) -> None:
        if entry[-1].text != "]":
            self._mistakes.add(entry[0], "this bracket is not closed", "[dealer Ann]", entry[-1])
            return
        said = self._without_comments(entry[1:-1])
        fact = FACTS.get(said[0].word) if said else None
        if fact is None:
            says = "brackets hold one of: " + ", ".join(f"`{each}`" for each in dict.fromkeys(FACTS.values()))
            self._mistakes.add(entry[0], says, "[dealer Ann]", entry[-1])
            return
        has_colon = len(said) > 1 and said[1].text == ":"
        self._facts.read(fact, said[0], said[2:] if has_colon else said[1:])

    def _plain(self, entry: Entry) -> None:
        colon = next((at for at, token in enumerate(entry) if token.text == ":"), None)
        if colon is None:
            if (fact := FACTS.get(entry[0].word)) is not None:
                self._facts.read(fact, entry[0], self._without_comments(entry[1:]))
            else:
                self._turns.read(None, entry)
            return
        head, said = self._without_comments(entry[:colon]), entry[colon + 1 :]
        word = head[0].word if len(head) == 1 and head[0].kind == "word" else ""
        if not head:
            self._mistakes.add(entry[colon], "nobody is named before this colon", "Ann: +Qh -4d")
        elif is_player(head):
            self._player(head, self._without_comments(said))
        elif word in FACTS:
            self._facts.read(FACTS[word], head[0], self._without_comments(said))
        elif word == RESHUFFLE:
            self._turns.reshuffle(head[0], said)
        elif (who := called(self._text, head, self._mistakes)) is not None:
            self._turns.read(who, said)

    def _without_comments(self, entry: Entry) -> Entry:
        """Return an entry without comments; those are kept."""
        for token in entry:
            if token.kind == "comment":
                self._turns.comment(token)
        return [token for token in entry if token.kind != "comment"]

    def _player(self, head: Entry, said: Entry) -> None:
        found = player(self._text, head, said, len(self._players) + 1, self._mistakes)
        if len(self._players) == MOST_SEATS:
            self._mistakes.add(head[0], f"there are more than {MOST_SEATS} players", _PLAYER, head[-1])
        else:
            self._players.append(found)

    def _hand(self) -> Hand:
        """Return the record; what it returns after a mistake is of no use."""
        if not self._players:
            self._mistakes.missing("there are no players", _PLAYER)
            self._mistakes.stop()
        names = Names([each.name for each in self._players])
        end = self._facts.end
        if "end" in self._facts.at:
            return self._showdown(names, end or End("declare", []))
        return self._log(names)

    def _log(self, names: Names) -> HandLog:
        if "dealer" not in self._facts.at:
            self._mistakes.missing("it is not said who deals", "[dealer Ann]")
        if "knocker" in self._facts.at:
            at = self._facts.at["knocker"]
            self._mistakes.add(at, "this goes with `End: 31` only", "Ann: knock")
        for each in self._players:
            if each.unclaimed is not None:
                says = "this goes with a record of how a hand ended only, one with `End`"
                self._mistakes.add(each.unclaimed, says, _PLAYER)
        dealer = self._seat(self._facts.dealer, names)
        facts = self._facts
        deal = Deal(self._hands(), facts.up, facts.widow, facts.stock)
        players = tuple([Player(each.lives, each.name, each.redeemed) for each in self._players])
        return HandLog(players, dealer, deal, self._turns.events(names, len(players), dealer))

    def _hands(self) -> tuple[tuple[Card, ...], ...]:
        """Return the dealt hands: those of the players, of whom the last may have none, and those of nobody."""
        hands = [each.cards for each in self._players]
        dealt = [hand for hand in hands if hand]
        if hands[: len(dealt)] != dealt or (self._facts.extra and len(dealt) < len(hands)):
            first = self._players[hands.index(())].token
            self._mistakes.add(first, "hands are dealt in the order of the seats, and this one is missing", _PLAYER)
        hands = [*dealt, *self._facts.extra]
        if len(hands) > _MOST_HANDS:
            self._mistakes.add(self._facts.at["extra"], f"there are more than {_MOST_HANDS} hands", "Extra: Ks 9s 2h")
        return tuple(hands)

    def _showdown(self, names: Names, end: End) -> ShowdownRecord:
        facts = self._facts
        for fact in ("up", "widow", "stock", "extra"):
            if fact in facts.at:
                self._mistakes.add(facts.at[fact], "a record of how a hand ended does not have this", "End: knock Ann")
        first = next((turn.acts[0] for turn in self._turns.turns if turn.acts), None)
        if first is not None:
            self._mistakes.add(first.token, "a record of how a hand ended has no turns", "End: knock Ann")
        for each in self._players:
            if not each.cards:
                self._mistakes.add(each.token, "a record of how a hand ended has the cards of all", _PLAYER)
        if "knocker" in facts.at and end.kind != "declare":
            self._mistakes.add(facts.at["knocker"], "this goes with `End: 31` only", "End: knock Ann")
        players = [ShownPlayer(e.lives, e.cards, e.name, e.redeemed, e.unclaimed is not None) for e in self._players]
        dealer = UNSET if facts.dealer is None else self._seat(facts.dealer, names)
        return ShowdownRecord(tuple(players), self._ending(names, end), dealer)

    def _ending(self, names: Names, end: End) -> Ending:
        seats = [self._seat(who, names) for who in end.who] or [1]
        match end.kind:
            case "knock":
                return KnockEnding(seats[0])
            case "first_knock":
                return FirstKnockEnding(seats[0])
            case "declare":
                knocker = self._facts.knocker
                return DeclareEnding(tuple(seats), UNSET if knocker is None else self._seat(knocker, names))
            case _:
                return StockEnding()

    def _seat(self, who: Called | None, names: Names) -> Seat:
        """Return a seat, and any after a mistake."""
        return (who and names.seat(who, self._mistakes)) or 1
