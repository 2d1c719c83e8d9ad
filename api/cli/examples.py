"""`thirtyone examples`: worked examples, and what tells two rule sets apart."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import click
import msgspec

from api.cli.choosing import Asked, read_rules, rules_option
from api.cli.completing import complete_preset, complete_scenario
from api.cli.hand_command import HandCommand
from api.cli.pointing import NotUnderstoodError, in_argument
from api.cli.printing import Page
from api.cli.seating import names_option, seed_option
from api.example_views import ScenarioList, scenario_views
from api.examples_told import answer_of_differences, answer_of_stories
from api.plain import called
from engine.examples.catalogue import SCENARIO_BY_ID, SCENARIOS
from engine.examples.distinguish import distinguish as told_apart
from engine.examples.generate import NAMES, story
from engine.examples.narrative import narrate
from engine.examples.scenario import Scenario
from engine.examples.stage import Names
from schemas.examples import NoStory, Passage

_MOST_PLAYERS = 16


class Wanted(NamedTuple):
    """What examples are to be like."""

    seed: int
    players: int | None
    names: Names


@click.command(cls=HandCommand)
@click.option("--list", "only_list", is_flag=True, help="List the scenarios, those that can occur under the rules.")
@click.option("--scenario", metavar="ID", shell_complete=complete_scenario, help="Show this one alone.")
@click.option(
    "--distinguish",
    nargs=2,
    metavar="PRESET PRESET",
    shell_complete=complete_preset,
    help="For each option in which two rule sets differ, show a small hand that it alone decides.",
)
@click.option("--players", type=click.IntRange(1, _MOST_PLAYERS), help="How many sit at the table.")
@names_option
@seed_option
@rules_option
@click.option("--json", "as_json", is_flag=True, help="Print what the service would answer.")
def command(asked: Asked, scenario: str | None, distinguish: tuple[str, str] | None, **given: Any) -> None:  # noqa: ANN401 - as click gives them
    """Show worked examples: whole hands, judged and told.

    There is one of every scenario that can occur under the rules, unless an option says otherwise.
    """
    as_json, only_list = given["as_json"], given["only_list"]
    wanted = Wanted(given["seed"], given["players"], called(given["names"] or NAMES))
    if distinguish:
        if asked != Asked() or scenario or wanted.players or only_list:
            says = "--distinguish names the rules, and goes only with --seed, --name and --json."
            raise click.UsageError(says)
        _differences(distinguish, wanted, as_json=as_json)
    elif only_list:
        if scenario or wanted.players or given["names"]:
            raise click.UsageError("--list goes only with --rules, --set and --json.")
        _catalogue(asked, as_json=as_json)
    else:
        _stories(asked, _scenarios(scenario), wanted, as_json=as_json)


def _scenarios(scenario: str | None) -> Sequence[Scenario]:
    """Return the scenarios to show; raise NotUnderstoodError if there is none of that name."""
    if scenario is None:
        return SCENARIOS
    found = SCENARIO_BY_ID.get(scenario.lower())
    if found is None:
        near = get_close_matches(scenario.lower(), SCENARIO_BY_ID)
        advice = f"Did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else "--list shows all."
        raise NotUnderstoodError(in_argument(f"There is no scenario `{scenario}`. {advice}", "--scenario", scenario))
    return (found,)


def _catalogue(asked: Asked, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(ScenarioList(scenario_views())))
        return
    rules = asked.over().rules.rules
    shown = [each for each in SCENARIOS if not each.obstacle(rules, None)]
    Page().table(("Scenario", "What it shows"), [(each.id, each.title) for each in shown])


def _stories(asked: Asked, scenarios: Sequence[Scenario], wanted: Wanted, *, as_json: bool) -> None:
    chosen = asked.over()
    told = (story(each, chosen.rules, wanted.seed, wanted.players, wanted.names) for each in scenarios)
    if as_json:
        click.echo(msgspec.json.encode(answer_of_stories(chosen.choice, told)))
        return
    page = Page()
    for place, each in enumerate(told):
        if place:
            page.gap()
        if isinstance(each, NoStory):
            page.say(f"{each.scenario}: {each.why}", "dim")
        else:
            page.say(each.title, "bold")
            _tell(page, each.passages)


def _differences(sets: tuple[str, str], wanted: Wanted, *, as_json: bool) -> None:
    one, other = (read_rules("--distinguish", each).over().choice for each in sets)
    found = told_apart(one, other, wanted.seed, wanted.names)
    if as_json:
        click.echo(msgspec.json.encode(answer_of_differences(found)))
        return
    page = Page()
    page.say(found.says)
    for each in found.found:
        page.gap()
        page.say(each.title, "bold")
        _tell(page, narrate(each.hand, each.rulings[0]))
        page.gap()
        page.say(each.says)
    for missing in found.missing:
        page.gap()
        page.say(f"`{missing.option}`: {missing.why}", "dim")


def _tell(page: Page, passages: Iterable[Passage]) -> None:
    for passage in passages:
        page.gap()
        page.say(passage.says)
        for item in passage.items:
            page.item(item)
