"""The routes of the pages.

They carry no operation, so the OpenAPI document does not have them: they are for people, and what they say of the
service is in the document already. They ask for no key, since whoever looks for one reads here how to bring it.
"""

from collections.abc import Callable
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from api.constants import Constant, known
from api.operations import read_query
from api.pages.assets import by_address
from api.pages.guide import START, pages
from api.pages.writing import guidance, reference
from api.problems import NOT_FOUND, Fault

_Ask = Request[Any, Any, Any]


def _get(path: str) -> Callable[[Callable[[_Ask], Constant]], HTTPRouteHandler]:
    """Return a decorator that makes a function the handler of GET and HEAD."""

    def decorate(choose: Callable[[_Ask], Constant]) -> HTTPRouteHandler:
        def handle(request: _Ask) -> Response[bytes]:
            read_query(request.scope["query_string"], ())
            return choose(request).answer(request)

        # In a thread: the first who asks for a page waits until it is made, and nobody else.
        return HTTPRouteHandler(path, http_method=["GET", "HEAD"], sync_to_thread=True)(handle)

    return decorate


@_get("/docs")
def show_start(_request: _Ask) -> Constant:
    """Answer the page to begin with."""
    return guidance(pages()[START])


@_get("/docs/{page:str}")
def show_page(request: _Ask) -> Constant:
    """Answer a page of the guide."""
    found = {name: page for name, page in pages().items() if name != START}
    name = request.path_params["page"]
    if name not in found:
        raise Fault(NOT_FOUND, f"There is no page with that name. There are: reference, {', '.join(found)}.")
    return guidance(found[name])


@_get("/docs/reference")
def show_reference(_request: _Ask) -> Constant:
    """Answer the reference of all operations."""
    return reference()


@_get("/docs/files/{name:str}")
def show_file(request: _Ask) -> Constant:
    """Answer a file that a page asks for."""
    return known(by_address(), request.path_params["name"], "file")


ROUTES = (show_start, show_page, show_reference, show_file)
