"""How the rules are shown that decided something."""

from collections.abc import Iterable

from api.cli.printing import Page
from schemas.rules import RuleSet, form_of
from schemas.ruling import Citation


def cite(page: Page, citations: Iterable[Citation], rules: RuleSet) -> None:
    """Show rules that were applied: what each says, its id, and the answer that it follows from."""
    for cited in citations:
        notes = [cited.rule]
        if cited.option is not None:
            answer = form_of(rules) if cited.option == "form" else getattr(rules, cited.option)
            notes.append(f"{cited.option}={answer}")
        if cited.stated is False:
            notes.append("our reading")
        page.item(cited.says, ", ".join(notes))
