"""What is outside `/v1`: health, and the explanation of each problem."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from api.constants import Constant, known
from api.operations import Answer, Call, Operation, PathParameter
from api.problems import NOT_FOUND, PROBLEM_TYPES, STORE_UNAVAILABLE
from api.routes import Strings, get, route
from api.ruling_views import EngineVersion
from engine import VERSION


class Health(Struct, frozen=True, forbid_unknown_fields=True):
    """How the service is."""

    status: Annotated[Literal["ok"], Meta(description="`ok`, or there is no such answer.")]
    engine: EngineVersion


class ProblemExplanation(Struct, frozen=True, forbid_unknown_fields=True):
    """What a kind of problem means."""

    type: Annotated[str, Meta(max_length=200, description="Identifies the kind.")]
    title: Annotated[str, Meta(max_length=200, description="The kind in words.")]
    status: Annotated[int, Meta(ge=400, le=599, description="The HTTP status it comes with.")]
    explanation: Annotated[str, Meta(max_length=1000, description="When it happens and what to do.")]


_HEALTH = Constant(Health("ok", VERSION), headers={"Cache-Control": "no-store"})
_PROBLEMS = {
    kind.slug: Constant(ProblemExplanation(kind.uri, kind.title, kind.status, kind.explanation))
    for kind in PROBLEM_TYPES
}


@get(
    "/health/live",
    Operation(
        id="showLiveness",
        tag="Service",
        summary="Tell whether the service runs",
        description="Answers as long as the process can answer at all.",
        schema=Health,
        answer="It runs.",
        needs=None,
    ),
)
def show_liveness(_path: Strings, _query: Strings) -> Constant:
    """Answer that the process runs."""
    return _HEALTH


@route(
    "GET",
    "/health/ready",
    Operation(
        id="showReadiness",
        tag="Service",
        summary="Tell whether the service can take requests",
        description="Writes to the store to find out whether it can. If not, the problem says why; rulings with "
        "`store=false` are answered all the same.",
        schema=Health,
        answer="It is ready.",
        needs=None,
        problems=(STORE_UNAVAILABLE,),
        slow=True,
        lane="health",
    ),
)
def show_readiness(call: Call[None]) -> Answer:
    """Answer that every request can be taken."""
    call.resources.store.open()
    return Answer(_HEALTH.value, headers={"Cache-Control": "no-store"})


@get(
    "/problems/{slug:str}",
    Operation(
        id="explainProblem",
        tag="Service",
        summary="Explain a kind of problem",
        description="What the `type` of a problem document means.",
        schema=ProblemExplanation,
        answer="The explanation.",
        needs=None,
        path=(PathParameter("slug", "The last part of the problem's `type`.", "invalid"),),
        problems=(NOT_FOUND,),
    ),
)
def explain_problem(path: Strings, _query: Strings) -> Constant:
    """Answer what a kind of problem means."""
    return known(_PROBLEMS, path["slug"], "kind of problem")
