"""Questions: the hands that a text or JSON asks about, and the rules and claims that come with them."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from api.cli.choosing import Asked, Chosen, NotTogetherError
from api.cli.completing import ALL_PRESETS
from api.cli.pointing import NotUnderstoodError, Trouble
from api.cli.texts import Source
from api.misfits import UNKNOWN_FIELD, Misfit, misfits, placed
from engine.presets import DEFAULT_PRESET, PRESET_BY_ID, RuleChoice
from schemas.changes import changes_of_answers
from schemas.disputes import Claim
from schemas.hand import Hand
from schemas.notation import Mistake, NotatedRules, NotationError, event_places, rules_places
from schemas.notation import read as read_notation

_MOST_TROUBLES = 50
_HAND = re.compile(r"/hand(?:s/[0-9]+)?\Z")
"""Where a hand stands in what asks about it."""
_EVENT = re.compile(r"[^\s;{#]+")
_BYTE = re.compile(r" \(byte (?P<at>[0-9]+)\)\Z")


class Question(Struct, frozen=True):
    """A hand, and what else was said with it."""

    hand: Hand
    source: Source
    pointer: str | None = None
    """Where the hand stands in the source, if that is JSON; None if it is in the text notation."""
    choices: tuple[RuleChoice, ...] = ()
    all_presets: bool = False
    claims: tuple[Claim, ...] = ()

    def chosen(self, asked: Asked) -> Chosen:
        """Return the rules to go by: those of the command line, or else its own, or else the standard game's.

        Raises NotUnderstoodError if it has several rule sets, or for answers that do not go together.
        """
        if asked.preset is None and (self.all_presets or len(self.choices) > 1):
            says = "Several rule sets are named here; `thirtyone compare` takes them all, and `--rules` chooses one."
            raise NotUnderstoodError(self._about_rules(says, len(self.choices) - 1))
        return self.chosen_of(0, asked) if self.choices else asked.over()

    def chosen_of(self, place: int, asked: Asked) -> Chosen:
        """Return one of its own rule sets, as far as those of the command line leave it.

        Raises NotUnderstoodError for answers that do not go together.
        """
        try:
            return asked.over(self.choices[place])
        except NotTogetherError as error:
            if error.troubles[0].line is not None:  # it points at the command line
                raise
            trouble = self._about_rules(error.troubles[0].says, place, error.options)
            raise NotUnderstoodError(trouble, kind=error.kind) from None

    def _about_rules(self, says: str, place: int, options: Sequence[str] = ()) -> Trouble:
        """Return what is wrong with a rule set that was said with the hand, at the first of the options it answers."""
        if self.pointer is None:
            places = rules_places(self.source.text)[place]
            return self.source.trouble(says, *next(places[each] for each in (*options, "rules") if each in places))
        pointer = f"{_HAND.sub('', self.pointer)}/rules"
        if options and len(self.choices) > 1:
            pointer = f"{pointer}/{place}"
        changes = self.choices[place].changes if options else UNSET
        option = next((each for each in options if getattr(changes, each, UNSET) is not UNSET), None)
        return self.source.trouble_at(says, f"{pointer}/changes/{option}" if option else pointer, of_key=True)

    def trouble_with_claim(self, says: str, place: int, field: str) -> Trouble:
        """Return what is wrong with a claim that was said with the hand."""
        return self.source.trouble_at(says, f"{_HAND.sub('', self.pointer or '')}/claims/{place}/{field}")

    def at_event(self, event: int) -> Trouble:
        """Return where an event stands, as if there were something wrong with it."""
        text = self.source.text
        if self.pointer is None:
            begin = event_places(text)[event]
            found = _EVENT.match(text, begin)
            return self.source.trouble("", begin, found.end() if found else begin)
        pointer = f"{self.pointer}/events/{event}"
        trouble, written = self.source.trouble_at("", pointer), self.source.written_at(pointer)
        # It may be written on several lines.
        return trouble if written in trouble.source else trouble._replace(column=1, length=len(written), source=written)


class Found(NamedTuple):
    """A hand in JSON that may have several, or why it is not understood."""

    at: str
    """JSON Pointer to it; nothing where there is only one."""
    asked: Question | NotUnderstoodError


class _Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What the service is asked about one hand, whichever operation it is."""

    hand: Hand
    rules: RuleChoice | tuple[RuleChoice, ...] | Literal["all-presets"] | UnsetType = UNSET
    claims: tuple[Claim, ...] = ()


