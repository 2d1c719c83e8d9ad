"""Discovery: where a program that knows only this host finds the API, its description and its health.

The relations are those of RFC 8631, the catalogue is RFC 9727's, written as RFC 9264 has it.
"""

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from api.constants import Constant
from api.media import LINKSET
from api.operations import read_query

_CATALOG_PATH = "/.well-known/api-catalog"
_CATALOG = {
    "linkset": [
        {
            "anchor": "/v1",
            "service-desc": [{"href": "/openapi.json", "type": "application/json"}],
            "service-doc": [{"href": "/docs", "type": "text/html"}],
            "status": [{"href": "/health/ready", "type": "application/json"}],
        }
    ]
}


def catalog_route() -> HTTPRouteHandler:
    """Return the route of the catalogue."""
    catalog = Constant(None, {LINKSET: msgspec.json.encode(_CATALOG)})

    def show_catalog(request: Request[Any, Any, Any]) -> Response[bytes]:
        read_query(request.scope["query_string"], ())
        answer = catalog.answer(request)
        answer.headers["Link"] = f'<{_CATALOG_PATH}>; rel="api-catalog"'
        return answer

    return HTTPRouteHandler(_CATALOG_PATH, http_method=["GET", "HEAD"], sync_to_thread=False)(show_catalog)
