"""The application: every route of the service, in one place."""

from pathlib import Path
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from api import (
    comparisons,
    cuts,
    declarations,
    examples,
    games,
    metrics,
    replays,
    rulings,
    service,
    valuations,
    worked_examples,
)
from api.constants import Constant
from api.desk import routes as desk
from api.discovery import catalog_route
from api.document import as_published, document
from api.media import JSON
from api.operations import read_query
from api.pages import routes as pages
from api.problems import LINK_TO_DESCRIPTION, Fault, answer_crash, answer_fault, answer_http_exception
from api.resources import Resources
from api.serving import settle_memory, share_the_interpreter
from api.sheets import routes as sheets
from api.sheets import score_routes as score_sheets
from api.tracing import TracedApp

PUBLISHED = Path(__file__).parents[1] / "openapi" / "openapi.json"
"""Beside the packages, in a checkout as in an installation."""

ROUTES = [
    rulings.adjudicate_hand,
    rulings.adjudicate_batch,
    games.judge_game,
    cuts.decide_cut,
    replays.list_replays,
    replays.show_methods,
    replays.show_replay,
    replays.delete_replay,
    replays.rerun_replay,
    comparisons.compare_rules,
    comparisons.settle_dispute,
    valuations.value_hands,
    worked_examples.list_scenarios,
    worked_examples.make_examples,
    declarations.list_options,
    declarations.show_option,
    declarations.list_presets,
    declarations.show_preset,
    *sheets.ROUTES,
    *score_sheets.ROUTES,
    declarations.list_rules,
    declarations.show_rule,
    service.show_liveness,
    service.show_readiness,
    service.explain_problem,
    metrics.show_metrics,
]


def create_app(resources: Resources) -> TracedApp:
    """Return the ASGI application; it is the same under every server."""
    app = _undocumented(resources)
    for handler in (_document_route(), catalog_route(), *pages.ROUTES, *desk.ROUTES):
        app.register(handler)
    return app


def current_document() -> bytes:
    """Return the OpenAPI document of this code, whose examples a store of its own answers.

    `python -m openapi` publishes it. What is published is served, and a test holds it to this: to work it out anew
    would take half of the time that the service needs to start.
    """
    with examples.resources() as resources:
        return as_published(document(_undocumented(resources).routes, resources))


def _undocumented(resources: Resources) -> TracedApp:
    """Return the application without its document."""
    return TracedApp(
        [route for route in ROUTES if resources.has_metrics or route is not metrics.show_metrics],
        resources,
        openapi_config=None,
        logging_config=None,
        exception_handlers={
            Fault: answer_fault,
            HTTPException: answer_http_exception,
            Exception: answer_crash,
        },
        on_startup=[settle_memory, share_the_interpreter],
        on_shutdown=[resources.store.close],
    )


def _document_route() -> HTTPRouteHandler:
    """Return the route of the OpenAPI document, which describes all others."""
    published = Constant(None, {JSON: PUBLISHED.read_bytes()})

    def show_document(request: Request[Any, Any, Any]) -> Response[bytes]:
        read_query(request.scope["query_string"], ())
        answer = published.answer(request)
        answer.headers["Link"] = LINK_TO_DESCRIPTION
        return answer

    return HTTPRouteHandler("/openapi.json", http_method=["GET", "HEAD"], sync_to_thread=False)(show_document)
