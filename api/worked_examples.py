"""Worked examples: the catalogue of scenarios, and hands made for them."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api import examples
from api.body import Body
from api.choice import rules_of
from api.constants import Constant
from api.example_views import ExampleAnswer, ScenarioList, scenario_views
from api.examples_told import answer_of_differences, answer_of_stories
from api.operations import Answer, Call, Operation
from api.plain import called
from api.problems import INCOMPATIBLE_ANSWERS, INVALID, refuse
from api.routes import Strings, get, post
from engine.examples.catalogue import SCENARIO_BY_ID, SCENARIOS, ScenarioId
from engine.examples.distinguish import distinguish
from engine.examples.generate import NAMES, story
from engine.presets import RuleChoice
from schemas.hand import Name

Seed = Annotated[
    int,
    Meta(
        ge=0,
        le=2**53 - 1,
        description="What chance follows from. The same request with the same seed gets the same hands, everywhere.",
        examples=[0],
    ),
]
Names = Annotated[
    tuple[Name, ...],
    Meta(max_length=16, description="What the players are called, from seat 1 on; others are `Seat n`."),
]


class ExampleRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What examples are wanted: of one scenario, of all that can occur, or of what distinguishes two rule sets."""

    rules: RuleChoice | UnsetType = UNSET
    scenario: ScenarioId | UnsetType = UNSET
    seed: Seed = 0
    players: (
        Annotated[
            int,
            Meta(ge=1, le=16, description="How many sit at the table; if left out, as many as suit the scenario."),
        ]
        | UnsetType
    ) = UNSET
    names: Names = NAMES
    distinguish: (
        Annotated[
            tuple[RuleChoice, RuleChoice],
            Meta(description="Two rule sets, instead of `rules`, `scenario` and `players`."),
        ]
        | UnsetType
    ) = UNSET


_INSTEAD = ("rules", "scenario", "players")
"""What does not go with `distinguish`."""
_BY_ITSELF = Meta(
    extra_json_schema={
        "if": {"required": ["distinguish"], "properties": {"distinguish": True}},
        "then": {"not": {"anyOf": [{"required": [field], "properties": {field: True}} for field in _INSTEAD]}},
    }
)


@get(
    "/v1/scenarios",
    Operation(
        id="listScenarios",
        tag="Examples",
        summary="List the scenarios",
        description="Every situation that there are worked examples of, with the rules under which it can occur.",
        schema=ScenarioList,
        answer="The scenarios, in the order of a rule sheet.",
    ),
)
def list_scenarios(_path: Strings, _query: Strings) -> Constant:
    """Answer the catalogue."""
    return _SCENARIO_LIST


_SCENARIO_LIST = Constant(ScenarioList(scenario_views()))


@post(
    "/v1/examples",
    Operation(
        id="makeExamples",
        tag="Examples",
        summary="Make worked examples",
        description="Make whole hands that show something: one scenario, or every scenario that can occur under these "
        "rules. The cards are arranged and the players play sensibly; the engine judges every hand. With `distinguish` "
        "instead: for each option in which two rule sets differ, the smallest hand that a bounded search finds on "
        "which that option alone changes the ruling. What has no example is in `left_out`, with the reason, and so "
        "is what the search had not come to after 100,000 hands. Nothing is "
        "kept. `rules`, `scenario` or `players` beside `distinguish`, and rule answers that do not go together, are a "
        "422.",
        body=Body(ExampleRequest, schema=Annotated[ExampleRequest, _BY_ITSELF]),
        schema=ExampleAnswer,
        answer="The examples.",
        problems=(INVALID, INCOMPATIBLE_ANSWERS),
        examples=examples.EXAMPLES,
        slow=True,
    ),
)
def make_examples(call: Call[ExampleRequest]) -> Answer:
    """Answer worked examples."""
    asked = call.body
    answer = _of_scenarios(asked) if asked.distinguish is UNSET else _of_differences(asked, asked.distinguish)
    return Answer(answer, {"examples": len(answer.examples), "left_out": len(answer.left_out)})


def _of_scenarios(asked: ExampleRequest) -> ExampleAnswer:
    """Return an example of the scenario asked for, or of each that can occur."""
    rules = rules_of(asked.rules)
    choice = RuleChoice() if asked.rules is UNSET else asked.rules
    scenarios = SCENARIOS if asked.scenario is UNSET else (SCENARIO_BY_ID[asked.scenario],)
    players = None if asked.players is UNSET else asked.players
    names = called(asked.names)
    return answer_of_stories(choice, [story(each, rules, asked.seed, players, names) for each in scenarios])


def _of_differences(asked: ExampleRequest, choices: tuple[RuleChoice, RuleChoice]) -> ExampleAnswer:
    """Return an example of each option in which two rule sets differ; raise a 422 fault for more that is asked."""
    for field in _INSTEAD:
        if getattr(asked, field) is not UNSET:
            refuse(f"`{field}` does not go with `distinguish`, which says all that it would.", f"/{field}")
    one, other = choices
    for place, choice in enumerate(choices):
        rules_of(choice, f"/distinguish/{place}")
    return answer_of_differences(distinguish(one, other, asked.seed, called(asked.names)))
