"""`thirtyone compare`: a hand under several rule sets."""

from collections.abc import Sequence

import click
import msgspec

from api.cli.choosing import Asked, Chosen, NotTogetherError, read_answers, read_rules, set_option
from api.cli.completing import ALL_PRESETS, complete_rule_sets
from api.cli.hand_command import HandCommand
from api.cli.pointing import NotUnderstoodError, Trouble
from api.cli.printing import Page
from api.cli.questions import Question
from api.cli.reading import read_one
from api.contested import MOST_RULE_SETS, MOST_WORK
from engine.clerk import Clerk
from engine.comparison import compare, presets_for, results_of
from engine.presets import RuleChoice
from engine.wording import listed
from schemas.comparison import Comparison


@click.command(cls=HandCommand)
@click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")
@click.option(
    "--rules",
    multiple=True,
    metavar="PRESET",
    shell_complete=complete_rule_sets,
    help=f"A rule set to compare: a preset, with changes of it if you like, or {ALL_PRESETS}. The first is what the "
    "others are compared with. By default all presets, after the rules that FILE names.",
)
@set_option
@click.option("--json", "as_json", is_flag=True, help="Print what the service would answer.")
def command(file: str, rules: tuple[str, ...], answers: tuple[str, ...], *, as_json: bool) -> None:
    """Compare rule sets on a hand: which agree, and on what the others part.

    FILE has the hand, as for `judge`. A house rule of --set is played under every rule set.
    """
    question = read_one(file)
    chosen, left_out = _rule_sets(question, rules, read_answers(answers))
    choices = [each.choice for each in chosen]
    compared = compare(question.hand, choices, [each.rules for each in chosen], left_out, MOST_WORK)
    if as_json:
        click.echo(msgspec.json.encode(compared))
    else:
        _tell(Page(), question, compared, choices)


def _rule_sets(question: Question, rules: Sequence[str], house: Asked) -> tuple[list[Chosen], tuple[str, ...]]:
    """Return the rule sets to compare, each once, and the presets that are left out, which are of the other form.

    Raises NotUnderstoodError.
    """
    presets, others = presets_for(question.hand)
    chosen: list[Chosen] = []
    has_all = False
    for each in rules:
        if each.strip().lower() == ALL_PRESETS:
            chosen += _with_house_rules(presets, house)
            has_all = True
        else:
            chosen.append(read_rules("--rules", each).and_also(house).over())
    if not rules:
        chosen = [question.chosen_of(place, house) for place in range(len(question.choices))]
        has_all = question.all_presets or len(chosen) <= 1
        chosen += _with_house_rules(presets, house) if has_all else []
    # As the service does, it compares what a file names as often as that names it.
    found = list({each.choice: each for each in chosen}.values()) if rules or has_all else chosen
    if len(found) > MOST_RULE_SETS:
        raise NotUnderstoodError(Trouble(f"{MOST_RULE_SETS} rule sets are compared at the most, not {len(found)}."))
    return found, others if has_all else ()


def _with_house_rules(presets: Sequence[RuleChoice], house: Asked) -> list[Chosen]:
    """Return presets with house rules; raise NotUnderstoodError that names the first that these do not go with."""
    chosen = []
    for each in presets:
        try:
            chosen.append(house.over(each))
        except NotTogetherError as error:
            trouble = error.troubles[0]
            says = f"Under {each.preset}, {trouble.says}"
            raise NotUnderstoodError(trouble._replace(says=says), kind=error.kind) from None
    return chosen


def _tell(page: Page, question: Question, compared: Comparison, choices: Sequence[RuleChoice]) -> None:
    clerk = Clerk(question.hand.players, None)
    parting = {each.group: each for each in compared.differences}
    rows: list[tuple[str, str, str]] = []
    for number, group in enumerate(compared.groups):
        results = results_of([(compared.rulings[each], choices[each]) for each in group], clerk)
        options = parting[number].options if number else ()
        answers = ", ".join(f"{each.option}={each.other}" for each in options)
        for place, (result, labels) in enumerate(results.items()):
            rows.append((f"{result[:1].upper()}{result[1:]}.", ", ".join(labels), "" if place else answers))
    page.table(("What comes of it", "Rules", "Because of"), rows)
    if compared.differences:
        page.gap()
    for difference in compared.differences:
        page.item(difference.says)
    if compared.left_out:
        page.gap()
        are = "is" if len(compared.left_out) == 1 else "are"
        page.say(f"{listed(compared.left_out)} {are} of another form of the game.")
