"""`thirtyone dispute`: what a hand hinges on, and under which rules a claim about it would hold."""

from collections.abc import Sequence

import click
import msgspec

from api.cli.choosing import Asked, rules_option
from api.cli.claiming import read_claim
from api.cli.hand_command import HandCommand
from api.cli.pointing import NotUnderstoodError, Trouble
from api.cli.printing import Page
from api.cli.questions import Question
from api.cli.reading import read_one
from api.contested import MOST_WORK, misplaced
from engine.clerk import Clerk
from engine.comparison import label
from engine.contrast import result_of
from engine.disputes import settle
from engine.wording import listed, lives
from schemas.disputes import MOST_CLAIMS, ClaimAnswer, Dispute


@click.command(cls=HandCommand)
@click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="CHANGES",
    help="What somebody says it costs: 'Ana=-1, Ben=-2', or everyone's change in seat order, '0 0 -1'. May be given "
    "more than once.",
)
@rules_option
@click.option("--json", "as_json", is_flag=True, help="Print what the service would answer.")
def command(file: str, claims: tuple[str, ...], asked: Asked, *, as_json: bool) -> None:
    """Find out what a hand hinges on.

    FILE has the hand, as for `judge`. Every single other answer to a rule option is told that changes the ruling; and
    of a claim, whether it holds, or else the fewest changes of the rules under which it does.
    """
    question = read_one(file)
    chosen = question.chosen(asked)
    _check(question)
    said = [*question.claims, *[read_claim("--claim", each, question.hand.players) for each in claims]]
    if len(said) > MOST_CLAIMS:
        raise NotUnderstoodError(Trouble(f"There are {MOST_CLAIMS} claims at the most, not {len(said)}."))
    dispute = settle(question.hand, chosen.rules, said, MOST_WORK)
    if as_json:
        click.echo(msgspec.json.encode(dispute))
    else:
        _tell(Page(), question, dispute, label(chosen.choice))


def _check(question: Question) -> None:
    """Raise NotUnderstoodError if a claim that the file makes is not about the players of the hand."""
    troubles = [question.trouble_with_claim(*claim) for claim in misplaced(question.claims, len(question.hand.players))]
    if troubles:
        raise NotUnderstoodError(*troubles)


def _tell(page: Page, question: Question, dispute: Dispute, rules: str) -> None:
    clerk = Clerk(question.hand.players, None)
    page.say(f"By {rules}, {result_of(dispute.ruling, clerk)}.", "bold")
    page.gap()
    if dispute.decisive:
        page.say("It would be otherwise:")
        for each in dispute.decisive:
            page.item(each.says)
    else:
        page.say("No single other answer changes that.")
    for answer in dispute.claims:
        page.gap()
        _tell_claim(page, answer, clerk)
    if not dispute.complete:
        page.gap()
        page.say("Not everything was tried that could matter: that would take too long.")


def _tell_claim(page: Page, answer: ClaimAnswer, clerk: Clerk) -> None:
    page.say(f"Claim: {_claimed(answer.claim.changes, clerk)}.", "bold")
    page.say(answer.says)
    for nearest in answer.nearest[1:]:
        page.item(nearest.says)


def _claimed(changes: Sequence[int], clerk: Clerk) -> str:
    """Return in a clause what a claim says."""
    told = [
        f"{clerk.name(seat)} {f'loses {lives(-change)}' if change < 0 else f'wins back {lives(change)}'}"
        for seat, change in enumerate(changes, start=1)
        if change
    ]
    return listed(told or ["nobody loses a life"])
