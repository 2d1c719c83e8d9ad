"""Worked examples told: from what was made to the answer that clients see, with each hand in Markdown."""

from collections.abc import Iterable

from api.example_views import Distinction, Example, ExampleAnswer, LeftOut
from engine import VERSION
from engine.examples.distinguish import Distinction as Found
from engine.examples.distinguish import Distinctions
from engine.examples.markdown import as_markdown, escaped
from engine.examples.narrative import narrate
from engine.presets import RuleChoice
from schemas.examples import NoStory, Story


def answer_of_stories(choice: RuleChoice, stories: Iterable[Story | NoStory]) -> ExampleAnswer:
    """Return the answer that tells of hands made under the rules of a choice, and of what there is no hand of."""
    made, left_out = [], []
    for told in stories:
        if isinstance(told, NoStory):
            left_out.append(LeftOut(told.why, scenario=told.scenario))
        else:
            narrative = as_markdown(told.passages)
            made.append(Example(told.scenario, told.title, told.hand, choice, told.ruling, narrative))
    return ExampleAnswer(VERSION, tuple(made), tuple(left_out))


def answer_of_differences(found: Distinctions) -> ExampleAnswer:
    """Return the answer that tells of what distinguishes two rule sets."""
    return ExampleAnswer(
        VERSION,
        tuple([_distinction(each) for each in found.found]),
        tuple([LeftOut(each.why, option=each.option) for each in found.missing]),
        found.says,
        found.tried,
    )


def _distinction(found: Found) -> Distinction:
    """Return a distinction as clients see it."""
    told = as_markdown(narrate(found.hand, found.rulings[0]))
    return Distinction(
        found.option,
        found.answers,
        found.title,
        found.hand,
        found.rules,
        found.rulings,
        found.says,
        f"{told}\nWith {found.named}, {escaped(found.what)}.\n",
    )
