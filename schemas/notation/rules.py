"""Rules: the preset and the answers that a text names, as one rule set each."""

import re
from collections.abc import Container

from msgspec import UNSET, UnsetType

from schemas.notation.mistakes import Mistakes, shown
from schemas.notation.notated import NotatedRules
from schemas.notation.scanning import Entry, Token
from schemas.options import Choice
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS

_EXAMPLE = "[rules pagat knocker_tie=shares]"
_PART = re.compile(r"\S+")


def _answers() -> dict[str, dict[str, Choice]]:
    """Return what each option can be answered by, as it is written; an option has the same answers in both forms."""
    options = [*STOCK_OPTIONS.items(), *WIDOW_OPTIONS.items()]
    return {name: {str(each.answer): each.answer for each in option.answers} for name, option in options}


ANSWERS = _answers()


class Rules:
    """Reads rule sets. `presets` are the ids that there are; any will do where it is None."""

    def __init__(self, text: str, presets: Container[str] | None, mistakes: Mistakes) -> None:
        """Begin without any."""
        self._text = text
        self._presets = presets
        self._mistakes = mistakes
        self.sets: list[NotatedRules] = []
        """What was read, in order."""
        self.places: list[dict[str, Token]] = []
        """Where each of these stands: the word `rules` that it begins with, and each option that it answers."""

    def read(self, word: Token, said: Entry) -> None:
        """Read one rule set: the word that it begins with, and what follows."""
        preset: str | UnsetType = UNSET
        self.places.append({"rules": word})
        changes: dict[str, Choice] = {}
        first, last = (said[0].at, said[-1].end) if said else (0, 0)
        for found in _PART.finditer(self._text, first, last):
            part = Token("word", found[0], found.start())
            option, has_answer, answer = part.word.partition("=")
            if has_answer:
                self._change(part, option, answer, changes)
            elif preset is not UNSET:
                self._mistakes.add(part, "a rule set has one preset, and answers as `option=answer`", _EXAMPLE)
            else:
                preset = self._preset(part)
        self.sets.append(NotatedRules(preset, changes))

    def _preset(self, part: Token) -> str:
        if self._presets is not None and part.word not in self._presets:
            self._mistakes.add(part, f"there is no preset {shown(part.text)}", _EXAMPLE)
        return part.word

    def _change(self, part: Token, option: str, answer: str, changes: dict[str, Choice]) -> None:
        """Note one answer, with any dashes for underscores, and ½ for .5."""
        option = option.replace("-", "_")
        answers = ANSWERS.get(option)
        if answers is None:
            self._mistakes.add(part, f"there is no option {shown(option)}", _EXAMPLE)
            return
        choice = answers.get(answer.replace("-", "_").replace("½", ".5"))
        if choice is None:
            some = ", ".join(f"`{each}`" for each in list(answers)[:6])
            self._mistakes.add(
                part, f"`{option}` cannot be {shown(answer)}, but {some}", f"{option}={next(iter(answers))}"
            )
        elif option in changes:
            self._mistakes.add(part, f"`{option}` is answered twice", _EXAMPLE)
        else:
            changes[option] = choice
            self.places[-1][option] = part