class _Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Hands under one rule set, none of which spoils the others."""

    hands: tuple[Raw, ...]
    rules: RuleChoice | UnsetType = UNSET


def questions_in_json(source: Source) -> Iterator[Found]:
    """Yield every hand of a JSON text: a record, a request, a batch, or an array of these."""
    yield from _within(source, source.content, "")


def question_in_text(source: Source) -> Question:
    """Return the hand that is in the text notation; raise NotUnderstoodError."""
    if not source.text.strip():
        raise NotUnderstoodError(Trouble("There is nothing in it.", source.name), kind="not-decodable")
    try:
        said = read_notation(source.text, PRESET_BY_ID)
    except NotationError as error:
        raise NotUnderstoodError(*[_mistaken(source, each) for each in error.mistakes]) from None
    return Question(said.hand, source, choices=tuple(map(_choice, said.rules)))


def _within(source: Source, content: bytes | Raw, pointer: str) -> Iterator[Found]:
    try:
        found: Any = _decoded(source, content, dict[str, Raw] | tuple[Raw, ...], pointer)
        if isinstance(found, tuple):
            for place, each in enumerate(found):
                yield from _within(source, each, f"{pointer}/{place}")
        elif "hands" in found:
            yield from _of_batch(source, _decoded(source, content, _Batch, pointer), pointer)
        elif "kind" in found:
            yield Found(pointer, _of_hand(source, content, pointer))
        else:
            yield Found(pointer, _of_request(source, _decoded(source, content, _Request, pointer), pointer))
    except NotUnderstoodError as error:
        yield Found(pointer, error)


def _of_request(source: Source, request: _Request, pointer: str) -> Question:
    rules = request.rules
    choices = rules if isinstance(rules, tuple) else (rules,) if isinstance(rules, RuleChoice) else ()
    all_presets = rules == ALL_PRESETS
    return Question(request.hand, source, f"{pointer}/hand", choices, all_presets, request.claims)


def _of_batch(source: Source, batch: _Batch, pointer: str) -> Iterator[Found]:
    for place, content in enumerate(batch.hands):
        at = f"{pointer}/hands/{place}"
        try:
            yield Found(at, _of_hand(source, content, at, batch.rules))
        except NotUnderstoodError as error:
            yield Found(at, error)


def _of_hand(source: Source, content: bytes | Raw, pointer: str, rules: RuleChoice | UnsetType = UNSET) -> Question:
    hand: Hand = _decoded(source, content, Hand, pointer)
    return Question(hand, source, pointer, () if rules is UNSET else (rules,))


def _decoded(source: Source, content: bytes | Raw, wanted: Any, pointer: str) -> Any:  # noqa: ANN401 - any type
    """Return JSON as a value of a type; raise NotUnderstoodError with every place that does not fit."""
    try:
        return msgspec.json.decode(content, type=wanted)
    except msgspec.ValidationError as error:
        first = placed(str(error), pointer)
    except RecursionError:
        raise NotUnderstoodError(source.trouble_begun("It is nested too deeply."), kind="not-decodable") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotUnderstoodError(_malformed(source, str(error)), kind="not-decodable") from None
    found = _all_misfits(content, wanted, pointer) or [first]
    raise NotUnderstoodError(*[_misplaced(source, each) for each in found])


def _all_misfits(content: bytes | Raw, wanted: Any, pointer: str) -> list[Misfit]:  # noqa: ANN401 - any type
    try:
        return list(islice(misfits(msgspec.json.decode(content), wanted, pointer), _MOST_TROUBLES))
    except (msgspec.MsgspecError, RecursionError, TypeError, ValueError):  # what only the typed decoder understands
        return []


def _misplaced(source: Source, misfit: Misfit) -> Trouble:
    """Return what is wrong at a place that does not fit."""
    return source.trouble_at(misfit.message, misfit.pointer, of_key=misfit.message.startswith(UNKNOWN_FIELD))


def _malformed(source: Source, message: str) -> Trouble:
    """Return what is wrong with a text that is no JSON, where the decoder stopped."""
    text, where = source.text, _BYTE.search(message)
    if where is None:
        return source.trouble("The JSON ends before it is complete.", len(text.rstrip()), len(text.rstrip()))
    says = message[: where.start()].removeprefix("JSON is malformed: ")
    byte = int(where["at"]) - says.startswith("trailing characters")  # of which it has looked at the first
    at = len(source.content[:byte].decode(errors="ignore"))
    return source.trouble(f"This is no JSON: {says}.", at, at + 1)


def _mistaken(source: Source, mistake: Mistake) -> Trouble:
    """Return what is wrong at a place in the text notation."""
    says = f"{mistake.says[:1].upper()}{mistake.says[1:]}. For example: `{mistake.example}`."
    return source.trouble_on(mistake.line, mistake.column, mistake.length, says)


def _choice(rules: NotatedRules) -> RuleChoice:
    preset = DEFAULT_PRESET if rules.preset is UNSET else rules.preset
    return RuleChoice(preset, changes_of_answers(rules.changes) if rules.changes else UNSET)
