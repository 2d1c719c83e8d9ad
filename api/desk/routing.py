"""Routes of the desk: a page is asked for by its address, or by a form that is sent to it.

They carry no operation and are not in the OpenAPI document: they are for people. What a form brings is neither kept nor
logged.
"""

from collections.abc import Callable, Mapping
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope
from msgspec import Struct

from api.arriving import headers_by_name
from api.compression import WORTHWHILE, coding_for, compressed
from api.desk.forms import Form, sent_form
from api.desk.rendering import ALLOWED, rendered
from api.direct import RESOURCES
from api.keys import Scope
from api.media import HTML
from api.problems import FORBIDDEN, UNAUTHENTICATED, Fault
from api.resources import Resources
from api.tracing import add_to_answer
from replays.faults import DamagedReplayError
from replays.finding import Stored

_HTML = f"{HTML}; charset=utf-8"


class Visit(Struct, frozen=True):
    """What a page is made from."""

    form: Form
    resources: Resources
    key: str
    """The key that the form brings, if the service asks for keys."""
    stored: Stored | None = None
    """The replay that the form asks for, if it is stored."""
    complaint: str = ""
    """Why it is not let in, if it is not: then its fields are shown as they came, and nothing else is done for it."""


class Page(Struct, frozen=True):
    """A page to be shown: its template, and the values for it."""

    template: str
    values: Mapping[str, Any]
    status: int = 200


class File(Struct, frozen=True):
    """A file to be shown or kept."""

    content: bytes
    content_type: str
    name: str


Show = Callable[[Visit], Page | File]
Asks = Callable[[Form], str | None]
"""From a form to the id of the stored replay that it asks for, or None."""


class _Made(Struct, frozen=True):
    """A page or a file as it is sent."""

    content: bytes
    headers: Mapping[str, str]
    status: int = 200
    compressible: bool = True


def desk_page(
    path: str, use: str, needs: Scope = "read", asks: Asks = lambda _: None
) -> Callable[[Show], HTTPRouteHandler]:
    """Return a decorator that makes a function the handler of a page; it is called in a thread."""

    def decorate(show: Show) -> HTTPRouteHandler:
        async def handle(request: Request[Any, Any, Any]) -> Response[bytes]:
            scope = request.scope
            resources: Resources = scope[RESOURCES]  # type: ignore[literal-required] # put there by DirectApp
            form = await sent_form(request, resources.bodies)
            # Of a body only: an address is kept and passed on by whatever sees it.
            key = form.text("key", longest=200) if request.method == "POST" else ""
            complaint = "" if form.is_empty else _complaint(scope, resources, key, needs)
            stored = None if complaint else await _stored(resources, asks(form))
            visit = Visit(form, resources, key, stored, complaint)
            made = await resources.lanes.of("long").do(None, _made, show, visit, use)
            return await _answer(request, made)

        return HTTPRouteHandler(path, http_method=["GET", "HEAD", "POST"], status_code=200)(handle)

    return decorate


async def _stored(resources: Resources, replay: str | None) -> Stored | None:
    """Return a stored replay, None if there is none with this id; raise DamagedReplayError if it is not sound."""
    if replay is None:
        return None
    stored = await resources.lanes.of("store").do(None, resources.store.get, bytes.fromhex(replay))
    if stored is not None and not stored.sound:
        raise DamagedReplayError(stored.id)
    return stored


def _made(show: Show, visit: Visit, use: str) -> _Made:
    page = show(visit)
    if isinstance(page, File):
        headers = {"Content-Type": page.content_type, "Content-Disposition": f'inline; filename="{page.name}"'}
        return _Made(page.content, headers, compressible=False)
    frame = {"use": use, "wants_key": bool(visit.resources.gate.access.keys), "key": visit.key}
    content = rendered(page.template, complaint=visit.complaint, **frame, **page.values)
    return _Made(content, {"Content-Type": _HTML, **ALLOWED}, 401 if visit.complaint else page.status)


def _complaint(scope: HTTPScope, resources: Resources, key: str, needs: Scope) -> str:
    """Return why a form is not let in, if it brings no key that is good for it. Raises a 429 fault."""
    headers = list(scope["headers"])
    if key:
        headers.append((b"authorization", b"Bearer " + key.encode("ascii", "replace")))
    try:
        add_to_answer(scope, resources.gate.admit({**scope, "headers": headers}, needs))
    except Fault as fault:
        if fault.kind not in (UNAUTHENTICATED, FORBIDDEN):
            raise
        return fault.detail
    return ""


async def _answer(request: Request[Any, Any, Any], made: _Made) -> Response[bytes]:
    content, headers = made.content, {**made.headers, "Cache-Control": "no-store"}
    if made.compressible:
        headers["Vary"] = "Accept-Encoding"
        coding = coding_for(headers_by_name(request.scope).get(b"accept-encoding", b""))
        if len(content) >= WORTHWHILE and coding:
            content = await compressed(content, coding)
            headers["Content-Encoding"] = coding.name
    return Response(content, status_code=made.status, headers=headers)
