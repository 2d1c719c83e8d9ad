"""Direct routes: bare ASGI handlers that are found by their path alone, without Litestar's router.

They are routes of Litestar's all the same, which documents them and finds them under any other spelling of the path;
but its way to a handler costs a fifth of judging a hand.
"""

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.handlers import ASGIRouteHandler, BaseRouteHandler

if TYPE_CHECKING:
    from api.resources import Resources

RESOURCES = "thirtyone.resources"
"""Where a connection's scope has the application's resources."""


class DirectApp(Litestar):
    """A Litestar application that hands a request for the exact path of an ASGI handler straight to it."""

    def __init__(self, routes: Sequence[BaseRouteHandler], resources: "Resources", **settings: Any) -> None:  # noqa: ANN401 - Litestar's own
        """Register the routes. The ASGI handlers among them have to answer their own failures."""
        super().__init__(routes, **settings)
        handlers = [handler for handler in routes if isinstance(handler, ASGIRouteHandler)]
        self._direct: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            path: handler.fn  # type: ignore[misc] # all of them are async functions
            for handler in handlers
            for path in handler.paths
        }
        self.resources = resources

    def __call__(self, scope: Any, receive: Any, send: Any) -> Coroutine[Any, Any, None]:  # noqa: ANN401 - HTTP or lifespan
        """Return what answers one connection; a coroutine of its own would only wait for that."""
        scope[RESOURCES] = self.resources
        handle = self._direct.get(scope["path"]) if scope["type"] == "http" else None
        if handle is None:
            return super().__call__(scope, receive, send)
        scope["state"] = {}
        scope["path_template"] = scope["path"]
        return handle(scope, receive, send)
