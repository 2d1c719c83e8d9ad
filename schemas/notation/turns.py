"""Turns: what players did, from the words of a text to the events of a log."""

from collections.abc import Callable
from typing import Literal, NamedTuple, NoReturn

from msgspec import UNSET

from schemas.hand import Declare, Discard, DrawStock, Event, Exchange, Knock, Reshuffle, Stand, TakeDiscard
from schemas.notation.cards import card_of, cards_of, not_a_card
from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.names import RESHUFFLE, Called, Names
from schemas.notation.notated import Comment
from schemas.notation.scanning import Entry, Token

MOST_EVENTS = 2000
_TURN = "Ann: +Qh -4d"


class Act(NamedTuple):
    """Something that a player does; who it is comes later."""

    token: Token
    event: Callable[[int], Event]
    """From the seat to the event."""
    turn: Literal["begins", "ends", "stays"]
    """What it does to the turn."""


class Turn(NamedTuple):
    """An entry's acts, all by one player."""

    who: Called | None
    acts: list[Act]


_WORDS: dict[str, Callable[[Token], Act]] = {
    **dict.fromkeys(("knock", "knocks"), lambda token: Act(token, Knock, "ends")),
    **dict.fromkeys(("stand", "stands"), lambda token: Act(token, Stand, "ends")),
    **dict.fromkeys(("31", "declare", "declares"), lambda token: Act(token, Declare, "stays")),
    RESHUFFLE: lambda token: Act(token, lambda _: Reshuffle(), "stays"),
}
_SWAPS = frozenset({"swap", "swaps", "exchange", "exchanges"})
_NOTES = frozenset({"comment", "query"})
_KNOWN = _WORDS.keys() | _SWAPS


