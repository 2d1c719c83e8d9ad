"""Problem documents (RFC 9457): one catalogue, and the handlers that turn every failure into one of them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, NoReturn

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import UNSET, Meta, Struct, UnsetType

from api.tracing import log_crash, request_id
from replays.faults import DamagedReplayError, StoreError

PROBLEM_JSON = "application/problem+json"
LINK_TO_DESCRIPTION = '</openapi.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"'
"""The value of `Link` where somebody may not know the way (RFC 8631)."""


class ProblemType(Struct, frozen=True):
    """A kind of failure: its slug, status and title never change; the explanation is for people."""

    slug: str
    status: int
    title: str
    explanation: str

    @property
    def uri(self) -> str:
        """Return the reference that identifies the type, and that resolves to its explanation."""
        return f"/problems/{self.slug}"


NOT_DECODABLE = ProblemType(
    "not-decodable",
    400,
    "The body cannot be decoded",
    "The request body is empty, cut short, not valid JSON or MessagePack, or as text not UTF-8. Nothing in it was "
    "looked at.",
)
BAD_PARAMETER = ProblemType(
    "bad-parameter",
    400,
    "A parameter in the address is not understood",
    "A query parameter is unknown or has a value that is not one of those listed for the operation.",
)
BAD_REQUEST = ProblemType(
    "bad-request",
    400,
    "The request is not understood",
    "The request breaks the rules of HTTP itself, for example by a malformed Host header.",
)
UNAUTHENTICATED = ProblemType(
    "unauthenticated",
    401,
    "A key is needed",
    "The service asks for a key, and the request brings none, or one that it does not know. Send "
    "`Authorization: Bearer` and the key; `WWW-Authenticate` says what was wrong.",
)
FORBIDDEN = ProblemType(
    "forbidden",
    403,
    "The key does not allow this",
    "The key is known but does not have the scope that the request needs; `WWW-Authenticate` names that scope.",
)
NOT_FOUND = ProblemType(
    "not-found",
    404,
    "There is nothing here",
    "The address is not one of the service's, or names something that the service does not know.",
)
METHOD_NOT_ALLOWED = ProblemType(
    "method-not-allowed",
    405,
    "The method is not allowed here",
    "The address exists, but not for this method. The `Allow` header lists the methods that it takes.",
)
NOT_ACCEPTABLE = ProblemType(
    "not-acceptable",
    406,
    "No acceptable representation",
    "The `Accept` header allows none of the representations that the operation has.",
)
TOO_SLOW = ProblemType(
    "too-slow",
    408,
    "The request did not come to an end",
    "The headers did not come within ten seconds, the body paused for ten seconds or came more slowly than 500 bytes a "
    "second, or a stream of lines paused for a minute. The connection is closed. Send the request again.",
)
TOO_LARGE = ProblemType(
    "too-large",
    413,
    "The body is too large",
    "The body is larger than the operation takes: 1 MB, or 16 MB for a batch or a game. In a stream it is a line that "
    "is larger than 1 MB.",
)
UNSUPPORTED_MEDIA_TYPE = ProblemType(
    "unsupported-media-type",
    415,
    "The body's media type is not supported",
    "Bodies are `application/json` or MessagePack (`application/x-msgpack`, `application/vnd.msgpack`, "
    "`application/msgpack`), without a content encoding. A batch may also be `application/x-ndjson`, and a hand to be "
    "judged, compared or disputed `text/vnd.thirty-one`.",
)
INVALID = ProblemType(
    "invalid",
    422,
    "The body does not fit the schema",
    "The body can be decoded, but a field is missing, unknown, of the wrong type or out of bounds, or part of a text "
    "is not understood; `errors` says which. A record that is well formed but breaks a rule of the game is not a "
    "problem: it gets a ruling with the outcome `refused`.",
)
INCOMPATIBLE_ANSWERS = ProblemType(
    "incompatible-answers",
    422,
    "The rule answers do not go together",
    "Two answers of the rule set exclude each other, or an option belongs to the other form of the game.",
)
TOO_MANY_REQUESTS = ProblemType(
    "too-many-requests",
    429,
    "Too many requests",
    "The key, or without keys the client's address, has used up its requests for the time being. Try again after the "
    "seconds in `Retry-After`; `RateLimit-Policy` says what the limit is.",
)
HEAD_TOO_LARGE = ProblemType(
    "head-too-large",
    431,
    "The headers are too large",
    "The first line and the headers of a request may have 32,768 bytes together, and there may be 100 headers. The "
    "connection is closed.",
)
PDF_UNAVAILABLE = ProblemType(
    "pdf-unavailable",
    501,
    "There are no PDFs here",
    "The service runs without a typesetter, so that it cannot make PDFs: it is an extra of the installation. The "
    "other formats of a rule sheet do not need it.",
)
OVERLOADED = ProblemType(
    "overloaded",
    503,
    "The service has too much to do",
    "More is asked of the service than it can answer in good time, so nothing of this request was begun. Try again "
    "after the seconds in `Retry-After`, and then less often. Health checks are answered all the same.",
)
STORE_UNAVAILABLE = ProblemType(
    "store-unavailable",
    503,
    "The store cannot be used",
    "Replays cannot be kept, found or deleted at the moment; `detail` and `GET /health/ready` say why. Nothing was "
    "kept. Try again after the seconds in `Retry-After`. Rulings with `store=false` do not need the store.",
)
REPLAY_DAMAGED = ProblemType(
    "replay-damaged",
    503,
    "A stored replay is damaged",
    "What is stored of a replay does not match its own digest, so it is not shown. The file or its disk is faulty; "
    "`thirtyone verify` lists every replay that is damaged.",
)
CRASHED = ProblemType(
    "internal-error",
    500,
    "The service failed",
    "A fault of the service, never of the request. It is logged under the request id.",
)

PROBLEM_TYPES = tuple(kind for kind in tuple(globals().values()) if isinstance(kind, ProblemType))
_FOR_STATUS = {
    400: BAD_REQUEST,
    404: NOT_FOUND,
    405: METHOD_NOT_ALLOWED,
    406: NOT_ACCEPTABLE,
    408: TOO_SLOW,
    413: TOO_LARGE,
    415: UNSUPPORTED_MEDIA_TYPE,
}


_MOST = 16_000_000
"""Characters of a body, at the most."""


class FieldError(Struct, frozen=True, forbid_unknown_fields=True):
    """Where in the request something is wrong, and what."""

    detail: Annotated[str, Meta(max_length=2000, description="What is wrong there.")]
    pointer: (
        Annotated[
            str,
            Meta(
                max_length=2000,
                description="JSON Pointer (RFC 6901) into the body; empty for the body as a whole.",
                examples=["/hand/events/3/card"],
            ),
        ]
        | UnsetType
    ) = UNSET
    parameter: (
        Annotated[str, Meta(max_length=200, description="The query parameter.", examples=["store"])] | UnsetType
    ) = UNSET
    line: Annotated[int, Meta(ge=1, le=_MOST, description="The line of a text, from 1.", examples=[3])] | UnsetType = (
        UNSET
    )
    column: (
        Annotated[
            int, Meta(ge=1, le=_MOST, description="Where in the line it begins, in characters from 1.", examples=[15])
        ]
        | UnsetType
    ) = UNSET
    length: (
        Annotated[int, Meta(ge=0, le=_MOST, description="Its characters; 0 where something is missing.", examples=[2])]
        | UnsetType
    ) = UNSET


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """A problem document (RFC 9457): what went wrong with a request, where, and why."""

    type: Annotated[
        str,
        Meta(
            max_length=200,
            description="Identifies the kind of problem; resolves to its explanation.",
            examples=["/problems/invalid"],
        ),
    ]
    title: Annotated[str, Meta(max_length=200, description="The kind of problem in words; always the same.")]
    status: Annotated[int, Meta(ge=400, le=599, description="The HTTP status.", examples=[422])]
    detail: Annotated[str, Meta(max_length=4000, description="What went wrong this time.")]
    errors: Annotated[
        tuple[FieldError, ...], Meta(max_length=100, description="The places at fault, where there are any.")
    ]
    request_id: Annotated[str, Meta(max_length=64, description="The id in `X-Request-ID`, also in the log.")]


class Fault(Exception):  # noqa: N818 - it is the client's, and answered, not an error of ours
    """A failure to be answered with a problem document."""

    def __init__(
        self,
        kind: ProblemType,
        detail: str,
        *errors: FieldError,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Say what kind of failure it is, what happened, and where."""
        super().__init__(kind.slug)
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.headers = {**({"Link": LINK_TO_DESCRIPTION} if kind is NOT_FOUND else {}), **(headers or {})}

    def problem(self) -> Problem:
        """Return the problem document for the current request."""
        kind = self.kind
        return Problem(kind.uri, kind.title, kind.status, self.detail, self.errors, request_id())

    def content(self) -> bytes:
        """Return the problem document as it is sent."""
        return msgspec.json.encode(self.problem())


