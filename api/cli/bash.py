"""How Bash is told what completes a word."""

from typing import Any, ClassVar

from click.shell_completion import BashComplete, CompletionItem, add_completion_class


class Bash(BashComplete):
    """Bash, which takes `option=answer` apart at the `=`, and puts a blank behind whatever it has completed."""

    source_template: ClassVar[str] = BashComplete.source_template.replace(
        "    return 0\n", '    [[ "${COMPREPLY[0]}" != *= ]] || compopt -o nospace\n    return 0\n'
    )

    _before = ""
    """What Bash keeps of a word, because it replaces only what is behind the last `=`."""
    _option = ""
    """What it replaces before a value, where `=` is none of its COMP_WORDBREAKS."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete, and what there is of that; what was taken apart is one word."""
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in (*args, incomplete):
            if words and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        last = words.pop()
        is_whole = last == incomplete and last.startswith("-") and "=" in last
        self._option = last[: last.index("=") + 1] if is_whole else ""
        before = last[: last.rfind("=") + 1] if last != incomplete else ""
        self._before = before.partition("=")[2] if before.startswith("-") else before
        return words, last

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return what Bash puts in place of the word."""
        return f"{item.type},{self._option}{item.value.removeprefix(self._before)}"


add_completion_class(Bash)