class Turns:
    """The turns of a text as they are read, with marks and comments."""

    def __init__(self, mistakes: Mistakes) -> None:
        """Begin without any."""
        self._mistakes = mistakes
        self._count = 0
        self._disputed: list[int] = []
        self.turns: list[Turn] = []
        self.comments: list[Comment] = []

    @property
    def disputed(self) -> tuple[int, ...]:
        """Return the positions of the events that are marked, each once."""
        return tuple(dict.fromkeys(self._disputed))

    def comment(self, token: Token) -> None:
        """Keep a comment on the event before it, or on the hand if there is none."""
        if not token.text.endswith("}"):
            self._mistakes.add(token, "a comment ends on its line, with `}`", "{Dan took his time}")
        elif says := " ".join(token.text[1:-1].split()):
            self.comments.append(Comment(self._count - 1 if self._count else None, says))

    def reshuffle(self, token: Token, tokens: Entry) -> None:
        """Read a reshuffle that gives the new stock."""
        last = next((at for at, each in enumerate(tokens) if each.kind in _NOTES), len(tokens))
        stock = cards_of(token, tokens[:last], self._mistakes)
        turn = self._begin(None)
        self._note(turn, Act(token, lambda _: Reshuffle(stock), "stays"))
        self._read(turn, tokens[last:])

    def read(self, who: Called | None, tokens: Entry) -> None:
        """Read the acts of one player."""
        turn = self._begin(who)
        self._read(turn, tokens)
        if who is not None and all(token.kind in _NOTES for token in tokens):
            self._mistakes.add(who.first, f"nothing is said of what {shown(who.name)} did", _TURN, who.last)

    def events(self, names: Names, players: int, dealer: int) -> tuple[Event, ...]:
        """Return all events; who is not named is the player whose turn it is.

        It begins with the player after the dealer, and passes with every act that ends it.
        """
        found: list[Event] = []
        next_seat = dealer % players + 1
        for turn in self.turns:
            seat = next_seat if turn.who is None else names.seat(turn.who, self._mistakes)
            if seat is None:
                continue
            for act in turn.acts:
                found.append(act.event(seat))
                if act.turn != "stays":
                    next_seat = seat % players + 1 if act.turn == "ends" else seat
        return tuple(found)

    def _begin(self, who: Called | None) -> Turn:
        turn = Turn(who, [])
        self.turns.append(turn)
        return turn

    def _read(self, turn: Turn, tokens: Entry) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.kind == "comment":
                self.comment(token)
                at += 1
            elif token.kind == "query":
                self._mark(token)
                at += 1
            elif token.kind == "sign":
                at = self._with_card(turn, tokens, at)
            elif token.word in _WORDS:
                self._note(turn, _WORDS[token.word](token))
                at += 1
            elif token.word in _SWAPS:
                at = self._swap(turn, tokens, at)
            else:
                at = self._not_understood(tokens, at)

    def _mark(self, token: Token) -> None:
        if not self._count:
            self._mistakes.add(token, "there is no event before this mark", f"{_TURN} ?")
        else:
            self._disputed.append(self._count - 1)

    def _with_card(self, turn: Turn, tokens: Entry, at: int) -> int:
        """Read a sign, and the card that goes with it; return where it goes on."""
        sign, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        is_unknown = after is not None and after.kind == "query" and after.at == sign.end
        card = card_of(after) if after is not None else None
        is_wrong = card is None and after is not None and after.kind == "word" and after.word not in _KNOWN
        if sign.text == "-" and card is None:
            if after is not None and (is_wrong or is_unknown):
                not_a_card(after, self._mistakes)
            else:
                self._mistakes.add(sign, "the card that was discarded is missing", "-4d")
        elif is_wrong and after is not None:
            not_a_card(after, self._mistakes)
        self._note(turn, _act_of(sign, card))
        return at + (2 if card is not None or is_unknown or is_wrong else 1)

    def _swap(self, turn: Turn, tokens: Entry, at: int) -> int:
        """Read an exchange; return where it goes on."""
        token, middle = tokens[at], None
        end = at = at + 1
        while end < len(tokens) and _goes_on(tokens[end]):
            if middle is None and tokens[end].word == "for":
                middle = end
            end += 1
        if middle is None:
            says = "an exchange names the cards that are given, `for`, and the cards that are taken"
            self._mistakes.add(token, says, "swap 4d for Qh", tokens[end - 1])
            return end
        give = cards_of(tokens[middle], tokens[at:middle], self._mistakes)
        take = cards_of(tokens[middle], tokens[middle + 1 : end], self._mistakes)
        self._note(turn, Act(token, lambda seat: Exchange(seat, give, take), "ends"))
        return end

    def _not_understood(self, tokens: Entry, at: int) -> int:
        """Tell of all that follows and is no act; return where there is one again."""
        end = at + 1
        while end < len(tokens) and tokens[end].kind in {"word", "quoted", "mark"} and tokens[end].word not in _KNOWN:
            end += 1
        first, last = tokens[at], tokens[end - 1]
        if card_of(first):
            says = f"{shown(first.text)} is neither drawn nor discarded; and cards that are dealt come after the lives"
            self._mistakes.add(first, says, "Ann(3): As Ks 4d", last)
        else:
            said = first.text if first is last else f"{first.text} …"
            self._mistakes.add(first, f"{shown(said)} is not understood", _TURN, last)
        return end

    def _note(self, turn: Turn, act: Act) -> None:
        if self._count == MOST_EVENTS:
            self._too_many(act)
        before = turn.acts[-1] if turn.acts else None
        if act.event is Declare:
            if before is None and turn.who is None:
                says = "nobody could tell who shows this 31; name the player, or put it behind the turn that made it"
                self._mistakes.add(act.token, says, "Ann: 31")
        elif before is not None and not (before.turn == "begins" and act.turn == "ends" and act.token.text == "-"):
            self._mistakes.add(act.token, "another turn begins here, and needs an entry of its own", "+Qh -4d; knock")
        turn.acts.append(act)
        self._count += 1

    def _too_many(self, act: Act) -> NoReturn:
        self._mistakes.add(act.token, f"there are more than {MOST_EVENTS:,} events", _TURN)
        self._mistakes.stop()


def _goes_on(token: Token) -> bool:
    """Return whether a token can be part of a list of cards."""
    return token.text == "," or (token.kind == "word" and token.word not in _KNOWN)


def _act_of(sign: Token, card: object) -> Act:
    """Return what a sign and a card mean; without a card a discard is a mistake that was told already."""
    given = UNSET if card is None else card
    if sign.text == "-":
        return Act(sign, lambda seat: Discard(seat, given), "ends")  # type: ignore[arg-type] # as just said
    kind = DrawStock if sign.text == "+" else TakeDiscard
    return Act(sign, lambda seat: kind(seat, given), "begins")  # type: ignore[arg-type] # a card, or none
