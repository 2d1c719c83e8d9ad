"""What a shell completes: presets, house rules and their answers, scenarios."""

from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem

from engine.presets import PRESETS
from schemas.rules import STOCK_OPTIONS, WIDOW_OPTIONS

_OPTIONS = {**WIDOW_OPTIONS, **STOCK_OPTIONS}

ALL_PRESETS = "all-presets"
"""What stands for all presets where rule sets are compared."""
Items = list[CompletionItem[str]]


def complete_preset(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Return the presets that begin so."""
    return [CompletionItem(each.id, help=each.name) for each in PRESETS if each.id.startswith(incomplete.lower())]


def complete_rule_sets(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the presets that begin so, and what stands for all of them."""
    every = [CompletionItem(ALL_PRESETS, help="every preset of the form of the game that the hand is of")]
    return [*complete_preset(context, parameter, incomplete), *(every if ALL_PRESETS.startswith(incomplete) else [])]


def complete_answer(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Return how a house rule can go on: with the name of an option, or after `=` with an answer to it."""
    return list(_answers(incomplete))


def complete_scenario(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Return the scenarios that begin so."""
    from engine.examples.catalogue import SCENARIOS  # noqa: PLC0415 - other completions need not wait for it

    return [CompletionItem(each.id, help=each.title) for each in SCENARIOS if each.id.startswith(incomplete.lower())]


def _answers(incomplete: str) -> Iterator[CompletionItem[str]]:
    option, is_named, begun = incomplete.partition("=")
    name = option.replace("-", "_")
    if not is_named:
        for each, declared in _OPTIONS.items():
            if each.startswith(name):
                yield CompletionItem(f"{each}=", help=declared.question)
    elif name in _OPTIONS:
        for answer in _OPTIONS[name].answers:
            if str(answer.answer).startswith(begun):
                yield CompletionItem(f"{option}={answer.answer}", help=answer.says)
