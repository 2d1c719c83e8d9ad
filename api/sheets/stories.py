"""The worked examples of a sheet: a knock that is close, a 31, and what the house rules make of a hand."""

from collections.abc import Sequence

from msgspec.structs import replace

from api.plain import called
from engine.examples.catalogue import SCENARIO_BY_ID, SCENARIOS
from engine.examples.generate import NAMES, story
from engine.presets import PRESETS, RuleChoice, changed, resolve
from schemas.examples import Story
from schemas.rules import RuleSet, form_of
from schemas.ruling import Settled

_WANTED = {
    "stock": (
        ("knocker-ties", "knock"),
        ("thirty-one-after-a-knock", "thirty-one-as-the-top-hand", "thirty-one", "dealt-31"),
        ("knocker-alone", "lowest-tie", "last-life-and-the-county"),
    ),
    "widow": (
        ("widow-best-hand", "widow-knock-ends-the-hand"),
        ("widow-31", "widow-31-as-the-top-hand"),
        ("pot-tie", "widow-keeping-a-good-hand"),
    ),
}
"""For each example the scenarios that will do, the best first. One of a house rule takes the place of the last."""
_SHORT = 3
"""Players in the scenarios that make a short example."""


def stories_of(choice: RuleChoice, seed: int, names: Sequence[str] = ()) -> tuple[Story, ...]:
    """Return the worked examples of the rules that a choice names, with these names as far as there are enough."""
    rules = resolve(choice)
    players = called(names) or NAMES
    first, second, third = _WANTED[form_of(rules.rules)]
    told: dict[str, Story] = {}
    for scenarios in (first, second, (*_of_house_rules(rules.rules), *third)):
        tries = (story(SCENARIO_BY_ID[name], rules, seed, names=players) for name in scenarios if name not in told)
        settled = (each for each in tries if isinstance(each, Story) and isinstance(each.ruling, Settled))
        found = next(settled, None)
        if found is not None:
            passages = tuple([passage for passage in found.passages if not passage.is_showdown])
            told[found.scenario] = replace(found, passages=passages)
    return tuple(told.values())


def _of_house_rules(rules: RuleSet) -> list[str]:
    """Return the scenarios of short hands that need a house rule: that of the fewest rule books comes first."""
    house = changed(rules)
    books = {
        option: sum(changed(preset.rules).get(option) == answer for preset in PRESETS)
        for option, answer in house.items()
    }
    standard = type(rules)()
    return [
        scenario.id
        for option in sorted(house, key=lambda option: books[option])
        for scenario in SCENARIOS
        if scenario.form == form_of(rules)
        and scenario.players <= _SHORT
        and option in scenario.needs
        and getattr(standard, option) not in scenario.needs[option]
    ]
