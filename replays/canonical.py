"""Canonical bytes: the one way in which a question is written, so that it has one id on every machine, for ever.

A question is a hand record and a complete rule set. `docs/replay-format.md` describes its bytes for other languages.
"""

from functools import lru_cache
from hashlib import sha256

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from replays.events import canonical_events
from schemas.cards import Card, in_order
from schemas.hand import DeclareEnding, Hand, HandLog, Player, ShowdownRecord, ShownPlayer
from schemas.rules import RuleSet

FORMAT = 1
"""The number of this form. A change of the form is a new number, and questions of the old one keep their ids."""

_PIECE = 2047

_encode = msgspec.json.Encoder(order="sorted").encode


class Question(Struct, frozen=True):
    """A question as canonical bytes: the hand and the rules, each by itself, so that each is stored once."""

    hand: bytes
    rules: bytes
    format: int = FORMAT

    @property
    def content(self) -> bytes:
        """Return the bytes of the whole question."""
        return b'{"format":%d,"hand":%b,"rules":%b}' % (self.format, self.hand, self.rules)

    @property
    def digest(self) -> bytes:
        """Return the SHA-256 of the question: 32 bytes."""
        return digest(self.content)

    @property
    def rule_set(self) -> bytes:
        """Return the SHA-256 of the rules, the id of the rule set: 32 bytes."""
        return digest(self.rules)

    @property
    def id(self) -> str:
        """Return the id of the replay: the digest in hexadecimal."""
        return self.digest.hex()


def question_of(hand: Hand, rules: RuleSet) -> Question:
    """Return the question whether and how a canonical hand is settled under these rules."""
    return Question(_encode(hand), rule_set_content(rules))


@lru_cache(maxsize=1024)
def rule_set_content(rules: RuleSet) -> bytes:
    """Return the canonical bytes of a complete rule set; the id of a rule set is their SHA-256."""
    return _encode(rules)


def digest(content: bytes) -> bytes:
    """Return the SHA-256 of canonical bytes, as 32 bytes.

    In small pieces: for larger ones the interpreter is let go, and to get it back takes longer than all the hashing.
    """
    found = sha256()
    for first in range(0, len(content), _PIECE):
        found.update(content[first : first + _PIECE])
    return found.digest()


def canonical_hand(hand: Hand) -> Hand:
    """Return the record that stands for all that say the same: no names, cards in order, nothing implied."""
    return _canonical_log(hand) if isinstance(hand, HandLog) else _canonical_record(hand)


def _canonical_log(log: HandLog) -> HandLog:
    deal = log.deal
    return replace(
        log,
        players=tuple([Player(player.lives, UNSET, player.redeemed) for player in log.players]),
        deal=replace(deal, hands=tuple(map(in_order, deal.hands)), widow=_ordered(deal.widow)),
        events=canonical_events(deal, log.events),
    )


def _canonical_record(record: ShowdownRecord) -> ShowdownRecord:
    ending = record.ended_by
    if isinstance(ending, DeclareEnding):
        ending = replace(ending, seats=tuple(sorted(set(ending.seats))))
    return replace(record, players=tuple(map(_nameless, record.players)), ended_by=ending)


def _nameless(player: ShownPlayer) -> ShownPlayer:
    return replace(player, name=UNSET, cards=in_order(player.cards))


def _ordered(cards: tuple[Card, ...] | UnsetType) -> tuple[Card, ...] | UnsetType:
    return cards if cards is UNSET else in_order(cards)
