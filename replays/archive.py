"""The archive: replays as lines of JSON, to be taken elsewhere. `docs/archives.md` describes the format.

A line holds the stored bytes of the question and of every answer themselves, so that whoever reads it can check the
replay's id and the answers' digests against them. It is in canonical form as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NoReturn

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from engine import VERSION
from replays.answers import Answer, trait
from replays.canonical import FORMAT, Question, canonical_hand, digest, question_of
from replays.faults import DamagedReplayError
from replays.finding import Stored
from replays.lines import Line
from replays.records import Record
from schemas.hand import Hand
from schemas.rules import RuleSet
from schemas.ruling import EndedBy, Refused, Settled

MEGABYTE = 1_000_000
MOST_BYTES = 64 * MEGABYTE
"""Bytes that a line may have; the longest question and a hundred answers to it have fewer."""

_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,32}")
_LONGEST_REASON = 200


class ArchiveError(ValueError):
    """A line that is no replay; the message is a sentence that names the line and says why."""

    def __init__(self, line: Line, why: str) -> None:
        """Say which line and why."""
        super().__init__(f"Line {line.number}: {why}")


def line_of(stored: Stored) -> bytes:
    """Return a stored replay as a line, with its end; raise DamagedReplayError if it is not what was kept."""
    if not stored.sound:
        raise DamagedReplayError(stored.id)
    answers = b",".join([_answer(answer) for answer in stored.answers])
    return b'{"answers":[%b],"question":%b,"replay":"%b"}\n' % (answers, stored.question.content, stored.id.encode())


def _answer(answer: Answer) -> bytes:
    parts = (answer.digest.hex().encode(), msgspec.json.encode(answer.engine), answer.content)
    return b'{"digest":"%b","engine":%b,"ruling":%b}' % parts


class _WrittenAnswer(Struct, forbid_unknown_fields=True):
    digest: str
    engine: str
    ruling: Raw


class _WrittenReplay(Struct, forbid_unknown_fields=True):
    answers: tuple[_WrittenAnswer, ...]
    question: Raw
    replay: str


class _WrittenQuestion(Struct, forbid_unknown_fields=True):
    format: int
    hand: Raw
    rules: Raw


class _WrittenProblem(Struct):
    """What stands in place of a replay that could not be written."""

    title: str


class _OtherLine(Struct):
    problem: _WrittenProblem


class _Cited(Struct):
    rule: str


class _Ruling(Struct):
    """What a replay is found by of any version's ruling; versions may differ in all else."""

    outcome: Literal["settled", "refused"]
    seats: Annotated[tuple[Raw, ...], Meta(max_length=16)]
    citations: tuple[_Cited, ...]
    ended_by: EndedBy | UnsetType = UNSET
    broken: tuple[_Cited, ...] = ()


_read_replay = msgspec.json.Decoder(_WrittenReplay).decode
_read_question = msgspec.json.Decoder(_WrittenQuestion).decode
_read_hand = msgspec.json.Decoder[Hand](Hand).decode
_read_rules = msgspec.json.Decoder[RuleSet](RuleSet).decode
_read_ruling = msgspec.json.Decoder(_Ruling).decode
_read_ruling_of_ours = msgspec.json.Decoder(Settled | Refused).decode
_read = msgspec.json.Decoder().decode
_pack = msgspec.msgpack.Encoder().encode
_encode = msgspec.json.Encoder(order="sorted").encode


def records_in(line: Line) -> Sequence[Record]:
    """Return what a line has to be kept as: a record for each answer.

    Raises ArchiveError unless it is a replay whose bytes match its id and its digests, and are canonical.
    """
    if line.content is None:
        raise ArchiveError(line, f"It is longer than {MOST_BYTES:,} bytes.")
    try:
        line.content.decode()
        replay = _read_replay(line.content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _refuse(line, error)
    content = bytes(replay.question)
    question, replay_digest = _question(line, content), digest(content)
    if replay_digest.hex() != replay.replay:
        raise ArchiveError(line, "The replay's id is not the SHA-256 of its question.")
    if not replay.answers:
        raise ArchiveError(line, "It has no answer.")
    if len({written.engine for written in replay.answers}) < len(replay.answers):
        raise ArchiveError(line, "It has two answers of one version of the engine.")
    return [Record(replay_digest, question, *_answer_in(line, written)) for written in replay.answers]


def _refuse(line: Line, error: Exception) -> NoReturn:
    """Raise what is wrong with a line that is not written as a replay."""
    try:
        problem = msgspec.json.decode(line.content or b"", type=_OtherLine).problem
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ArchiveError(line, f"It is not written as a replay: {_short(error)}.") from None
    raise ArchiveError(line, f"It has a problem in place of a replay: {problem.title[:_LONGEST_REASON]}.")


def _question(line: Line, content: bytes) -> Question:
    """Return the question that has these very bytes."""
    try:
        written = _read_question(content)
        if written.format != FORMAT:
            raise ArchiveError(line, f"Its question is of format {written.format}, and only {FORMAT} is known.")
        hand, rules = _read_hand(written.hand), _read_rules(written.rules)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ArchiveError(line, f"Its question cannot be read: {_short(error)}.") from None
    question = question_of(canonical_hand(hand), rules)
    if question.content != content:
        raise ArchiveError(line, "Its question is not in canonical form.")
    return question


def _answer_in(line: Line, written: _WrittenAnswer) -> tuple[Answer, Sequence[str]]:
    """Return an answer, and what the replay can be found by for its sake."""
    engine, content = written.engine, bytes(written.ruling)
    if not _VERSION.fullmatch(engine):
        raise ArchiveError(line, "A version of the engine is 1 to 32 letters, digits, dots, dashes and plus signs.")
    if digest(content).hex() != written.digest:
        raise ArchiveError(line, f"The digest of the answer of {engine} is not the SHA-256 of its ruling.")
    try:
        found = tuple(_traits(_read_ruling(content)))
        if engine == VERSION:
            _read_ruling_of_ours(content)
        ruling = _read(content)
        _pack(ruling)  # what can be stored can be shown in either format
    except (msgspec.DecodeError, OverflowError, RecursionError) as error:
        raise ArchiveError(line, f"The ruling of {engine} cannot be read: {_short(error)}.") from None
    if _encode(ruling) != content:
        raise ArchiveError(line, f"The ruling of {engine} is not in canonical form.")
    return Answer(engine, content), found


def _traits(ruling: _Ruling) -> Iterator[str]:
    """Yield what `replays.answers.traits` would return for a ruling, were it of this version of the engine."""
    yield trait("outcome", ruling.outcome)
    yield trait("players", len(ruling.seats))
    if ruling.ended_by is not UNSET:
        yield trait("ended_by", ruling.ended_by)
    for rule in dict.fromkeys([cited.rule for cited in (*ruling.citations, *ruling.broken)]):
        yield trait("cites", rule)


def _short(error: Exception) -> str:
    """Return why something could not be read, without its full stop and not longer than is worth reading."""
    why = str(error)
    if isinstance(error, RecursionError):
        why = "it is nested too deeply"
    elif isinstance(error, UnicodeDecodeError):
        why = "it holds text that is not UTF-8"
    return (why if len(why) <= _LONGEST_REASON else f"{why[:_LONGEST_REASON]}…").removesuffix(".")
