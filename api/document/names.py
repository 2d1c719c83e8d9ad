"""Names for what the Structs leave without one, so that generated clients have types to call by name.

A `Literal` or a union of Structs has no name of its own: msgspec writes it out wherever it is used. Names are part of
what clients are written against, and are not changed. An enum without a name here fails a test.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import fields

from api.example_views import Distinction, Example
from api.sheets.typesetting import Paper
from engine.cuts import CutRule
from engine.examples.catalogue import ScenarioId
from engine.presets import PresetId
from engine.rulebook import RULE_BY_ID
from replays.rerun import Drift
from schemas.game import GameHand, GameOutcome
from schemas.hand import Ending, Event, Hand
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS, RuleSet, StockRules, WidowRules
from schemas.ruling import CountsAs, EndedBy, EventType, RefusalKind, Ruling, Status


class Name(Struct, frozen=True):
    """A name for a type, and what it is."""

    name: str
    type: Any
    description: str


_UNIONS = (
    Name("Hand", Hand, "Either record of a hand: a full `log`, or a `showdown`, which is only how it ended."),
    Name("GameHand", GameHand, "Either record of a hand of a game: a full `log`, or a `showdown`."),
    Name("Event", Event, "One act at the table."),
    Name("Ending", Ending, "How a hand ended."),
    Name("Ruling", Ruling, "The answer to a hand under a rule set, by its outcome."),
    Name("RuleSet", RuleSet, "A complete set of house rules, by the form of the game."),
    Name(
        "WorkedExample", Example | Distinction, "A worked example: of a scenario, or of what distinguishes rule sets."
    ),
)
_WORDS = (
    Name("PresetId", PresetId, "A preset's id. A house name alone means several games."),
    Name("ScenarioId", ScenarioId, "Id of a scenario; `GET /v1/scenarios` tells of each."),
    Name("RuleId", Literal[tuple(RULE_BY_ID)], "Id of a rule; `GET /v1/rulebook/{rule}` tells of each."),
    Name("Form", Literal["stock", "widow"], "A form of the game: with a stock and a discard pile, or with a widow."),
    Name("AskedForm", Literal["any", "stock", "widow"], "A form of the game, or any."),
    Name("Outcome", Literal["settled", "refused", "unfinished"], "The outcome of a ruling."),
    Name("KeptOutcome", Literal["settled", "refused"], "The outcome of a ruling that is kept."),
    Name("EndedBy", EndedBy, "What ended a hand."),
    Name("Status", Status, "In with lives, on the county without lives but still in, or out of the game."),
    Name("CountsAs", CountsAs, "What a value rests on: the best suit, three of a kind, or a 31 not shown in time."),
    Name("RefusalKind", RefusalKind, "Whether a record contradicts itself, or a rule forbids an event of it."),
    Name(
        "RuleKind",
        Literal["impossible", "illegal", "decides"],
        "What a rule is for: to refuse what is impossible, or illegal, or to decide.",
    ),
    Name("EventType", EventType, "A type of event."),
    Name("GameOutcome", GameOutcome, "Whether a game is over, under way, or refused at a hand that does not follow."),
    Name(
        "RerunResult",
        Literal["same", "drifted", "other_rules"],
        "How a ruling of now compares with the stored one, or that it cannot, being by other rules.",
    ),
    Name("Drift", Drift, "Whether the decision has changed, or only the wording."),
    Name("CutRule", CutRule, "Whether the lowest or the highest card deals."),
    Name("Paper", Paper, "A size of paper."),
)


def _option_names() -> Iterator[Name]:
    """Yield a name for the answers to each option, with `Widow` in front where the forms declare them differently."""
    for form, options in ((StockRules, STOCK_OPTIONS), (WidowRules, WIDOW_OPTIONS)):
        for field in fields(form):
            option = options[field.name]
            if form is WidowRules and STOCK_OPTIONS.get(field.name) == option:
                continue
            is_taken = form is WidowRules and field.name in STOCK_OPTIONS
            name = f"{'Widow' if is_taken else ''}{field.name.title().replace('_', '')}Choice"
            yield Name(name, field.type, option.question)


NAMES = (*_UNIONS, *_WORDS, *_option_names())
