"""Answers: the ruling that one version of the engine gives to a question, as bytes that are kept for ever."""

import re

import msgspec
from msgspec import Struct

from engine import VERSION
from engine.adjudicate import adjudicate
from replays.canonical import digest
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import Refused, Ruling, Settled, outcome_of

_encode = msgspec.json.Encoder(order="sorted").encode


class Answer(Struct, frozen=True):
    """A ruling in canonical bytes, with the version of the engine that gave it."""

    engine: str
    content: bytes

    @property
    def digest(self) -> bytes:
        """Return the SHA-256 of the ruling: 32 bytes."""
        return digest(self.content)


def by_version(answer: Answer) -> tuple[int, ...]:
    """Return what sorts answers by the version of the engine, the oldest first: 0.9.2 before 0.10.0."""
    return tuple(int(number) for number in re.findall("[0-9]+", answer.engine))


def judge(hand: Hand, rules: RuleSet) -> Ruling:
    """Return the ruling of a canonical hand as it is kept: seats for names, and nothing on who attests a rule."""
    return adjudicate(hand, rules, silent=None)


def answer(ruling: Ruling) -> Answer:
    """Return a ruling of `judge` as the answer of this version of the engine."""
    return Answer(VERSION, _encode(ruling))


def traits(ruling: Ruling) -> tuple[str, ...]:
    """Return what a replay with this answer can be found by: its outcome, its ending, its players, the rules cited."""
    found = [trait("outcome", outcome_of(ruling)), trait("players", len(ruling.seats))]
    citations = ruling.citations
    if isinstance(ruling, Settled):
        found.append(trait("ended_by", ruling.ended_by))
    elif isinstance(ruling, Refused):
        citations = (*citations, *ruling.broken)
    cited = dict.fromkeys([citation.rule for citation in citations])
    return (*found, *[trait("cites", rule) for rule in cited])


def trait(kind: str, value: object) -> str:
    """Return a trait as it is written: `cites=lose.lowest`."""
    return f"{kind}={value}"