def refuse(detail: str, pointer: str) -> NoReturn:
    """Raise a 422 fault about one place of a body."""
    raise Fault(INVALID, detail, FieldError(detail=detail, pointer=pointer))


def answer_fault(_: Request[Any, Any, Any], fault: Fault) -> Response[bytes]:
    """Return the problem document of a failure that was foreseen."""
    return Response(fault.content(), status_code=fault.kind.status, media_type=PROBLEM_JSON, headers=fault.headers)


def answer_http_exception(request: Request[Any, Any, Any], exception: HTTPException) -> Response[bytes]:
    """Return the problem document of a failure that the framework found, with its headers kept."""
    kind = _FOR_STATUS.get(
        exception.status_code, CRASHED if exception.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR else BAD_REQUEST
    )
    if kind is CRASHED:
        return answer_crash(request, exception)
    details = {
        NOT_FOUND: "There is nothing at this address; `GET /openapi.json` lists what there is.",
        METHOD_NOT_ALLOWED: f"{request.method} is not a method of this address.",
    }
    fault = Fault(kind, details.get(kind, exception.detail), headers=exception.headers)
    return answer_fault(request, fault)


def answer_crash(request: Request[Any, Any, Any], exception: Exception) -> Response[bytes]:
    """Return the problem document of a failure that nobody foresaw, and log where it happened."""
    return answer_fault(request, fault_of(exception))


def fault_of(exception: Exception) -> Fault:
    """Return the fault to answer an exception with; one that nobody foresaw is logged."""
    if isinstance(exception, Fault):
        return exception
    if isinstance(exception, DamagedReplayError):
        return Fault(REPLAY_DAMAGED, str(exception))
    if isinstance(exception, StoreError):
        return Fault(STORE_UNAVAILABLE, str(exception), headers={"Retry-After": "5"})
    log_crash(exception)
    return Fault(CRASHED, "The service failed. Please report the request id.")
