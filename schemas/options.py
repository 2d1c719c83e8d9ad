"""How a rule option is declared: the question, each answer with its sentence, and who attests it.

An option is one annotated field of a rule set. What `option` and `number` return is msgspec metadata, so the
field's declaration is at once its type, its validation, its JSON Schema and its documentation.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from schemas.sources import SOURCE_BY_CODE, Code

Choice = Annotated[str, Meta(max_length=32)] | Annotated[int, Meta(ge=0, le=99)]
"""An answer as it stands in a rule set: a word or a number."""

Section = Literal["game", "deal", "turn", "values", "knock", "thirty_one", "losing", "empty_stock", "end"]
"""Where a rule sheet says the sentence of an option."""

Sentence = Annotated[str, Meta(max_length=500, description="One sentence of rule text.")]
Codes = Annotated[
    tuple[Code, ...],
    Meta(max_length=16, description="Who attests it: codes of `sources`.", examples=[["S0"]]),
]


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """One allowed answer to an option's question."""

    answer: Annotated[Choice, Meta(description="The value to put into a rule set.")]
    says: Sentence
    sources: Codes


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A question on which tables differ, with every answer that is supported, the standard one first."""

    question: Annotated[str, Meta(max_length=500, description="The question that the option answers.")]
    answers: Annotated[tuple[Answer, ...], Meta(max_length=40, description="Every allowed answer.")]
    section: Section

    def says(self, choice: Choice) -> str:
        """Return the sentence of rule text for an answer; raise KeyError for one that is not allowed."""
        return self._answer(choice).says

    def sources(self, choice: Choice) -> tuple[str, ...]:
        """Return the codes of the sources that attest an answer; raise KeyError for one that is not allowed."""
        return self._answer(choice).sources

    def _answer(self, choice: Choice) -> Answer:
        for answer in self.answers:
            if answer.answer == choice:
                return answer
        raise KeyError(choice)


def answer(choice: Choice, says: str, sources: str) -> Answer:
    """Return one answer of an option: its sentence of rule text, and the codes of its sources, spaced."""
    return Answer(choice, says, tuple(SOURCE_BY_CODE[code].code for code in sources.split()))


def option(section: Section, question: str, *answers: Answer) -> Meta:
    """Return the metadata of an option with worded answers; the first answer is the standard game's."""
    return _meta(Option(question, answers, section))


def number(section: Section, question: str, standard: Answer, *others: Answer) -> Meta:
    """Return the metadata of an option that is answered by a whole number in one unbroken range."""
    chosen = [standard.answer, *(other.answer for other in others)]
    numbers = [choice for choice in chosen if isinstance(choice, int)]
    return _meta(Option(question, (standard, *others), section), ge=min(numbers), le=max(numbers))


def each(numbers: Iterable[int], one: str, many: str, sources: str, attested: Mapping[int, str]) -> list[Answer]:
    """Return an answer for each number; `many` has `{n}` for it, `attested` names other sources for some."""
    return [answer(n, (one if n == 1 else many).format(n=n), attested.get(n, sources)) for n in numbers]


def _meta(declared: Option, ge: int | None = None, le: int | None = None) -> Meta:
    answers = [{"answer": a.answer, "says": a.says, "sources": list(a.sources)} for a in declared.answers]
    return Meta(
        title=declared.question,
        description=" ".join([declared.question, *_listed(declared.answers)]),
        ge=ge,
        le=le,
        extra_json_schema={"x-answers": answers},
        extra={"option": declared},
    )


def _listed(answers: tuple[Answer, ...]) -> list[str]:
    """Return a line for each answer; of a long range of numbers the standard and both ends will do."""
    shown = (
        answers if len(answers) <= _FEW else (answers[0], min(answers, key=_as_number), max(answers, key=_as_number))
    )
    return [f"`{a.answer}`: {a.says}" for a in dict.fromkeys(shown)]


def _as_number(declared: Answer) -> int:
    return int(declared.answer)


_FEW = 6
