"""Score sheets: a row for each player, boxes for the lives, and a column for each hand of an evening."""

from collections.abc import Sequence

from api.sheets.typesetting import Paper, typeset
from engine.readings import has_county
from schemas.rules import RuleSet, StockRules, options_of

MOST_PLAYERS = 16
"""As many as a hand can have."""

_REMINDERS = {
    "stock": ("knocker_alone", "knocker_tie", "lowest_tie", "thirty_one_cost", "knocker_on_31", "county"),
    "widow": ("exchange", "first_knock", "thirty_one", "pot_tie"),
}
"""The options whose answers a table asks for when it writes down a hand."""


def score_pdf(title: str, rules: RuleSet, players: int, names: Sequence[str], paper: Paper) -> bytes:
    """Return a score sheet of one page for so many players, blank where there is no name for one.

    Raises PdfUnavailableError without a typesetter, and ValueError for a number of players that no hand can have.
    """
    if not 1 <= players <= MOST_PLAYERS:
        raise ValueError(f"A score sheet is for 1 to {MOST_PLAYERS} players, not {players}.")
    given = list(names[:players])
    data = {
        "title": title,
        "names": given + [""] * (players - len(given)),
        "reminders": _reminders(rules),
        "pot": not isinstance(rules, StockRules),
        "lives": rules.lives if isinstance(rules, StockRules) else 0,
        "county": isinstance(rules, StockRules) and has_county(rules),
        "redemption": isinstance(rules, StockRules) and rules.redemption != "none",
    }
    return typeset("score.typ", paper, data)


def _reminders(rules: RuleSet) -> list[str]:
    """Return the sentences of the rules that settle a hand."""
    options = options_of(rules)
    names = _REMINDERS["stock" if isinstance(rules, StockRules) else "widow"]
    return [options[name].says(getattr(rules, name)) for name in names]
