"""Facts: what a text says besides the players and their turns."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from schemas.cards import HAND_SIZE, Card
from schemas.notation.cards import card_of, cards_of, not_a_card
from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.names import MOST_SEATS, Called, called
from schemas.notation.rules import Rules
from schemas.notation.scanning import Entry, Token

_EXAMPLES = {
    "dealer": "[dealer Ann]",
    "up": "Up: 5h",
    "widow": "Widow: Ks 9s 2h",
    "stock": "Stock: 9c 4d 7h",
    "end": "End: knock Ann",
    "knocker": "Knocker: Ann",
}


class End(NamedTuple):
    """How a hand ended, with everybody whom the text calls there."""

    kind: str
    """`knock`, `first_knock`, `declare` or `stock`."""
    who: list[Called]


class Facts:
    """The facts of a text as they are read; what it does not have is None, or UNSET as in the record."""

    def __init__(self, text: str, rules: Rules, mistakes: Mistakes) -> None:
        """Begin without any."""
        self._text = text
        self._rules = rules
        self._mistakes = mistakes
        self.at: dict[str, Token] = {}
        """Where each fact that there is was said first."""
        self.extra: list[tuple[Card, ...]] = []
        self.dealer: Called | None = None
        self.up: Card | UnsetType = UNSET
        self.widow: tuple[Card, ...] | UnsetType = UNSET
        self.stock: tuple[Card, ...] | UnsetType = UNSET
        self.end: End | None = None
        self.knocker: Called | None = None

    def read(self, fact: str, word: Token, said: Entry) -> None:
        """Read one fact: its name, the word that it begins with, and what follows."""
        if fact in self.at and fact not in {"rules", "extra"}:
            self._mistakes.add(word, f"{shown(fact)} is said twice", _EXAMPLES[fact])
            return
        self.at.setdefault(fact, word)
        match fact:
            case "rules":
                self._rules.read(word, said)
            case "dealer":
                self.dealer = self._somebody(fact, word, said)
            case "up":
                self._read_up(word, said)
            case "widow":
                self.widow = three_cards(word, said, self._mistakes)
            case "stock":
                self.stock = cards_of(word, said, self._mistakes)
            case "extra":
                self.extra.append(three_cards(word, said, self._mistakes))
            case "end":
                self._read_end(word, said)
            case _:
                self.knocker = self._somebody(fact, word, said)

    def _read_up(self, word: Token, said: Entry) -> None:
        if not said:
            self._mistakes.add(word, "the upcard is missing", _EXAMPLES["up"])
            return
        self.up = card_of(said[0]) or UNSET
        if self.up is UNSET:
            not_a_card(said[0], self._mistakes)
        if len(said) > 1:
            self._mistakes.add(said[1], "there is one upcard only", _EXAMPLES["up"], said[-1])

    def _read_end(self, word: Token, said: Entry) -> None:
        words = [token.word for token in said[:2]]
        kind = {"stock": "stock", "31": "declare", "knock": "knock"}.get(words[0] if words else "")
        rest = said[1:]
        if words == ["first", "knock"]:
            kind, rest = "first_knock", said[2:]
        if kind is None:
            says = "a hand ends by `knock`, `first knock`, `31` or `stock`"
            self._mistakes.add(said[0] if said else word, says, _EXAMPLES["end"], said[-1] if said else word)
        elif kind == "stock":
            self.end = End(kind, [])
            if rest:
                self._mistakes.add(rest[0], "nobody ends a hand by `stock`", "End: stock", rest[-1])
        else:
            self.end = End(kind, self._everybody(kind, said[-1], rest))

    def _everybody(self, kind: str, word: Token, said: Entry) -> list[Called]:
        """Return all who are named, with commas between them; but one where there can be no more."""
        parts: list[Entry] = [[]]
        for token in said:
            if token.text == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        most = MOST_SEATS if kind == "declare" else 1
        if len(parts) > most:
            self._mistakes.add(parts[most][0] if parts[most] else said[-1], "too many are named here", _EXAMPLES["end"])
        found = [self._somebody("end", word, part) for part in parts[:most]]
        return [who for who in found if who is not None]

    def _somebody(self, fact: str, word: Token, said: Entry) -> Called | None:
        if not said:
            self._mistakes.add(word, "a player is missing here", _EXAMPLES[fact])
            return None
        return called(self._text, said, self._mistakes)


def three_cards(word: Token, said: Entry, mistakes: Mistakes) -> tuple[Card, ...]:
    """Return the three cards that have to be named."""
    listed = [token for token in said if token.text != ","]
    if listed and len(listed) != HAND_SIZE:
        mistakes.add(listed[0], f"there have to be {HAND_SIZE} cards here", "Ks 9s 2h", listed[-1])
    return cards_of(word, listed, mistakes)
